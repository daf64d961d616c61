"""The time series of a round: its rates at each point of its history, and whether its last quarter differs.

A point adds up everything until then, and so do its authors' sums, from which the intervals are worked out as for the
present figures. The last quarter is that of the tries, not of the time, since people work in bursts. Its vMER is
projected from its own resolved tries, at any time of resolution. Most tries that wait for votes are new, so errors
counted so far fall towards the end of every round.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

import numpy as np
from dynabench_tasks.statistics.projection import projected_share
from dynabench_tasks.statistics.rates import Rate

from leaderboard.domain.history import HistoryCounts
from leaderboard.domain.rates import NOBODYS, AuthorCounts, Counts, projected_rate, share, without_verdict

EARLIER_SHARE = 0.75
NOTHING_RESOLVED = "One part of the round has no checked try that fooled."


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
    fooled_resolved: Counts
    fooled_confirmed: Counts
    not_fooled: Counts
    not_fooled_resolved: Counts
    nobody: int | None = None


@dataclass(frozen=True, slots=True)
class Point:
    """Cumulative figures of a round at `at`; `validated` counts all validated errors."""

    at: datetime
    decided: int
    fooled: int
    validated: int
    mer: Rate
    vmer: Rate


@dataclass(frozen=True, slots=True)
class Period:
    """A part of a round by itself; `vmer` is projected from what is resolved of it."""

    decided: int
    mer: Rate
    vmer: Rate


@dataclass(frozen=True, slots=True)
class Trend:
    """The last quarter of a round's tries, compared with those before it."""

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
    size = _authors(rows)

    def of_authors(counts: Counts) -> Counts:
        return _sums(rows.author[chosen], counts[chosen], size)

    decided, fooled, confirmed = map(of_authors, (rows.decided, rows.fooled, rows.confirmed))
    mer, vmer = _rates(decided, fooled, confirmed, rows.nobody, withheld)
    if vmer.value is None:
        return Period(vmer.n, mer, vmer)
    fooled_resolved = of_authors(rows.fooled_resolved)
    if fooled.any() and not fooled_resolved.any():
        return Period(vmer.n, mer, Rate(None, vmer.n, reason=NOTHING_RESOLVED))
    authors = AuthorCounts(
        decided=decided,
        fooled=fooled,
        errors=confirmed,
        fooled_resolved=NOBODYS,
        fooled_correct=NOBODYS,
        stratum_fooled=fooled,
        stratum_fooled_resolved=fooled_resolved,
        stratum_fooled_errors=of_authors(rows.fooled_confirmed),
        stratum_not_fooled=of_authors(rows.not_fooled),
        stratum_not_fooled_resolved=of_authors(rows.not_fooled_resolved),
        are_known=_are_known(decided, rows.nobody),
    )
    return Period(vmer.n, mer, projected_rate(projected_share(decided, authors.strata), vmer.n, authors))


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
    authors = AuthorCounts(decided, fooled, errors, NOBODYS, NOBODYS, are_known=_are_known(decided, nobody))
    nothing = without_verdict(tries)
    return (
        share(int(fooled.sum()), tries, fooled, decided, authors, nothing),
        share(int(errors.sum()), tries, errors, decided, authors, nothing),
    )


def _are_known(decided: Counts, nobody: int | None) -> bool:
    return nobody is None or int(decided[nobody]) == 0
