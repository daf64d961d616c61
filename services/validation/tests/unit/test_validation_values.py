"""What validators may send as values, for the vote and beside it."""

from typing import Any

import pytest
from dynabench_tasks.votes import Answer, VoteKind
from validation.domain.answer_types import AnswerType
from validation.domain.answer_types.multiclass import Multiclass
from validation.domain.answer_types.multilabel import Multilabel
from validation.domain.answer_types.span import Span
from validation.domain.ballots import Ballot
from validation.domain.errors import ValueRefused
from validation.domain.rules import ValidationRules, read_rules

OPTIONS = ("culture", "health", "sport")
ONE = Multiclass(OPTIONS, frozenset(OPTIONS))
SEVERAL = Multilabel(OPTIONS, frozenset(OPTIONS))
MARKED = Span("passage")
PASSAGE = "Ça va? 🙂 The sea e\u0301t\u00e9."
TEXTS = {"passage": PASSAGE}


def marked(start: Any, end: Any, text: Any) -> dict[str, Any]:
    return {"start": start, "end": end, "text": text}


@pytest.mark.parametrize(
    ("answer_type", "given", "option"),
    [
        (ONE, "sport", "sport"),
        # The order of a set never matters.
        (SEVERAL, ["sport", "culture"], '["culture","sport"]'),
        (SEVERAL, ["culture", "sport"], '["culture","sport"]'),
        (SEVERAL, ["health"], '["health"]'),
        # Offsets count code points: an emoji is one, a letter and its combining accent are two.
        (MARKED, marked(7, 8, "🙂"), '{"end":8,"start":7,"text":"🙂"}'),
        (MARKED, marked(9, 16, "The sea"), '{"end":16,"start":9,"text":"The sea"}'),
        (MARKED, marked(17, 21, "e\u0301t\u00e9"), '{"end":21,"start":17,"text":"e\u0301t\u00e9"}'),
    ],
)
def test_usable_answers(answer_type: AnswerType, given: Any, option: str) -> None:
    assert answer_type.read(given, TEXTS) == option


@pytest.mark.parametrize(
    ("answer_type", "given", "reason", "remedy"),
    [
        (ONE, None, "No option was chosen", "culture, health, sport"),
        (ONE, "Sport", "'Sport' is none of the options", "culture, health, sport"),
        (ONE, ["sport"], "is none of the options", "Choose one of"),
        (ONE, "x" * 9_999, "…", "Choose one of"),
        (SEVERAL, "sport", "no list", "list"),
        (SEVERAL, [], "No option was chosen", "at least one"),
        (SEVERAL, ["sport", "weather"], "'weather' is none", "Choose one of"),
        (SEVERAL, ["sport", "sport"], "chosen twice", "once"),
        (SEVERAL, [["sport"]], "none of the options", "Choose one of"),
        (MARKED, None, "Nothing was marked", "passage"),
        (MARKED, "The sea", "no span", "start and end"),
        (MARKED, {"start": 9, "end": 16}, "no span", "start and end"),
        (MARKED, {**marked(9, 16, "The sea"), "of": "x"}, "no span", "start and end"),
        (MARKED, marked(9.0, 16, "The sea"), "whole numbers", "code points"),
        (MARKED, marked(True, 2, "a"), "whole numbers", "code points"),
        (MARKED, marked(9, 16, 7), "whole numbers, and text", "code points"),
        (MARKED, marked(9, 9, ""), "9 to 9 is no part of passage, which has 22", "code points"),
        (MARKED, marked(-1, 3, "Ça"), "no part of passage", "code points"),
        (MARKED, marked(9, 99, "The sea"), "no part of passage", "code points"),
        # UTF-16 offsets are one off behind an emoji.
        (MARKED, marked(10, 17, "The sea"), "disagree: passage has 'he sea ' there", "code points"),
        (MARKED, marked(8, 9, " "), "white space", "passage"),
    ],
)
def test_unusable_answers_say_why_and_what_to_do(
    answer_type: AnswerType, given: Any, reason: str, remedy: str
) -> None:
    with pytest.raises(ValueRefused) as refused:
        answer_type.read(given, TEXTS)
    assert refused.value.field == "value"
    assert reason in refused.value.reason
    assert remedy in refused.value.remedy
    assert len(refused.value.reason) < 250


METADATA = [
    {"name": "certainty", "type": "multiclass", "labels": ["low", "high"]},
    {
        "name": "groups",
        "type": "multilabel",
        "labels": ["age", "faith"],
        "when": {"vote": ["hateful"], "from_round": 2},
    },
    {
        "name": "evidence",
        "type": "span",
        "of": "text",
        "optional": True,
        "when": {"vote": ["hateful", "flag"]},
    },
    {"name": "note", "type": "string", "max_length": 10, "optional": True},
]


def rules(claimed_type: str = "multiclass") -> ValidationRules:
    label = {"name": "label", "type": claimed_type, "labels": ["hateful", "not-hateful"]}
    text = {"name": "text", "type": "string"}
    return read_rules({"input": [text, label], "output": [label], "metadata": {"validate": METADATA}})


HATEFUL, HARMLESS = Answer(VoteKind.LABEL, "hateful"), Answer(VoteKind.LABEL, "not-hateful")
FLAG, UNSURE = Answer(VoteKind.FLAG), Answer(VoteKind.UNSURE)


def said(answer: Answer, round_number: int, claimed_type: str = "multiclass", **given: Any) -> dict[str, str]:
    ballot = Ballot(answer.kind, metadata=given)
    return ballot.said_beside(rules(claimed_type), answer, round_number, {"text": "Go away, you."})


@pytest.mark.parametrize(
    ("answer", "round_number", "given", "expected"),
    [
        # In the first round only what no round is named for is asked.
        (HATEFUL, 1, {"certainty": "high"}, {"certainty": "high"}),
        # From the second on a vote for `hateful` needs the groups.
        (
            HATEFUL,
            2,
            {"groups": ["faith", "age"], "certainty": "low"},
            {"certainty": "low", "groups": '["age","faith"]'},
        ),
        (HARMLESS, 2, {"certainty": "low", "note": ""}, {"certainty": "low"}),
        # A flag is an option like another.
        (
            FLAG,
            3,
            {"certainty": "low", "evidence": {"start": 0, "end": 2, "text": "Go"}},
            {"certainty": "low", "evidence": '{"end":2,"start":0,"text":"Go"}'},
        ),
        # Who is unsure need not say anything, and may.
        (UNSURE, 2, {}, {}),
        (UNSURE, 2, {"note": "no idea"}, {"note": "no idea"}),
    ],
)
def test_metadata_beside_a_vote(
    answer: Answer, round_number: int, given: dict[str, Any], expected: dict[str, str]
) -> None:
    assert said(answer, round_number, **given) == expected


def test_a_set_of_labels_meets_a_condition_with_any_of_them() -> None:
    both = Answer(VoteKind.LABEL, '["hateful","not-hateful"]')
    with pytest.raises(ValueRefused, match="groups"):
        said(both, 2, "multilabel", certainty="low")


@pytest.mark.parametrize(
    ("answer", "round_number", "given", "field", "remedy"),
    [
        (HATEFUL, 1, {}, "metadata.certainty", "Send certainty."),
        (HATEFUL, 2, {"certainty": "low"}, "metadata.groups", "Send groups."),
        (HATEFUL, 2, {"certainty": "low", "groups": []}, "metadata.groups", "Send groups."),
        (HATEFUL, 1, {"certainty": "middling"}, "metadata.certainty", "low, high"),
        (HATEFUL, 1, {"certainty": "low", "groups": ["age"]}, "metadata.groups", "Leave it out."),
        (HARMLESS, 2, {"certainty": "low", "groups": ["age"]}, "metadata.groups", "Leave it out."),
        (HARMLESS, 1, {"certanty": "low"}, "metadata.certanty", "Did you mean 'certainty'"),
        (HARMLESS, 1, {"certainty": "low", "note": "x" * 11}, "metadata.note", "at most 10"),
        (HARMLESS, 1, {"certainty": "low", "note": 7}, "metadata.note", "1 to 10"),
        (
            HATEFUL,
            1,
            {"certainty": "low", "evidence": {"start": 0, "end": 2, "text": "go"}},
            "metadata.evidence",
            "code points",
        ),
    ],
)
def test_unusable_metadata_is_named(
    answer: Answer, round_number: int, given: dict[str, Any], field: str, remedy: str
) -> None:
    with pytest.raises(ValueRefused) as refused:
        said(answer, round_number, **given)
    assert refused.value.field == field
    assert remedy in refused.value.remedy
