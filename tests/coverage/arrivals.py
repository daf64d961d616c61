"""Simulated rounds on their way to a goal: coverage of the forecast's band.

Validated errors of a day are Poisson about 3 or 20 times the day's pace, by one of five courses:

- `steady`: 1 each day;
- `weekends`: a tenth on two days of each week, which begin on any day;
- `bursts`: ten times as much on one day in seven, by chance;
- `long bursts`: eight times as much for two to four days, begun on any day with 7 %;
- `weekends and bursts`: the product of the second and the third, eight times as much.

Seen are 21 or 28 days; missing is a tenth, a fifth or a third of what they brought.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import product

import numpy as np
from leaderboard.domain.forecast import Forecast, Pace, forecast
from numpy.random import Generator

from tests.coverage.rounds import Numbers

ROUNDS = 400
SEED = 20_261_125
DAYS_AHEAD = 700
NOW = datetime(2026, 3, 16, tzinfo=UTC)
DAY = timedelta(days=1)


def _weekends(dice: Generator, days: int) -> Numbers:
    return np.where((np.arange(days) + dice.integers(7)) % 7 < 2, 0.1, 1.0)


def _bursts(dice: Generator, days: int, height: float = 10.0) -> Numbers:
    return np.where(dice.random(days) < 1 / 7, height, 1.0)


def _long_bursts(dice: Generator, days: int) -> Numbers:
    pace = np.ones(days)
    for start in np.flatnonzero(dice.random(days) < 0.07):
        pace[start : start + dice.integers(2, 5)] = 8.0
    return pace


def paces(dice: Generator, course: str, days: int) -> Numbers:
    """Return the pace of each day."""
    match course:
        case "weekends":
            return _weekends(dice, days)
        case "bursts":
            return _bursts(dice, days)
        case "long bursts":
            return _long_bursts(dice, days)
        case "weekends and bursts":
            return _weekends(dice, days) * _bursts(dice, days, 8.0)
    return np.ones(days)


COURSES = ("steady", "weekends", "bursts", "long bursts", "weekends and bursts")


@dataclass(frozen=True)
class Arrival:
    """Rounds of one kind: how many percent reach their goal within the band, and its width over the median's days."""

    name: str
    coverage: float
    width: float


def arrivals(rounds: int = ROUNDS) -> Iterator[Arrival]:
    """Simulate rounds of each kind."""
    settings = product(COURSES, (21, 28), (3.0, 20.0), (0.1, 0.2, 0.33))
    for place, (course, seen, errors, missing) in enumerate(settings):
        dice = np.random.default_rng([SEED, place])
        found = [one for _ in range(rounds) if (one := arrival(dice, course, seen, errors, missing))]
        inside = [band.low <= day <= band.high for day, band in found]
        widths = [(band.high - band.low) / (band.expected - NOW) for _, band in found]
        name = f"{course}, {seen} days of about {errors:g}, {missing:.0%} missing"
        yield Arrival(name, 100 * sum(inside) / len(inside), float(np.median(widths)))


def arrival(
    dice: Generator, course: str, seen: int, errors: float, missing: float
) -> tuple[datetime, Forecast] | None:
    """Return the day on which one round reaches its goal, and the forecast; None without one."""
    by_day = dice.poisson(errors * paces(dice, course, seen + DAYS_AHEAD))
    past = by_day[:seen]
    more = max(1, round(missing * int(past.sum())))
    band, _ = forecast(more, 0, Pace(seen, tuple(past.tolist())), NOW, grows=True)
    if band is None:
        return None
    come = np.cumsum(by_day[seen:])
    day = min(int(np.searchsorted(come, more)), DAYS_AHEAD - 1)
    before = int(come[day - 1]) if day else 0
    return NOW + DAY * (day + (more - before) / max(int(come[day]) - before, 1)), band
