"""Forecast of the day on which a round reaches its goal, from the pace of its last four weeks.

Validated errors are assumed to come at a steady unknown rate. With k of them in w days the rate is Gamma(k + 1/2, w)
(Jeffreys' prior). The days until R more have come follow w · BetaPrime(R, k + 1/2) (A. Gelman et al., "Bayesian Data
Analysis", 2013, the gamma-Poisson model). The band has 95 % of that distribution; its middle is the median.

Real days come in weeks and in bursts, which widens the band in two ways. First, the counts are divided by their
dispersion (quasi-Poisson): the variance over the mean of the sums over blocks of days. The largest value for blocks of
1 to 4 days is taken, since days of a burst are adjacent (H. Künsch, "The jackknife and the bootstrap for general
stationary observations", 1989). Each value is the one that chi-square allows at 70 %, since few blocks contain few
bursts. Second, each end moves by the days that the counts were ahead of a steady course or behind it: a weekend, or the
pause after a burst.

There is no forecast from under three weeks, which have too few weekends and bursts. There is none for more errors than
a third of those seen. `make coverage` simulates how often the band includes the day.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from scipy.special import betaincinv, chdtri

WINDOW = timedelta(days=28)
FEWEST_DAYS = 21.0
FEWEST_ERRORS = 5
FURTHEST = 1 / 3
BLOCKS = (1, 2, 3, 4)
UPPER_END = 0.7
QUANTILES = (0.025, 0.5, 0.975)
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Pace:
    """Validated errors by day, the newest last, in the `days` before now; the first day may be cut short."""

    days: float
    by_day: tuple[int, ...]

    @property
    def validated(self) -> int:
        """Count them all."""
        return sum(self.by_day)

    @property
    def per_day(self) -> float | None:
        """Return their number per day; None in the first day, of which there is no telling what a day brings."""
        return self.validated / self.days if self.days >= 1 else None


@dataclass(frozen=True, slots=True)
class Forecast:
    """Forecast of the goal's day: with 95 % chance from `low` to `high`."""

    low: datetime
    expected: datetime
    high: datetime


def days_before(now: datetime, since: datetime | None) -> float:
    """Return how many days of the window lie behind: all of it, or those since the first try."""
    return 0.0 if since is None else max(0.0, min(WINDOW, now - since) / DAY)


def forecast(
    goal: int | None, validated: int, pace: Pace, now: datetime, *, grows: bool
) -> tuple[Forecast | None, str | None]:
    """Return the forecast, or why there is none. `grows` tells whether people still add to the round."""
    if goal is None:
        return None, "no forecast: the task's configuration sets no goal"
    if validated >= goal:
        return None, "no forecast: the goal is reached"
    if not grows:
        return None, "no forecast: the round takes no tries"
    missing = goal - validated
    reason = _too_little(missing, pace)
    if reason is not None:
        return None, reason
    whole = pace.by_day[-int(pace.days) :]
    spread, aside = _dispersion(whole), _days_aside(whole)
    shares = betaincinv(missing / spread, pace.validated / spread + 0.5, np.array(QUANTILES))
    low, middle, high = (pace.days * share / (1 - share) for share in shares)
    days = (max(0.0, low - aside), middle, high + aside)
    return Forecast(*(now + timedelta(days=each) for each in days)), None


def _too_little(missing: int, pace: Pace) -> str | None:
    """Return why the observed days have too few errors, or are too few, for a forecast; None if they suffice."""
    if pace.days < FEWEST_DAYS:
        return f"no forecast: under {FEWEST_DAYS:g} days of tries"
    if pace.validated < FEWEST_ERRORS:
        return (
            f"no forecast: {pace.validated} confirmed errors in {WINDOW.days} days, "
            f"at least {FEWEST_ERRORS} are needed"
        )
    if missing > FURTHEST * pace.validated:
        return (
            f"no forecast: {missing} errors are missing, over a third of the {pace.validated} that came in "
            f"{pace.days:.0f} days"
        )
    return None


def _dispersion(by_day: Sequence[int]) -> float:
    """Return variance / mean, never under 1, at its upper end and over the blocks that show most of it."""
    return max(1.0, *(_dispersion_of_blocks(by_day, length) for length in BLOCKS))


def _dispersion_of_blocks(by_day: Sequence[int], length: int) -> float:
    number = len(by_day) // length
    sums = np.array(by_day[len(by_day) - number * length :]).reshape(number, length).sum(axis=1)
    mean = float(sums.mean())
    return float(sums.var() * number / chdtri(number - 1, UPPER_END) / mean) if mean else 1.0


def _days_aside(by_day: Sequence[int]) -> float:
    """Return half the range between the furthest ahead and the furthest behind a steady course, in days of it."""
    come = np.cumsum([0, *by_day])
    aside = come - come[-1] * np.arange(len(come)) / len(by_day)
    return float(aside.max() - aside.min()) / 2 * len(by_day) / max(int(come[-1]), 1)
