"""The forecast of the day a goal is reached, and the cases without a forecast."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from leaderboard.domain.forecast import Forecast, Pace, days_before, forecast

NOW = datetime(2026, 3, 16, 12, tzinfo=UTC)
STEADY = Pace(28, (10,) * 28)


def band(goal: int, validated: int, pace: Pace) -> Forecast:
    found, reason = forecast(goal, validated, pace, NOW, grows=True)
    assert reason is None
    assert found is not None
    return found


def days(moment: datetime) -> float:
    return (moment - NOW) / timedelta(days=1)


def test_a_steady_pace_reaches_the_goal_about_when_division_says() -> None:
    found = band(340, 280, STEADY)
    assert days(found.expected) == pytest.approx(6, rel=0.01)
    assert 4 < days(found.low) < days(found.expected) < days(found.high) < 9


def test_the_band_is_that_of_simulated_rounds() -> None:
    """The rate from its posterior Gamma(k + 1/2, w), then the days until 50 more errors at that rate."""
    rng = np.random.default_rng(5)
    rates = rng.gamma(280.5, 1 / 28, 200_000)
    expected = np.quantile(rng.gamma(50, 1 / rates), [0.025, 0.5, 0.975])
    found = band(330, 280, STEADY)
    assert [days(found.low), days(found.expected), days(found.high)] == pytest.approx(expected, rel=0.02)


def test_days_of_a_burst_that_stand_together_widen_the_band_more_than_as_many_apart() -> None:
    together = Pace(28, ((0,) * 10 + (50,) * 4) * 2)
    apart = Pace(28, (0, 0, 50, 0, 0, 50, 0, 0, 0, 50, 0, 0, 0, 50) * 2)
    steady, single, long = (band(460, 400, Pace(28, each.by_day)) for each in (STEADY, apart, together))
    assert days(steady.high) < days(single.high) < days(long.high)
    assert days(long.low) <= days(single.low) < days(steady.low)


def test_a_weekend_moves_the_ends_by_the_days_that_it_takes() -> None:
    """All of it on five days of seven: the counts run 0.71 days ahead of a steady course and as much behind."""
    weeks = Pace(28, (14,) * 5 * 1 + (0, 0) + ((14,) * 5 + (0, 0)) * 3)
    found = band(281, 280, weeks)
    assert days(found.low) == 0
    assert days(found.high) > 10 / 14


def test_a_single_burst_says_little() -> None:
    found = band(100, 0, Pace(28, (0,) * 27 + (300,)))
    assert days(found.low) == 0
    assert days(found.high) > 100


@pytest.mark.parametrize(
    ("goal", "validated", "pace", "grows", "reason"),
    [
        (None, 140, STEADY, True, "no forecast: the task's configuration sets no goal"),
        (100, 140, STEADY, True, "no forecast: the goal is reached"),
        (500, 140, STEADY, False, "no forecast: the round takes no tries"),
        (500, 280, Pace(20.9, (14,) * 21), True,
         "no forecast: under 21 days of tries"),
        (500, 4, Pace(28, (0,) * 27 + (4,)), True,
         "no forecast: 4 confirmed errors in 28 days, at least 5 are needed"),
        (500, 0, Pace(0, ()), True, "no forecast: under 21 days of tries"),
        (374, 280, STEADY, True,
         "no forecast: 94 errors are missing, over a third of the 280 that came in 28 days"),
    ],
)  # fmt: skip
def test_without_a_forecast_there_is_a_reason(
    goal: int | None, validated: int, pace: Pace, grows: bool, reason: str
) -> None:
    assert forecast(goal, validated, pace, NOW, grows=grows) == (None, reason)


@pytest.mark.parametrize(
    ("since", "expected"),
    [(None, 0), (NOW - timedelta(days=3), 3), (NOW - timedelta(days=90), 28), (NOW + timedelta(days=1), 0)],
)
def test_the_pace_is_of_at_most_four_weeks(since: datetime | None, expected: float) -> None:
    assert days_before(NOW, since) == expected


def test_no_days_have_no_pace() -> None:
    assert Pace(0, ()).per_day is None
    assert Pace(0.01, (40,)).per_day is None
    assert Pace(2, (3, 4)).per_day == 3.5
