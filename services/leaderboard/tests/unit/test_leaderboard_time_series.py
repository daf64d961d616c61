"""The time series of a round: points with their intervals, and the trend of the last quarter against the rest."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from dynabench_tasks.statistics.intervals import clustered_interval
from leaderboard.domain.history import HistoryCounts
from leaderboard.domain.time_series import NOTHING_RESOLVED, AuthorRows, time_series, trend

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
Row = tuple[int, int, int, int, int, int]


def rows(given: Sequence[Row], nobody: int | None = None) -> AuthorRows:
    """Rows of stretch, author, decided, fooled, errors, confirmed; all that fooled is resolved, nothing else is."""
    columns = np.array(given, dtype=np.int64).reshape(-1, 6).T
    _, _, decided, fooled, _, confirmed = columns
    strata = (fooled, confirmed, decided - fooled, np.zeros_like(fooled))
    return AuthorRows._make([*columns, *strata, nobody])


def merged(given: Sequence[Row]) -> list[tuple[int, HistoryCounts]]:
    numbers = sorted({row[0] for row in given})
    return [
        (number, HistoryCounts(*(sum(row[at] for row in given if row[0] == number) for at in (2, 3, 4))))
        for number in numbers
    ]


SIX_AUTHORS: list[Row] = [
    *((0, author, 10, author, 0, author // 2) for author in range(6)),
    *((3, author, 10, 2, author // 2, 1) for author in range(6)),
    *((4, author, 0, 0, 1, 0) for author in range(6)),
]


def test_a_point_is_what_the_round_was_until_then() -> None:
    first, second, third = time_series(merged(SIX_AUTHORS), rows(SIX_AUTHORS), START, HOUR)
    assert [point.at for point in (first, second, third)] == [
        START + HOUR,
        START + 4 * HOUR,
        START + 5 * HOUR,
    ]
    assert [(point.decided, point.fooled, point.validated) for point in (first, second, third)] == [
        (60, 15, 0),
        (120, 27, 6),
        (120, 27, 12),
    ]
    assert second.mer.value == pytest.approx(27 / 120)
    expected = clustered_interval(np.arange(6) + 2, np.full(6, 20))
    assert (second.mer.low, second.mer.high) == (expected.low, expected.high)
    assert third.vmer.low is not None
    assert third.vmer.high is not None
    assert third.vmer.low < 0.1 < third.vmer.high


def test_errors_of_tries_without_a_verdict_are_counted_and_in_no_rate() -> None:
    [point] = time_series([(0, HistoryCounts(apart_errors=3))], rows([]), START, HOUR)
    assert (point.validated, point.decided, point.vmer.value) == (3, 0, None)


def test_there_is_no_interval_from_the_first_unknown_author_on() -> None:
    given = [*SIX_AUTHORS, (3, 6, 1, 0, 0, 0)]
    points = time_series(merged(given), rows(given, nobody=6), START, HOUR)
    assert points[0].mer.low is not None
    assert [point.mer.reason for point in points[1:]] == ["no interval: authors unknown"] * 2


def test_a_harvested_round_has_points_without_rates() -> None:
    points = time_series(merged(SIX_AUTHORS), rows(SIX_AUTHORS), START, HOUR, "no rate")
    assert {(point.mer.value, point.vmer.value, point.mer.reason) for point in points} == {
        (None, None, "no rate")
    }
    assert points[-1].validated == 12


def test_the_trend_parts_the_last_quarter_of_the_tries() -> None:
    given: list[Row] = [
        *((0, author, 30, 12, 0, 9) for author in range(6)),
        *((1, author, 10, 1, 9, 1) for author in range(6)),
    ]
    found = trend(merged(given), rows(given))
    assert found is not None
    assert (found.earlier.decided, found.later.decided) == (180, 60)
    assert (found.earlier.mer.value, found.later.mer.value) == (0.4, 0.1)
    assert (found.earlier.vmer.value, found.later.vmer.value) == (0.3, 0.1)


@pytest.mark.parametrize("given", [[], [(0, 0, 5, 1, 0, 0)], [(0, 0, 1, 0, 0, 0), (1, 0, 99, 0, 0, 0)]])
def test_without_tries_on_both_sides_there_is_no_trend(given: list[Row]) -> None:
    assert trend(merged(given), rows(given)) is None


def waiting(found: AuthorRows, resolved: Sequence[int]) -> AuthorRows:
    """The same rows with so many of the tries that fooled resolved; as many of those are errors as before."""
    checked = np.array(resolved, dtype=np.int64)
    confirmed = found.confirmed * checked // np.maximum(found.fooled, 1)
    return found._replace(fooled_resolved=checked, fooled_confirmed=confirmed, confirmed=confirmed)


def test_votes_that_are_missing_do_not_make_the_last_quarter_poorer() -> None:
    """Both parts yield 3 errors of 4 that fooled, of 10 tries; in the last quarter half of the votes are missing."""
    given: list[Row] = [
        *((0, author, 30, 12, 0, 9) for author in range(6)),
        *((1, author, 10, 4, 0, 3) for author in range(6)),
    ]
    found = trend(merged(given), waiting(rows(given), [12] * 6 + [2, 2, 2, 2, 4, 4]))
    assert found is not None
    assert found.earlier.vmer.value == pytest.approx(0.3)
    assert found.later.vmer.value == pytest.approx(0.4 * 10 / 16)
    assert found.later.vmer.high is not None
    assert found.later.vmer.high > 0.3


def test_a_part_of_which_nothing_is_resolved_says_so() -> None:
    given: list[Row] = [
        *((0, author, 30, 12, 0, 9) for author in range(6)),
        *((1, author, 10, 4, 0, 0) for author in range(6)),
    ]
    found = trend(merged(given), waiting(rows(given), [12] * 6 + [0] * 6))
    assert found is not None
    assert (found.later.vmer.value, found.later.vmer.reason) == (None, NOTHING_RESOLVED)
