"""A round's figures over time, from sums kept per short stretch of time.

A try and its fooling stand at the time of the try, a validated error at the time of its resolution. Stretches of
ten seconds show the course of an hour and stay few enough over months; a reader gets them merged.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import NamedTuple
from uuid import UUID

from leaderboard.domain.counting_rule import CountingRule
from leaderboard.domain.facts import Example
from leaderboard.domain.tally import RULE, shares

BUCKET = timedelta(seconds=10)
MOST_POINTS = 200


class HistoryKey(NamedTuple):
    """A stretch of ten seconds of a round."""

    round_id: UUID
    bucket_start: datetime


class HistoryCounts(NamedTuple):
    """Tries with a verdict, those of them that fooled, and the validated errors."""

    decided: int = 0
    fooled: int = 0
    errors: int = 0


@dataclass(frozen=True, slots=True)
class Point:
    """Where a round stood at `at`, everything until then added up."""

    at: datetime
    decided: int
    fooled: int
    errors: int

    @property
    def mer(self) -> float | None:
        """Return fooled / tries."""
        return self.fooled / self.decided if self.decided else None

    @property
    def vmer(self) -> float | None:
        """Return validated errors / tries."""
        return self.errors / self.decided if self.decided else None


def bucket_start(moment: datetime) -> datetime:
    """Return the start of the stretch that holds `moment`."""
    seconds = int(BUCKET.total_seconds())
    return datetime.fromtimestamp(int(moment.timestamp()) // seconds * seconds, UTC)


def history_shares(example: Example, rule: CountingRule) -> Iterator[tuple[HistoryKey, HistoryCounts]]:
    """Yield what the example adds to the course of its round."""
    attempt = example.attempt
    if attempt is None:
        return
    for key, share in shares(example, rule):
        if key.subject == RULE:
            at_try = HistoryKey(key.round_id, bucket_start(attempt.created_at))
            yield at_try, HistoryCounts(share.decided, share.fooled)
            if share.errors and example.resolution is not None:
                at_resolution = HistoryKey(key.round_id, bucket_start(example.resolution.resolved_at))
                yield at_resolution, HistoryCounts(errors=share.errors)


def stride(first: datetime, last: datetime) -> timedelta:
    """Return how long the merged stretches must be to give at most MOST_POINTS of them."""
    return BUCKET * max(1, ceil(((last - first) / BUCKET + 1) / MOST_POINTS))


def points(merged: Iterable[tuple[datetime, HistoryCounts]], length: timedelta) -> list[Point]:
    """Add up merged stretches, oldest first; each point stands at its stretch's end."""
    decided = fooled = errors = 0
    course = []
    for start, counts in merged:
        decided, fooled, errors = decided + counts.decided, fooled + counts.fooled, errors + counts.errors
        course.append(Point(start + length, decided, fooled, errors))
    return course
