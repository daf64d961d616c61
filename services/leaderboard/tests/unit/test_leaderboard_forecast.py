"""When a goal is reached, and when nothing can be said."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from leaderboard.domain.forecast import LONGEST_DAYS, Forecast, Pace, days_before, forecast

NOW = datetime(2026, 3, 16, 12, tzinfo=UTC)
STEADY = Pace(14, (10,) * 14)


def band(goal: int, validated: int, pace: Pace) -> Forecast:
    found, reason = forecast(goal, validated, pace, NOW, grows=True)
    assert reason is None
    assert found is not None
    return found


def days(moment: datetime) -> float:
    return (moment - NOW) / timedelta(days=1)


def test_a_steady_pace_reaches_the_goal_about_when_division_says() -> None:
    found = band(340, 140, STEADY)
    assert days(found.expected) == pytest.approx(20, rel=0.01)
    assert 15 < days(found.low) < days(found.expected) < days(found.high) < 27


def test_the_band_is_that_of_simulated_rounds() -> None:
    """The rate from its posterior Gamma(k + 1/2, w), then the days until 50 more errors at that rate."""
    rng = np.random.default_rng(5)
    rates = rng.gamma(140.5, 1 / 14, 200_000)
    expected = np.quantile(rng.gamma(50, 1 / rates), [0.025, 0.5, 0.975])
    found = band(190, 140, STEADY)
    assert [days(found.low), days(found.expected), days(found.high)] == pytest.approx(expected, rel=0.02)


def test_days_that_differ_more_than_by_chance_widen_the_band() -> None:
    bursts = Pace(14, (0, 0, 40, 0, 0, 30, 0, 0, 40, 0, 0, 0, 30, 0))
    steady, bursty = band(340, 140, STEADY), band(340, 140, bursts)
    assert bursty.low < steady.low
    assert bursty.high > steady.high


def test_what_is_too_far_away_is_ten_years_away() -> None:
    found = band(10**9, 5, Pace(14, (0,) * 9 + (1,) * 5))
    assert found.low == found.high == NOW + timedelta(days=LONGEST_DAYS)


@pytest.mark.parametrize(
    ("goal", "validated", "pace", "grows", "reason"),
    [
        (None, 140, STEADY, True, "no forecast: the task's configuration sets no goal"),
        (100, 140, STEADY, True, "no forecast: the goal is reached"),
        (500, 140, STEADY, False, "no forecast: the round takes no tries"),
        (500, 140, Pace(1.5, (70, 70)), True, "no forecast: under 2 days of tries"),
        (500, 4, Pace(14, (0,) * 13 + (4,)), True,
         "no forecast: 4 validated errors in 14 days, at least 5 are needed"),
        (500, 0, Pace(0, ()), True, "no forecast: under 2 days of tries"),
    ],
)  # fmt: skip
def test_without_a_forecast_there_is_a_reason(
    goal: int | None, validated: int, pace: Pace, grows: bool, reason: str
) -> None:
    assert forecast(goal, validated, pace, NOW, grows=grows) == (None, reason)


@pytest.mark.parametrize(
    ("since", "expected"),
    [(None, 0), (NOW - timedelta(days=3), 3), (NOW - timedelta(days=90), 14), (NOW + timedelta(days=1), 0)],
)
def test_the_pace_is_of_at_most_two_weeks(since: datetime | None, expected: float) -> None:
    assert days_before(NOW, since) == expected


def test_no_days_have_no_pace() -> None:
    assert Pace(0, ()).per_day is None
    assert Pace(0.01, (40,)).per_day is None
    assert Pace(2, (3, 4)).per_day == 3.5
