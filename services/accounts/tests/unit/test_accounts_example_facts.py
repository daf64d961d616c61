"""The notice due to an example's author, and its open work for an owner, in any order of the events."""

from datetime import UTC, datetime, timedelta
from itertools import permutations
from typing import Any
from uuid import UUID, uuid4

import pytest
from accounts.notifications.domain.example_facts import ExampleFacts
from accounts.notifications.domain.notices import NoticeKind
from dynabench_events import EventRecord, Recorded
from dynabench_events.example import ExampleRetracted
from dynabench_events.validation import (
    ExampleAppealed,
    ExampleResolved,
    ResolutionWithdrawn,
    VotesWithdrawn,
    WithdrawalCause,
)
from dynabench_tasks.resolution import Resolution

NOON = datetime(2026, 11, 4, 12, tzinfo=UTC)
EXAMPLE, ROUND, AUTHOR, OWNER = (uuid4() for _ in range(4))


def at(version: int) -> datetime:
    return NOON + timedelta(minutes=version)


def recorded(version: int, record: EventRecord) -> Recorded[Any]:
    return Recorded(uuid4(), EXAMPLE, version, at(version), record)


def resolved(version: int, resolution: str, owner_id: UUID | None = None) -> Recorded[Any]:
    record = ExampleResolved(
        example_id=EXAMPLE,
        round_id=ROUND,
        resolution=Resolution(resolution),
        agreed_option="",
        agreed_is_task_label=False,
        votes_counted=2,
        golds=(),
        resolved_at=at(version),
        adjudicated_by=owner_id,
    )
    return recorded(version, record)


def withdrawn(version: int) -> Recorded[Any]:
    return recorded(
        version, ResolutionWithdrawn(example_id=EXAMPLE, round_id=ROUND, withdrawn_at=at(version))
    )


def appealed(version: int) -> Recorded[Any]:
    return recorded(version, ExampleAppealed(example_id=EXAMPLE, round_id=ROUND, appealed_at=at(version)))


def requeued(version: int, cause: WithdrawalCause = WithdrawalCause.REQUEUED) -> Recorded[Any]:
    record = VotesWithdrawn(
        example_id=EXAMPLE, round_id=ROUND, vote_ids=(uuid4(),), cause=cause, withdrawn_at=at(version)
    )
    return recorded(version, record)


CASES: dict[str, tuple[list[Recorded[Any]], tuple[str, str] | None, str | None]] = {
    "votes are out": ([], None, None),
    "voted correct": ([resolved(3, "correct")], ("example_resolved", "correct"), None),
    "voted, no agreement": ([resolved(3, "disputed")], ("example_resolved", "disputed"), "disputed"),
    "flagged": ([resolved(3, "flagged")], ("example_resolved", "flagged"), "flagged"),
    "taken back": ([resolved(3, "correct"), withdrawn(5)], None, None),
    "resolved again": (
        [resolved(3, "correct"), withdrawn(5), resolved(7, "incorrect")],
        ("example_resolved", "incorrect"),
        None,
    ),
    "the owner decided": (
        [resolved(3, "disputed"), resolved(4, "correct", OWNER)],
        ("example_decided", "correct"),
        None,
    ),
    "appealed": ([resolved(3, "incorrect"), appealed(4)], ("example_resolved", "incorrect"), "appealed"),
    "the appeal is answered": (
        [resolved(3, "incorrect"), appealed(4), resolved(5, "correct", OWNER)],
        ("appeal_answered", "correct"),
        None,
    ),
    "an appeal against the owner is open": (
        [resolved(3, "incorrect", OWNER), appealed(4)],
        ("example_decided", "incorrect"),
        "appealed",
    ),
    "the answer is reversed": (
        [resolved(3, "incorrect"), appealed(4), resolved(5, "correct", OWNER), resolved(6, "incorrect")],
        ("example_resolved", "incorrect"),
        "appealed",
    ),
    "people are asked anew after an appeal": (
        [resolved(3, "incorrect"), appealed(4), requeued(5), withdrawn(6)],
        ("appeal_answered", "asked_anew"),
        None,
    ),
    "a voter takes a vote back after an appeal": (
        [resolved(3, "incorrect"), appealed(4), requeued(5, WithdrawalCause.UNDONE), withdrawn(6)],
        None,
        "appealed",
    ),
    "asked anew without an appeal": ([resolved(3, "incorrect"), requeued(4), withdrawn(5)], None, None),
}


@pytest.mark.parametrize("name", CASES)
def test_the_notice_does_not_depend_on_the_order_of_events(name: str) -> None:
    events, expected, waits_for = CASES[name]
    for order in permutations(events):
        example = ExampleFacts(EXAMPLE, ROUND, author_id=AUTHOR)
        for event in (*order, *order):
            example.take(event)
        due = example.due_notice()
        assert (due and (due.kind.value, due.outcome)) == expected
        assert example.waits_for == waits_for


def test_no_notice_is_due_where_the_author_is_not_here() -> None:
    example = ExampleFacts(EXAMPLE, ROUND)
    example.take(resolved(3, "disputed"))
    assert example.due_notice() is None
    assert example.waits_for == "disputed"


def test_what_its_author_took_back_waits_for_nobody() -> None:
    example = ExampleFacts(EXAMPLE, ROUND, author_id=AUTHOR)
    example.take(resolved(3, "disputed"))
    retracted = ExampleRetracted(example_id=EXAMPLE, round_id=ROUND, retracted_at=at(9))
    example.take(recorded(2, retracted))
    assert (example.waits_for, example.waits_since) == (None, None)


def test_the_time_is_that_of_the_reported_outcome() -> None:
    example = ExampleFacts(EXAMPLE, ROUND, author_id=AUTHOR)
    for event in (resolved(3, "incorrect"), appealed(4), resolved(5, "correct", OWNER)):
        example.take(event)
    due = example.due_notice()
    assert due is not None
    assert (due.kind, due.at) == (NoticeKind.APPEAL_ANSWERED, at(5))
