"""Records of collections: what may stand in one, what verdict it has, and what is kept of the people in it."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import yaml
from annotation.domain.identifiers import NOBODY
from annotation.domain.provenance import Pseudonyms
from annotation.domain.record import ExampleRecord, RecordReader
from annotation.domain.verdict import MissingAnswer, TargetAnswer
from dynabench_tasks.configuration.published import read_published
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.fields import InputRefused
from dynabench_tasks.votes import VoteKind

NOW = datetime(2026, 11, 22, tzinfo=UTC)

PLAIN = (Path(__file__).parents[1] / "sentiment.yaml").read_text()
KEY = b"k" * 32
PASSAGE = "The mill at Orsa burned down."


def configuration(**changes: Any) -> TaskConfiguration:
    return read_published({**yaml.safe_load(PLAIN), **changes})


def reader(targets: tuple[str, ...] = ("alpha", "beta"), key: bytes = KEY, **changes: Any) -> RecordReader:
    return RecordReader(configuration(**changes), targets, Pseudonyms(key), NOW)


def record(**changes: Any) -> dict[str, Any]:
    """A record with changed keys; ... removes one."""
    made = {"id": "r1", "context": {"prompt": "A prompt."}, "input": {"text": "What a queue."}, **changes}
    return {key: value for key, value in made.items() if value is not ...}


def read(
    document: object, targets: tuple[str, ...] = ("alpha", "beta"), task: dict[str, Any] | None = None
) -> ExampleRecord:
    return reader(targets, **(task or {})).read(document)


def refusal(document: object, **more: Any) -> tuple[str, str]:
    with pytest.raises(InputRefused) as caught:
        read(document, **more)
    assert caught.value.remedy
    return caught.value.field, caught.value.reason


def claimed(name: str, type_name: str, **more: Any) -> dict[str, Any]:
    field = {"name": name, "type": type_name, "label": name, **more}
    return {
        "context": [{"name": "prompt", "type": "string"}],
        "input": [{"name": "text", "type": "string"}, field],
        "output": [field],
        "validation": {},
        "conditions": [{"name": "default"}],
    }


TOPICS = {
    **claimed("topics", "multilabel", labels=["art", "money", "sport"]),
    "wrong_when": {"exact_match": {"fields": ["topics"]}},
}
SPANS = {
    **claimed("answer", "span", of="prompt"),
    "wrong_when": {"token_f1": {"field": "answer", "below": 0.4}},
}
FREE = {**claimed("answer", "string"), "wrong_when": "ask_annotator"}


def test_a_record_of_the_least_says_what_is_not_known() -> None:
    found = read(record())

    assert (found.context, found.input) == ({"prompt": "A prompt."}, {"text": "What a queue."})
    assert (found.author_id, found.claimed, found.verdict) == (NOBODY, None, "unknown")
    assert (found.cohort, found.condition, found.tags) == ("imported", "default", ())
    assert (found.answers, found.votes) == ((), ())
    assert found.provenance.source_id == "r1"


def test_a_record_of_the_most_is_read_whole() -> None:
    document = record(
        label="negative",
        author="Ann",
        cohort="crowd",
        condition="prompt",
        tags=["a", "b", "a"],
        targets={"beta": {"value": "negative", "probabilities": {"negative": 0.75, "neutral": 0.25}}},
        votes=[{"label": "negative", "voter": "Bob", "at": "2020-02-29T10:00:00.5+02:00"}],
        explanations={"label": "So it is.", "model": None},
    )

    found = read(document)

    assert (found.cohort, found.condition, found.tags) == ("crowd", "prompt", ("a", "b"))
    missing, given = found.answers
    assert missing == MissingAnswer("alpha", "not in the record")
    assert isinstance(given, TargetAnswer)
    assert (given.target, given.value, given.confidence, given.wrong) == ("beta", "negative", 0.75, False)
    assert (given.model_digest, given.handler_digest, given.milliseconds) == ("", "", 0.0)
    assert found.votes[0].cast_at == datetime(2020, 2, 29, 8, 0, 0, 500_000, tzinfo=UTC)
    assert (found.explanations.label, found.explanations.model) == ("So it is.", "")


NULLS = dict.fromkeys(["label", "author", "cohort", "condition", "tags", "targets", "votes", "explanations"])


def test_null_stands_for_what_is_left_out() -> None:
    whole, bare = read(record(**NULLS)), read(record())
    assert {**vars(whole), "provenance": None} == {**vars(bare), "provenance": None}


@pytest.mark.parametrize(
    ("changes", "field", "reason"),
    [
        # Keys and the kinds of what stands under them.
        ({"id": ...}, "id", "is missing"),
        ({"id": 7}, "id", "is not text"),
        ({"id": " "}, "id", "is blank"),
        ({"id": "x" * 201}, "id", "has 201 characters; at most 200 are allowed"),
        ({"context": ...}, "context", "is missing"),
        ({"context": []}, "context", "is not a JSON object"),
        ({"context": {}}, "context.prompt", "is missing"),
        ({"context": {"prompt": "P", "tone": "x"}}, "context.tone", "is not a field of this task"),
        ({"input": ...}, "input", "is missing"),
        ({"input": {}}, "input.text", "is missing"),
        ({"input": {"text": ""}}, "input.text", "is blank"),
        ({"input": {"text": "\ud800"}}, "input.text", None),
        ({"input": {"text": "a", "label": "positive"}}, "input.label", "is what the author claims"),
        ({"input": {"text": "a", "other": "b"}}, "input.other", "is not a field of this task"),
        ({"gold": "positive"}, "gold", "is not a key that is known here"),
        ({"label": "glad"}, "label", "is 'glad', no label of this task"),
        ({"label": ["positive"]}, "label", "is not text, no label of this task"),
        ({"author": 3}, "author", "is not text"),
        ({"author": ""}, "author", "is blank"),
        ({"cohort": "bots"}, "cohort", "is not known"),
        ({"condition": "x" * 41}, "condition", None),
        ({"tags": "a"}, "tags", "is not a list of texts"),
        ({"tags": [1]}, "tags", "is not a list of texts"),
        ({"tags": ["a"] * 21}, "tags", "has 21 entries"),
        ({"explanations": "because"}, "explanations", "is not a JSON object"),
        ({"explanations": {"why": "x"}}, "explanations.why", "is not a key that is known here"),
        ({"explanations": {"model": 3}}, "explanations.model", "is not text"),
        ({"explanations": {"label": "x" * 1001}}, "explanations.label", None),
        # Targets.
        ({"targets": ["positive"]}, "targets", "is not a JSON object"),
        ({"targets": {"gamma": "positive"}}, "targets.gamma", "is no target of this round"),
        ({"targets": {"alpha": "glad"}}, "targets.alpha", "is 'glad', no label of this task"),
        (
            {"targets": {"alpha": {"value": "glad"}}},
            "targets.alpha.value",
            "is 'glad', no label of this task",
        ),
        ({"targets": {"alpha": {"value": "positive", "p": 1}}}, "targets.alpha.p", None),
        (
            {"targets": {"alpha": {"value": "positive", "probabilities": {"positive": 2}}}},
            "targets.alpha.probabilities",
            "is no mapping of labels to shares",
        ),
        (
            {"targets": {"alpha": {"value": "positive", "probabilities": {"glad": 0.5}}}},
            "targets.alpha.probabilities.glad",
            "is no label of this task",
        ),
        # Votes.
        ({"votes": "positive"}, "votes", "is not a list"),
        ({"votes": [{"label": "positive"}] * 101}, "votes", "has 101 entries"),
        ({"votes": ["positive"]}, "votes[0]", "is not a JSON object"),
        ({"votes": [{"voter": "Bob"}]}, "votes[0].label", "is missing"),
        ({"votes": [{"label": "mixed"}]}, "votes[0].label", "is 'mixed', no label of this task"),
        ({"votes": [{"label": "positive", "who": "Bob"}]}, "votes[0].who", "is not a key that is known here"),
        ({"votes": [{"label": "positive", "voter": ""}]}, "votes[0].voter", "is blank"),
        (
            {"author": "Ann", "votes": [{"label": "positive", "voter": "Ann"}]},
            "votes[0].voter",
            "is the author",
        ),
        (
            {"votes": [{"label": "positive", "voter": "Bob"}, {"label": "neutral", "voter": "Bob"}]},
            "votes[1].voter",
            "is the voter of votes[0] again",
        ),
        (
            {"votes": [{"label": "positive", "reason": "odd"}]},
            "votes[0].reason",
            "stands beside a vote that is no flag",
        ),
        ({"votes": [{"label": "flag", "reason": "x" * 501}]}, "votes[0].reason", None),
        *[
            ({"votes": [{"label": "positive", "at": at}]}, "votes[0].at", None)
            for at in (
                5,
                "yesterday",
                "0001-01-01T00:00:00Z",
                "1970-01-01T00:00:00Z",
                "2026-11-23T00:00:01Z",
                "2999-01-01T00:00:00Z",
                "2020-01-01",
                "2020-01-01T10:00:00",
                "2020-02-30T10:00:00Z",
                "20200101T100000Z",
                "0001-01-01T00:00:00+14:00",
                "2020-01-01T10:00:00Z\n",
            )
        ],
    ],
)
def test_what_cant_be_used_is_refused_by_field_reason_and_remedy(
    changes: dict[str, Any], field: str, reason: str | None
) -> None:
    found = refusal(record(**changes))
    assert found[0] == field
    assert reason is None or found[1] == reason


@pytest.mark.parametrize("document", [None, 3, "text", [], [record()]])
def test_a_line_that_is_no_object_is_no_record(document: object) -> None:
    assert refusal(document) == ("line", "is not a JSON object")


@pytest.mark.parametrize(
    ("label", "answers", "ensemble", "verdict"),
    [
        # Nothing is claimed: nothing is known, whatever the targets say.
        (None, {}, "any", "unknown"),
        (None, {"alpha": "positive"}, "any", "unknown"),
        # Nobody answered: outside every rate.
        ("negative", {}, "any", "undecided"),
        # The task's rule over the answers.
        ("negative", {"alpha": "positive", "beta": "negative"}, "any", "fooled"),
        ("negative", {"alpha": "positive", "beta": "negative"}, "all", "not_fooled"),
        ("negative", {"alpha": "positive", "beta": "positive"}, "all", "fooled"),
        ("negative", {"alpha": "negative", "beta": "negative"}, "any", "not_fooled"),
        # A missing answer that could change it leaves it open, one that can't does not.
        ("negative", {"alpha": "negative"}, "any", "undecided"),
        ("negative", {"alpha": "positive"}, "any", "fooled"),
        ("negative", {"alpha": "negative", "beta": None}, "all", "not_fooled"),
    ],
)
def test_the_verdict_follows_the_tasks_rule(
    label: str | None, answers: dict[str, Any], ensemble: str, verdict: str
) -> None:
    document = record(label=label, targets=answers)
    assert read(document, task={"ensemble": ensemble}).verdict == verdict


@pytest.mark.parametrize(
    ("task", "label", "answer", "verdict", "stored"),
    [
        (TOPICS, ["sport", "art"], ["art", "sport"], "not_fooled", ["art", "sport"]),
        (TOPICS, ["sport"], [], "fooled", []),
        (TOPICS, ["sport"], {"value": []}, "fooled", []),
        (FREE, "A mill.", "", "undecided", ""),
        (
            SPANS,
            {"start": 4, "end": 8, "text": "mill"},
            {"start": 12, "end": 16, "text": "Orsa"},
            "fooled",
            {"start": 12, "end": 16, "text": "Orsa"},
        ),
        (
            SPANS,
            {"start": 4, "end": 8, "text": "mill"},
            {"value": {"start": 0, "end": 8, "text": "The mill"}},
            "not_fooled",
            {"start": 0, "end": 8, "text": "The mill"},
        ),
    ],
)
def test_claims_and_answers_may_be_of_every_type(
    task: dict[str, Any], label: object, answer: object, verdict: str, stored: object
) -> None:
    found = read(
        record(context={"prompt": PASSAGE}, label=label, targets={"alpha": answer}),
        targets=("alpha",),
        task=task,
    )
    [given] = found.answers
    assert isinstance(given, TargetAnswer)
    assert (found.verdict, given.value) == (verdict, stored)


JUDGED = {"validation": {"vote": "judgement"}}
WIDER = {"validation": {"options": ["negative", "neutral", "positive", "mixed"]}}
FLAG_IS_A_LABEL = {
    **claimed("label", "multiclass", labels=["flag", "unsure"]),
    "wrong_when": {"exact_match": {"fields": ["label"]}},
}


@pytest.mark.parametrize(
    ("task", "label", "kind", "option"),
    [
        ({}, "positive", VoteKind.LABEL, "positive"),
        ({}, "flag", VoteKind.FLAG, ""),
        ({}, "unsure", VoteKind.UNSURE, ""),
        (WIDER, "mixed", VoteKind.LABEL, "mixed"),
        (JUDGED, "correct", VoteKind.JUDGEMENT, "correct"),
        (JUDGED, "flag", VoteKind.FLAG, ""),
        (TOPICS, ["sport", "art"], VoteKind.LABEL, '["art","sport"]'),
        (TOPICS, "unsure", VoteKind.UNSURE, ""),
        (
            SPANS,
            {"text": "mill", "start": 4, "end": 8},
            VoteKind.LABEL,
            '{"end":8,"start":4,"text":"mill"}',
        ),
        (FLAG_IS_A_LABEL, "flag", VoteKind.LABEL, "flag"),
    ],
)
def test_a_vote_is_an_option_of_the_task_or_a_flag_or_unsure(
    task: dict[str, Any], label: object, kind: VoteKind, option: str
) -> None:
    [vote] = read(record(context={"prompt": PASSAGE}, votes=[{"label": label}]), task=task).votes
    assert (vote.kind, vote.option, vote.voter_id, vote.cast_at) == (kind, option, None, None)


@pytest.mark.parametrize(
    ("task", "label"),
    [
        (JUDGED, "positive"),
        ({}, "correct"),
        (TOPICS, "art"),
        (TOPICS, []),
        (SPANS, {"start": 4, "end": 8, "text": "Orsa"}),
        (SPANS, "mill"),
    ],
)
def test_a_vote_that_the_task_does_not_ask_for_is_refused(task: dict[str, Any], label: object) -> None:
    document = record(context={"prompt": PASSAGE}, votes=[{"label": label}])
    assert refusal(document, task=task)[0].startswith("votes[0].label")


def test_names_leave_only_pseudonyms() -> None:
    document = record(
        author="Ann Author",
        votes=[{"label": "positive", "voter": "Bob"}, {"label": "neutral", "voter": "Cy"}],
    )

    one, same, other = reader().read(document), reader().read(document), reader(key=b"o" * 32).read(document)

    people = [one.author_id, *(vote.voter_id for vote in one.votes)]
    assert len(set(people)) == 3
    assert all(isinstance(person, UUID) and person != NOBODY for person in people)
    assert one == same
    assert {other.author_id, *(vote.voter_id for vote in other.votes)}.isdisjoint(people)
    assert other.provenance.digest != one.provenance.digest
    assert not any(name in repr(one) for name in ("Ann", "Bob", "Cy"))


def test_a_person_is_the_same_as_author_and_as_voter() -> None:
    wrote = read(record(author="Ann"))
    voted = read(record(votes=[{"label": "positive", "voter": "Ann"}]))
    assert wrote.author_id == voted.votes[0].voter_id


def test_the_digest_tells_content_and_not_order() -> None:
    document = record(label="positive", author="Ann")
    again = json.loads(json.dumps(dict(reversed(document.items()))))
    assert read(again).provenance == read(document).provenance
    assert read({**document, "author": "Bob"}).provenance != read(document).provenance


def test_a_line_of_text_to_harvest_needs_less_and_takes_less() -> None:
    optional = {
        **claimed("label", "multiclass", labels=["negative", "neutral", "positive"]),
        "context": [{"name": "prompt", "type": "string", "optional": True}],
    }
    found = reader(**optional).read_harvest({"id": "t1", "input": {"text": "So."}, "label": "neutral"})
    assert (found.context, found.claimed, found.answers) == ({"prompt": ""}, "neutral", ())
    with pytest.raises(InputRefused, match="votes is not a key"):
        reader(**optional).read_harvest({"id": "t1", "input": {"text": "So."}, "votes": []})
