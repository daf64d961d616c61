"""Reading the validation part of a task's configuration."""

from typing import Any

import pytest
from dynabench_tasks.configuration.problems import ConfigurationError
from dynabench_tasks.resolution import Adaptive, Fixed
from dynabench_tasks.vote_question import VoteMode
from dynabench_tasks.votes import VoteAnswer, VoteKind
from validation.domain.rules import read_rules
from validation.domain.selection import Validate

LABELS = ["negative", "neutral", "positive"]


LABEL = {"name": "label", "type": "multiclass", "labels": LABELS}
ANSWER = {"name": "answer", "type": "span", "of": "passage"}
TEXT = {"name": "text", "type": "string"}
PASSAGE = {"name": "passage", "type": "string"}


def configuration(claimed: dict[str, Any] = LABEL, **block: Any) -> dict[str, Any]:
    return {"context": [PASSAGE], "input": [TEXT, claimed], "output": [claimed], "validation": block}


def test_what_is_left_out_has_a_default() -> None:
    rules = read_rules(configuration())
    assert rules.mode is VoteMode.LABEL
    assert rules.question.options == tuple(LABELS)
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
    assert rules.question.options == (*LABELS, "mixed")
    assert rules.policy == Fixed(votes=5, agree=3)
    assert (rules.selection.validate, rules.selection.margin_below) == (Validate.UNCERTAIN, 0.2)
    assert (rules.selection.sample, rules.lease_seconds) == (0.1, 60)


def test_judgements_have_two_options_whatever_the_labels() -> None:
    rules = read_rules(configuration(vote="judgement", options=LABELS))
    assert rules.question.options == ("correct", "incorrect")


def test_only_a_task_label_can_be_gold() -> None:
    rules = read_rules(configuration(options=[*LABELS, "mixed"]))
    assert rules.golds([VoteAnswer(VoteKind.LABEL, "neutral")]) == ("neutral",)
    assert rules.golds([VoteAnswer(VoteKind.LABEL, "mixed")]) == ()
    assert rules.golds([VoteAnswer(VoteKind.FLAG)]) == ()
    assert rules.golds([]) == ()


def test_a_set_with_an_option_that_is_no_task_label_is_no_gold() -> None:
    labels = {**LABEL, "type": "multilabel"}
    rules = read_rules(configuration(labels, options=[*LABELS, "mixed"]))
    assert rules.golds([VoteAnswer(VoteKind.LABEL, '["neutral","positive"]')]) == ('["neutral","positive"]',)
    assert rules.golds([VoteAnswer(VoteKind.LABEL, '["mixed","neutral"]')]) == ()


@pytest.mark.parametrize(
    ("claimed", "block", "answer_type", "span_of"),
    [
        (LABEL, {}, "multiclass", None),
        ({**LABEL, "type": "multilabel"}, {}, "multilabel", None),
        (ANSWER, {}, "span", "passage"),
        (ANSWER, {"vote": "judgement"}, "judgement", None),
        ({"name": "reply", "type": "string"}, {"vote": "judgement"}, "judgement", None),
    ],
)
def test_the_claim_says_what_people_answer(
    claimed: dict[str, Any], block: dict[str, Any], answer_type: str, span_of: str | None
) -> None:
    rules = read_rules(configuration(claimed, **block))
    assert (rules.question.name, rules.question.marked_text) == (answer_type, span_of)
    assert rules.claimed.type_name == claimed["type"]


def test_fields_stand_in_the_order_of_the_configuration() -> None:
    title = {"name": "title", "type": "string"}
    rules = read_rules({**configuration(), "input": [title, TEXT, LABEL]})
    given = {"z": "unknown", "text": "b", "title": "a"}
    assert list(rules.values(given).items()) == [("title", "a"), ("text", "b"), ("z", "unknown")]


def test_fields_are_read_by_their_types() -> None:
    rules = read_rules({**configuration(), "context": [{"name": "image", "type": "image"}, PASSAGE]})
    texts = {"image": '{"alt":"a cat","image_id":"0"}', "passage": '{"not": "JSON to us"}'}
    assert rules.values(texts) == {
        "image": {"alt": "a cat", "image_id": "0"},
        "passage": '{"not": "JSON to us"}',
    }
    assert rules.claim("neutral") == "neutral"
    assert rules.claim("") is None


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
        {**configuration(), "output": [TEXT | {"name": "other"}]},
        configuration({"name": "reply", "type": "string"}, vote="label"),
        {**configuration(), "metadata": {"validate": [{"name": "mood", "type": "vibes"}]}},
        {**configuration(), "metadata": {"validate": [{"type": "string"}]}},
        {"output": 3, "validation": {}},
        {"output": [], "validation": []},
        {},
    ],
)
def test_unusable_rules_are_refused(unusable: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        read_rules(unusable)
