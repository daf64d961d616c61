"""Contribution of one person's tries to boards of people and to badges, as whole numbers that can be added.

Only people's work on this platform is counted. Tries of unknown authors, of an imported collection and of a
demonstration, which a script wrote, add nothing. A try without a verdict adds to `tries` alone. `errors` are the
validated errors among tries with a verdict. The rate is divided by those tries, so the rate shown with the count is the
vMER of one person.

`kept` is fooling that was not rejected. The try fooled, is neither retracted nor a duplicate, and neither votes nor an
owner found it incorrect or flagged it. An incorrect answer that is still a validated error, as majority gold allows, is
kept.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from dynabench_tasks.resolution import Resolution

from leaderboard.domain.facts import Try
from leaderboard.domain.groups import week
from leaderboard.domain.tally import Counted, Tally

DEMONSTRATION = "demonstration"
"""The cohort of tries that a script wrote."""
REJECTED = frozenset({Resolution.INCORRECT, Resolution.FLAGGED})


class PersonKey(NamedTuple):
    """A person on a board; `scope_id` is the id of a round or of a task, whose ids never meet."""

    scope_id: UUID
    person_id: UUID


class PersonCounts(NamedTuple):
    """Results of a person's tries; `decided` are those with a verdict, retracted ones too."""

    tries: int = 0
    decided: int = 0
    fooled: int = 0
    retracted: int = 0
    errors: int = 0


class PersonTryKey(NamedTuple):
    """One try of a person, in the order in which badges go through them."""

    person_id: UUID
    task_id: UUID
    created_at: datetime
    example_id: UUID
    round_id: UUID


class PersonTryCounts(NamedTuple):
    """Contributions of a try to badges, each 0 or 1."""

    tries: int = 0
    decided: int = 0
    retracted: int = 0
    kept: int = 0
    errors: int = 0


class PersonWeekKey(NamedTuple):
    """A person's tries of an ISO week (UTC) in a task."""

    task_id: UUID
    week: str
    person_id: UUID


class PersonWeekCounts(NamedTuple):
    """Validated errors whose tries were made in the week."""

    errors: int = 0


def person_shares(counted: Counted) -> Iterator[tuple[PersonKey, PersonCounts]]:
    """Yield what the example adds to its author's rows: of the round and of the task."""
    if (found := _authored(counted)) is not None:
        attempt, person_id, tally = found
        counts = PersonCounts(tally.tries, tally.decided, tally.fooled, tally.retracted, tally.errors)
        yield PersonKey(attempt.round_id, person_id), counts
        yield PersonKey(attempt.task_id, person_id), counts


def person_try_shares(counted: Counted) -> Iterator[tuple[PersonTryKey, PersonTryCounts]]:
    """Yield the example as a try of its author."""
    if (found := _authored(counted)) is not None:
        attempt, person_id, tally = found
        key = PersonTryKey(
            person_id, attempt.task_id, attempt.created_at, counted.example.example_id, attempt.round_id
        )
        kept = int(bool(tally.fooled) and not _is_rejected(counted, tally))
        yield key, PersonTryCounts(tally.tries, tally.decided, tally.retracted, kept, tally.errors)


def person_week_shares(counted: Counted) -> Iterator[tuple[PersonWeekKey, PersonWeekCounts]]:
    """Yield the validated error in the week of its try."""
    if (found := _authored(counted)) is not None and found[2].errors:
        attempt, person_id, tally = found
        key = PersonWeekKey(attempt.task_id, week(attempt.created_at), person_id)
        yield key, PersonWeekCounts(tally.errors)


def _authored(counted: Counted) -> tuple[Try, UUID, Tally] | None:
    attempt, of_rule = counted.example.attempt, counted.of_rule
    if attempt is None or of_rule is None or attempt.author_id is None:
        return None
    if attempt.from_elsewhere or attempt.cohort == DEMONSTRATION:
        return None
    return attempt, attempt.author_id, of_rule[1]


def _is_rejected(counted: Counted, tally: Tally) -> bool:
    resolution = counted.example.resolution
    return resolution is not None and resolution.outcome in REJECTED and not tally.errors
