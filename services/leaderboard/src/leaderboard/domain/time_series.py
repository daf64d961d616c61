"""The time series of a round: its rates at each point of its history, and whether its last quarter differs.

A point adds up everything until then, and so do its authors' sums, from which the intervals are worked out as for the
present figures. The last quarter is that of the tries, not of the time: people come in waves. Its errors are those of
its own tries, whenever they were validated.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

import numpy as np
from dynabench_tasks.statistics.rates import Rate

from leaderboard.domain.history import HistoryCounts
from leaderboard.domain.rates import NOBODYS, AuthorCounts, Counts, share, without_verdict

EARLIER_SHARE = 0.75


class AuthorRows(NamedTuple):
    """Authors' sums by stretch, one entry per row: the number of the stretch and of the author, and the counts.

    `nobody` is the number that stands for unknown authors, None if there are none.
    """

    stretch: Counts
    author: Counts
    decided: Counts
    fooled: Counts
    errors: Counts
    confirmed: Counts
    nobody: int | None = None


@dataclass(frozen=True, slots=True)
class Point:
    """Where a round stood at `at`, everything until then added up; `validated` counts all validated errors."""

    at: datetime
    decided: int
    fooled: int
    validated: int
    mer: Rate
    vmer: Rate


@dataclass(frozen=True, slots=True)
class Period:
    """A part of a round by itself."""

    decided: int
    mer: Rate
    vmer: Rate


@dataclass(frozen=True, slots=True)
class Trend:
    """The last quarter of a round's tries beside those before it."""

    earlier: Period
    later: Period


def time_series(
    merged: Sequence[tuple[int, HistoryCounts]],
    rows: AuthorRows,
    origin: datetime,
    length: timedelta,
    withheld: str | None = None,
) -> list[Point]:
    """Return the points, oldest first; with `withheld` they have no rates, for that reason.

    `merged` are the stretches that hold anything, by number; each point stands at its stretch's end.
    """
    authors = _authors(rows)
    numbers = np.array([number for number, _ in merged], dtype=np.int64)
    cell = np.searchsorted(numbers, rows.stretch) * authors + rows.author
    by_author = (
        _sums(cell, counts, len(numbers) * authors).reshape(len(numbers), authors).cumsum(axis=0)
        for counts in (rows.decided, rows.fooled, rows.errors)
    )
    points = []
    validated = 0
    for (number, counts), sums in zip(merged, zip(*by_author, strict=True), strict=True):
        validated += counts.errors + counts.apart_errors
        decided, fooled, errors = sums
        mer, vmer = _rates(decided, fooled, errors, rows.nobody, withheld)
        at = origin + length * (number + 1)
        points.append(Point(at, int(decided.sum()), int(fooled.sum()), validated, mer, vmer))
    return points


def trend(
    merged: Sequence[tuple[int, HistoryCounts]], rows: AuthorRows, withheld: str | None = None
) -> Trend | None:
    """Split at the first stretch by whose end three quarters of the tries were made.

    None if there is nothing on one side of it.
    """
    totals = np.cumsum([counts.decided for _, counts in merged], dtype=np.int64)
    if not len(totals):
        return None
    cut = int(np.argmax(totals >= EARLIER_SHARE * totals[-1]))
    if not 0 < totals[cut] < totals[-1]:
        return None
    is_earlier = rows.stretch <= merged[cut][0]
    return Trend(_period(rows, is_earlier, withheld), _period(rows, ~is_earlier, withheld))


def _period(
    rows: AuthorRows, chosen: np.ndarray[tuple[int], np.dtype[np.bool_]], withheld: str | None
) -> Period:
    decided, fooled, confirmed = (
        _sums(rows.author[chosen], counts[chosen], _authors(rows))
        for counts in (rows.decided, rows.fooled, rows.confirmed)
    )
    return Period(int(decided.sum()), *_rates(decided, fooled, confirmed, rows.nobody, withheld))


def _authors(rows: AuthorRows) -> int:
    return int(rows.author.max()) + 1 if len(rows.author) else 0


def _sums(cell: Counts, counts: Counts, number: int) -> Counts:
    """Add up counts by cell; as floats they are exact up to 2 ** 53."""
    return np.bincount(cell, weights=counts, minlength=number).astype(np.int64)


def _rates(
    decided: Counts, fooled: Counts, errors: Counts, nobody: int | None, withheld: str | None
) -> tuple[Rate, Rate]:
    """Return MER and vMER of authors' sums."""
    tries = int(decided.sum())
    if withheld is not None:
        return Rate(None, tries, reason=withheld), Rate(None, tries, reason=withheld)
    are_known = nobody is None or int(decided[nobody]) == 0
    authors = AuthorCounts(decided, fooled, errors, NOBODYS, NOBODYS, are_known)
    nothing = without_verdict(tries)
    return (
        share(int(fooled.sum()), tries, fooled, decided, authors, nothing),
        share(int(errors.sum()), tries, errors, decided, authors, nothing),
    )
