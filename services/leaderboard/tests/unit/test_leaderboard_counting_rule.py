"""What a configuration says about counting."""

import pytest
from dynabench_tasks.gold import GoldPolicy
from dynabench_tasks.verdict import Ensemble
from leaderboard.domain.counting_rule import DEFAULT_RULE, UnusableConfiguration, counting_rule
from leaderboard.domain.wrong_when import UnknownWrongWhen, read_wrong_when
from leaderboard.domain.wrong_when.ask_annotator import AskAnnotator
from leaderboard.domain.wrong_when.exact_match import ExactMatch
from leaderboard.domain.wrong_when.token_f1 import TokenF1


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
    assert (rule.gold, rule.ensemble, rule.validates_all) == (GoldPolicy.MAJORITY, Ensemble(2), True)
    assert rule.wrong_when == ExactMatch()


def test_the_claim_is_the_output_that_is_an_input_too() -> None:
    text, label = {"name": "text", "type": "string"}, {"name": "label", "type": "multiclass"}
    certainty = {"name": "certainty", "type": "probabilities"}
    rule = counting_rule({"input": [text, label], "output": [certainty, label]})
    assert rule.claim_type == "multiclass"
    assert counting_rule({"input": [text], "output": [label]}).claim_type == ""


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
        ({"input": "text"}, "input"),
        ({"output": ["label"]}, "output"),
        ({"ensemble": {"at_least": 0}}, "ensemble"),
    ],
)
def test_what_is_unusable_is_named(configuration: dict[str, object], named: str) -> None:
    with pytest.raises(UnusableConfiguration, match=named):
        counting_rule(configuration)


ANSWER_IS_A_SPAN = {"output": [{"name": "answer", "type": "span", "of": "passage"}]}
ANSWER_IS_A_TEXT = {"output": [{"name": "answer", "type": "string"}]}
TOKEN_F1 = {"token_f1": {"field": "answer", "below": 0.4}}


@pytest.mark.parametrize(
    ("configuration", "expected"),
    [
        ({}, ExactMatch()),
        ({"wrong_when": {"exact_match": {"fields": ["label"]}}}, ExactMatch()),
        ({"wrong_when": "ask_annotator"}, AskAnnotator()),
        ({"wrong_when": {"ask_annotator": {}}}, AskAnnotator()),
        ({**ANSWER_IS_A_SPAN, "wrong_when": TOKEN_F1}, TokenF1(0.4, is_span=True)),
        ({**ANSWER_IS_A_TEXT, "wrong_when": TOKEN_F1}, TokenF1(0.4, is_span=False)),
    ],
)
def test_the_rule_for_wrong_answers(configuration: dict[str, object], expected: object) -> None:
    majority = {**configuration, "validation": {"gold": "majority"}}
    assert counting_rule(majority).wrong_when == expected
    assert counting_rule(majority) == counting_rule(majority)
    assert counting_rule(configuration).wrong_when == ExactMatch()


def test_an_unknown_rule_matters_under_majority_only() -> None:
    unknown = {"wrong_when": {"vibes": {}}}
    assert counting_rule(unknown).gold is GoldPolicy.AUTHOR_CONFIRMED
    with pytest.raises(UnknownWrongWhen, match="vibes"):
        counting_rule({**unknown, "validation": {"gold": "majority"}})


@pytest.mark.parametrize(
    ("block", "named"),
    [
        ({"exact_match": {}, "token_f1": {}}, "exactly one"),
        ({"token_f1": {"field": "answer"}}, "below"),
        ({"token_f1": {"field": "answer", "below": 40}}, "below"),
        ({"token_f1": {"field": "reply", "below": 0.4}}, "'reply'"),
        ({"token_f1": {"field": "label", "below": 0.4}}, "'label'"),
        ("vibes", "vibes"),
    ],
)
def test_unusable_rules_are_named(block: object, named: str) -> None:
    with pytest.raises(UnknownWrongWhen, match=named):
        read_wrong_when(block, {"answer": "span", "label": "multiclass"})  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong_when", [7, ["exact_match"]])
def test_a_rule_that_is_neither_name_nor_block_is_refused(wrong_when: object) -> None:
    with pytest.raises(UnusableConfiguration, match="wrong_when"):
        counting_rule({"wrong_when": wrong_when, "validation": {"gold": "majority"}})
