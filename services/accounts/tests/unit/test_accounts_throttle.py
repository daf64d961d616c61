"""Throttling of sign-in attempts under one name."""

from datetime import UTC, datetime, timedelta

import pytest
from accounts.domain.throttle import MOST_FAILURES, WINDOW, Failures, counted

NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("count", "age", "closed_for"),
    [
        (MOST_FAILURES - 1, timedelta(0), timedelta(0)),
        (MOST_FAILURES, timedelta(0), WINDOW),
        (MOST_FAILURES, timedelta(minutes=5), WINDOW - timedelta(minutes=5)),
        (MOST_FAILURES, WINDOW, timedelta(0)),
        (MOST_FAILURES + 5, WINDOW * 2, timedelta(0)),
    ],
)
def test_ten_failures_close_sign_in_until_their_quarter_of_an_hour_is_over(
    count: int, age: timedelta, closed_for: timedelta
) -> None:
    assert Failures(NOW - age, count).closed_for(NOW) == closed_for


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, Failures(NOW, 1)),
        (Failures(NOW - timedelta(minutes=14), 3), Failures(NOW - timedelta(minutes=14), 4)),
        (Failures(NOW - WINDOW, 9), Failures(NOW, 1)),
    ],
)
def test_a_finished_window_starts_again_at_one(before: Failures | None, after: Failures) -> None:
    assert counted(before, NOW) == after
