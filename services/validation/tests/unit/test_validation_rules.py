"""Reading the validation part of a task's configuration."""

from typing import Any

import pytest
from validation.domain.resolution import Adaptive, Answer, Fixed, VoteKind
from validation.domain.rules import UnusableConfiguration, VoteMode, read_rules
from validation.domain.selection import Validate

LABELS = ["negative", "neutral", "positive"]


def configuration(**block: Any) -> dict[str, Any]:
    return {
        "output": [{"name": "label", "type": "multiclass", "labels": LABELS}],
        "validation": block,
    }


def test_what_is_left_out_has_a_default() -> None:
    rules = read_rules(configuration())
    assert rules.mode is VoteMode.LABEL
    assert rules.options == tuple(LABELS)
    assert rules.policy == Adaptive(agree=2, max_votes=3)
    assert rules.selection.validate is Validate.FOOLING
    assert rules.selection.sample == 0
    assert rules.lease_seconds == 300


def test_everything_said_is_read() -> None:
    rules = read_rules(
        configuration(
            vote="label",
            options=[*LABELS, "mixed"],
            policy={"fixed": {"votes": 5, "agree": 3}},
            validate={"uncertain": {"margin_below": 0.2}},
            sample=0.1,
            lease_seconds=60,
        )
    )
    assert rules.options == (*LABELS, "mixed")
    assert rules.policy == Fixed(votes=5, agree=3)
    assert (rules.selection.validate, rules.selection.margin_below) == (Validate.UNCERTAIN, 0.2)
    assert (rules.selection.sample, rules.lease_seconds) == (0.1, 60)


def test_judgements_have_two_options_whatever_the_labels() -> None:
    rules = read_rules(configuration(vote="judgement", options=LABELS))
    assert rules.options == ("correct", "incorrect")


def test_only_a_task_label_can_be_gold() -> None:
    rules = read_rules(configuration(options=[*LABELS, "mixed"]))
    assert rules.is_task_label(Answer(VoteKind.LABEL, "neutral"))
    assert not rules.is_task_label(Answer(VoteKind.LABEL, "mixed"))
    assert not rules.is_task_label(Answer(VoteKind.FLAG))
    assert not rules.is_task_label(None)


@pytest.mark.parametrize(
    "unusable",
    [
        configuration(policy={"adaptive": {"agree": 4, "max_votes": 3}}),
        configuration(policy={"adaptive": {"agree": 0, "max_votes": 3}}),
        configuration(policy={"fixed": {"votes": 5}}),
        configuration(policy={"vibes": {}}),
        configuration(vote="applause"),
        configuration(validate="some"),
        configuration(validate={"uncertain": {}}),
        configuration(options=["negative"]),
        configuration(options=["negative", "negative"]),
        {"output": 3, "validation": {}},
        {"output": [], "validation": []},
        {},
    ],
)
def test_unusable_rules_are_refused(unusable: dict[str, Any]) -> None:
    with pytest.raises(UnusableConfiguration):
        read_rules(unusable)
