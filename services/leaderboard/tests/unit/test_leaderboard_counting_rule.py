"""What a configuration says about counting."""

import pytest
from leaderboard.domain.counting_rule import (
    DEFAULT_RULE,
    Ensemble,
    Gold,
    UnusableConfiguration,
    counting_rule,
)
from leaderboard.domain.wrong_when import UnknownWrongWhen, wrong_when


def test_an_empty_configuration_means_the_defaults() -> None:
    assert counting_rule({}) == DEFAULT_RULE


def test_everything_is_read() -> None:
    rule = counting_rule(
        {
            "ensemble": {"at_least": 2},
            "wrong_when": {"exact_match": {"fields": ["label"]}},
            "validation": {"gold": "majority", "validate": "all"},
        }
    )
    assert (rule.gold, rule.ensemble, rule.validates_all) == (Gold.MAJORITY, Ensemble(2), True)
    assert rule.is_wrong("positive", "negative")
    assert not rule.is_wrong("positive", "positive")


@pytest.mark.parametrize(
    ("at_least", "wrong", "targets", "fooled"),
    [
        (1, 0, 2, False),
        (1, 1, 2, True),
        (2, 1, 3, False),
        (2, 2, 3, True),
        (None, 2, 3, False),
        (None, 3, 3, True),
    ],
)
def test_ensembles(at_least: int | None, wrong: int, targets: int, fooled: bool) -> None:
    assert Ensemble(at_least).is_fooled(wrong, targets) is fooled


@pytest.mark.parametrize("ensemble", [Ensemble(1), Ensemble(None)])
def test_no_targets_are_never_fooled(ensemble: Ensemble) -> None:
    assert not ensemble.is_fooled(0, 0)


@pytest.mark.parametrize(
    ("configuration", "named"),
    [
        ({"validation": {"gold": "oracle"}}, "validation.gold"),
        ({"validation": "strict"}, "validation"),
        ({"ensemble": "most"}, "ensemble"),
        ({"ensemble": {"at_least": 0}}, "ensemble"),
    ],
)
def test_what_is_unusable_is_named(configuration: dict[str, object], named: str) -> None:
    with pytest.raises(UnusableConfiguration, match=named):
        counting_rule(configuration)


def test_an_unknown_rule_matters_under_majority_only() -> None:
    unknown = {"wrong_when": {"token_f1": {"field": "answer", "below": 0.4}}}
    assert counting_rule(unknown).gold is Gold.AUTHOR_CONFIRMED
    with pytest.raises(UnknownWrongWhen, match="token_f1"):
        counting_rule({**unknown, "validation": {"gold": "majority"}})


def test_two_rules_are_refused() -> None:
    with pytest.raises(UnknownWrongWhen, match="exactly one"):
        wrong_when({"exact_match": {}, "token_f1": {}})
