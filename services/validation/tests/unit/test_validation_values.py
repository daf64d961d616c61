"""Values that validators may send, for the vote and its metadata."""

from typing import Any

import pytest
from dynabench_tasks.fields import InputRefused
from dynabench_tasks.fields.multiclass import MulticlassField
from dynabench_tasks.fields.multilabel import MultilabelField
from dynabench_tasks.fields.span import SpanField
from dynabench_tasks.vote_question import VoteQuestion, blind
from dynabench_tasks.votes import VoteAnswer, VoteKind
from validation.domain.ballots import Ballot
from validation.domain.rules import ValidationRules, read_rules

CONTEXT = [{"name": "passage", "type": "string"}]
OPTIONS = ("culture", "health", "sport")
ONE = blind(MulticlassField("topic", "topic", OPTIONS))
SEVERAL = blind(MultilabelField("topics", "topics", OPTIONS))
MARKED = blind(SpanField("answer", "answer", "passage"))
PASSAGE = "Ça va? 🙂 The sea e\u0301t\u00e9."
TEXTS = {"passage": PASSAGE}


def marked(start: Any, end: Any, text: Any) -> dict[str, Any]:
    return {"start": start, "end": end, "text": text}


@pytest.mark.parametrize(
    ("question", "given", "option"),
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
def test_usable_answers(question: VoteQuestion, given: Any, option: str) -> None:
    assert question.read(given, TEXTS, "value") == option


@pytest.mark.parametrize(
    ("question", "given", "reason", "remedy"),
    [
        (ONE, None, "missing", "culture, health, sport"),
        (ONE, "", "no label", "culture, health, sport"),
        (ONE, "Sport", "'Sport', no label", "culture, health, sport"),
        (ONE, ["sport"], "not text, no label", "Choose one of"),
        (ONE, "x" * 9_999, "no label", "Choose one of"),
        (SEVERAL, "sport", "not a list", "list"),
        (SEVERAL, [], "names no label", "at least one"),
        (SEVERAL, ["sport", "weather"], "'weather', no label", "Choose one of"),
        (SEVERAL, ["sport", "sport"], "repeats", "once"),
        (SEVERAL, [["sport"]], "no label", "Choose one of"),
        (MARKED, None, "missing", "answer"),
        (MARKED, "The sea", "not a span", "start, end and text"),
        (MARKED, {"start": 9, "end": 16}, "not a span", "start, end and text"),
        (MARKED, {**marked(9, 16, "The sea"), "of": "x"}, "not a span", "start, end and text"),
        (MARKED, marked(9.0, 16, "The sea"), "not a span", "whole numbers"),
        (MARKED, marked(True, 2, "a"), "not a span", "whole numbers"),
        (MARKED, marked(9, 16, 7), "not a span", "and a text"),
        (MARKED, marked(9, 9, ""), "from 9 to 9; passage has 22", "again"),
        (MARKED, marked(-1, 3, "Ça"), "from -1 to 3", "again"),
        (MARKED, marked(9, 99, "The sea"), "from 9 to 99", "again"),
        # UTF-16 offsets are one off behind an emoji.
        (MARKED, marked(10, 17, "The sea"), "passage has 'he sea '", "code points"),
        (MARKED, marked(8, 9, " "), "nothing that can be seen", "passage"),
    ],
)
def test_unusable_answers_say_why_and_what_to_do(
    question: VoteQuestion, given: Any, reason: str, remedy: str
) -> None:
    with pytest.raises(InputRefused) as refused:
        question.read(given, TEXTS, "value")
    assert refused.value.field.startswith("value")
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
    return read_rules(
        {
            "context": CONTEXT,
            "input": [text, label],
            "output": [label],
            "metadata": {"validate": METADATA},
        }
    )


HATEFUL, HARMLESS = VoteAnswer(VoteKind.LABEL, "hateful"), VoteAnswer(VoteKind.LABEL, "not-hateful")
FLAG, UNSURE = VoteAnswer(VoteKind.FLAG), VoteAnswer(VoteKind.UNSURE)


def said(
    answer: VoteAnswer, round_number: int, claimed_type: str = "multiclass", **given: Any
) -> dict[str, str]:
    ballot = Ballot(answer.kind, metadata=given)
    return ballot.metadata_with(rules(claimed_type), answer, round_number, {"text": "Go away, you."})


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
    answer: VoteAnswer, round_number: int, given: dict[str, Any], expected: dict[str, str]
) -> None:
    assert said(answer, round_number, **given) == expected


def test_a_set_of_labels_meets_a_condition_with_any_of_them() -> None:
    both = VoteAnswer(VoteKind.LABEL, '["hateful","not-hateful"]')
    with pytest.raises(InputRefused, match="groups"):
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
        (HARMLESS, 1, {"certainty": "low", "note": "x" * 11}, "metadata.note", "Shorten it"),
        (HARMLESS, 1, {"certainty": "low", "note": 7}, "metadata.note", "Send a text"),
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
    answer: VoteAnswer, round_number: int, given: dict[str, Any], field: str, remedy: str
) -> None:
    with pytest.raises(InputRefused) as refused:
        said(answer, round_number, **given)
    assert refused.value.field == field
    assert remedy in refused.value.remedy
