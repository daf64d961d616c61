"""A round's figures over time, from sums stored per stretch of time.

A try and its fooling count at the time of the try. A validated error counts at the time of its resolution, or of the
try if that came later, as in imports. The intervals of a point need each author's sums until then, so those are stored
too.

Both are stored at three resolutions: ten seconds, an hour and a day. So an hour has fine detail, and a year takes few
rows. A reader gets at most sixty points, of one length.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import NamedTuple
from uuid import UUID

from leaderboard.domain.facts import Example, Try
from leaderboard.domain.tally import Counted

BUCKET = timedelta(seconds=10)
PACES = (BUCKET, timedelta(hours=1), timedelta(days=1))
"""Widths of stored sums, each a multiple of the one before."""
MOST_POINTS = 60


class HistoryKey(NamedTuple):
    """A stretch of `pace` seconds of a round."""

    round_id: UUID
    pace: int
    bucket_start: datetime


class HistoryCounts(NamedTuple):
    """Tries with a verdict, those that fooled, and validated errors; `apart_errors` are of tries without a verdict."""

    decided: int = 0
    fooled: int = 0
    errors: int = 0
    apart_errors: int = 0


class AuthorHistoryKey(NamedTuple):
    """One author's work within a stretch of `pace` seconds; NOBODY stands for unknown authors."""

    round_id: UUID
    pace: int
    bucket_start: datetime
    author_id: UUID


class AuthorHistoryCounts(NamedTuple):
    """As in HistoryCounts, of one author; `confirmed` and all fields below count at the time of the tries.

    Projections of a part of the round need three numbers of tries that fooled: all, resolved ones and validated
    errors. They need the same numbers of tries that did not fool.
    """

    decided: int = 0
    fooled: int = 0
    errors: int = 0
    confirmed: int = 0
    fooled_resolved: int = 0
    fooled_confirmed: int = 0
    not_fooled: int = 0
    not_fooled_resolved: int = 0


class Stretches(NamedTuple):
    """Resolution of a reader's history: stretches of one length from `origin` on, from sums of `pace`."""

    origin: datetime
    length: timedelta
    pace: timedelta


def bucket_start(moment: datetime, length: timedelta = BUCKET) -> datetime:
    """Return the start of the stretch that holds `moment`."""
    seconds = int(length.total_seconds())
    return datetime.fromtimestamp(int(moment.timestamp()) // seconds * seconds, UTC)


def history_shares(counted: Counted) -> Iterator[tuple[HistoryKey, HistoryCounts]]:
    """Yield what the example adds to the time series of its round, at each pace."""
    attempt = counted.example.attempt
    if attempt is None or counted.of_rule is None:
        return
    key, share = counted.of_rule
    for pace, at_try, at_error in _places(counted.example, attempt):
        yield HistoryKey(key.round_id, pace, at_try), HistoryCounts(share.decided, share.fooled)
        if share.errors or share.apart_errors:
            counts = HistoryCounts(errors=share.errors, apart_errors=share.apart_errors)
            yield HistoryKey(key.round_id, pace, at_error), counts


def author_history_shares(counted: Counted) -> Iterator[tuple[AuthorHistoryKey, AuthorHistoryCounts]]:
    """Yield what the example adds to its author's time series, at each pace; tries without a verdict add nothing."""
    attempt = counted.example.attempt
    if attempt is None or counted.of_rule is None or not counted.of_rule[1].decided:
        return
    key, share = counted.of_rule
    for pace, at_try, at_error in _places(counted.example, attempt):
        made = AuthorHistoryCounts(
            decided=share.decided,
            fooled=share.fooled,
            confirmed=share.errors,
            fooled_resolved=share.stratum_fooled_resolved,
            fooled_confirmed=share.stratum_fooled_errors,
            not_fooled=share.stratum_not_fooled,
            not_fooled_resolved=share.stratum_not_fooled_resolved,
        )
        yield AuthorHistoryKey(key.round_id, pace, at_try, key.author_id), made
        if share.errors:
            counts = AuthorHistoryCounts(errors=share.errors)
            yield AuthorHistoryKey(key.round_id, pace, at_error, key.author_id), counts


def _places(example: Example, attempt: Try) -> Iterator[tuple[int, datetime, datetime]]:
    """Yield each pace in seconds with the stretches of the try and of its error."""
    error_at = _error_at(example, attempt)
    for pace in PACES:
        seconds = int(pace.total_seconds())
        yield seconds, bucket_start(attempt.created_at, pace), bucket_start(error_at, pace)


def _error_at(example: Example, attempt: Try) -> datetime:
    """Return when the validated error came about: never before its try."""
    resolution = example.resolution
    return attempt.created_at if resolution is None else max(attempt.created_at, resolution.resolved_at)


def stretches(first: datetime, last: datetime) -> Stretches:
    """Return how to merge the history between two stretches of ten seconds into at most MOST_POINTS.

    The coarsest pace is taken that still gives half as many points.
    """
    pace = BUCKET
    for coarser in PACES:
        if _number(first, last, coarser) >= MOST_POINTS / 2:
            pace = coarser
    length = pace * ceil(_number(first, last, pace) / MOST_POINTS)
    return Stretches(bucket_start(first, pace), length, pace)


def _number(first: datetime, last: datetime, pace: timedelta) -> int:
    return (bucket_start(last, pace) - bucket_start(first, pace)) // pace + 1
