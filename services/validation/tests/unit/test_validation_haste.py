"""Votes that are faster than anybody reads."""

from datetime import UTC, datetime, timedelta
from typing import Any

from dynabench_common.identifiers import new_id
from dynabench_tasks.votes import VoteKind
from validation.domain.ballots import Ballot
from validation.domain.example_validation import ExampleValidation
from validation.domain.identifiers import ExampleId, LeaseId, PersonId, RoundId, VoteId
from validation.domain.queue import Lease
from validation.domain.rules import read_rules
from validation.domain.votes import Vote

NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
LABEL = {"name": "label", "type": "multiclass", "labels": ["negative", "neutral", "positive"]}
FIELDS = {"context": [{"name": "passage", "type": "string"}], "input": [LABEL], "output": [LABEL]}
SENTENCE = "A day at the sea, which I will remember for the sand in my eyes."
"""64 characters."""


def example(**validation: Any) -> ExampleValidation:
    return ExampleValidation(
        example_id=ExampleId(new_id()),
        round_id=RoundId(new_id()),
        author_id=PersonId(new_id()),
        claimed="negative",
        rules=read_rules({**FIELDS, "validation": validation}),
        texts={"passage": SENTENCE},
    )


def ballot(label: str) -> Ballot:
    return Ballot(VoteKind.UNSURE) if label == "unsure" else Ballot(VoteKind.LABEL, label)


def change(on: ExampleValidation, vote: Vote, at: datetime) -> Vote:
    return on.change(vote.vote_id, VoteId(new_id()), ballot("positive"), vote.voter_id, 0, at)


def read_by(seconds: float, subject: ExampleValidation, label: str = "negative") -> Vote:
    """Let somebody answer so many seconds after they got the example."""
    granted = NOW - timedelta(seconds=seconds)
    end = granted + timedelta(minutes=5)
    held = Lease(LeaseId(new_id()), subject.example_id, PersonId(new_id()), granted, end)
    return subject.cast(VoteId(new_id()), ballot(label), held, 0, NOW)


def test_a_vote_that_is_faster_than_anybody_reads_is_evidence_and_leaves_its_slot() -> None:
    subject = example(reading_speed=64)
    slow, fast = read_by(1, subject), read_by(0.9, subject)
    assert (fast.counted, fast.is_evidence, subject.is_too_fast(fast)) == (False, True, True)
    assert (slow.counted, subject.is_too_fast(slow)) == (True, False)
    assert (subject.votes_counted, subject.certain_slots) == (1, 1)
    assert subject.outcome is None
    assert not subject.undo(fast.vote_id, fast.voter_id, 0, NOW)
    assert read_by(0.1, subject, "unsure").answer.kind is VoteKind.UNSURE


def test_a_vote_is_no_slower_for_an_unsure_before_it() -> None:
    subject = example(reading_speed=64)
    at_once, later = (read_by(0.1, subject, "unsure") for _ in range(2))
    assert not change(subject, at_once, NOW + timedelta(seconds=0.5)).counted
    assert change(subject, later, NOW + timedelta(seconds=0.9)).counted


def test_where_the_task_does_not_ask_every_vote_counts() -> None:
    subject = example()
    assert read_by(0, subject).counted
