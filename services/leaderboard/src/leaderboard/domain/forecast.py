"""When a round will reach its goal, from the pace of its last two weeks.

Validated errors are taken to come at a steady unknown rate. With k of them in w days the rate is Gamma(k + 1/2, w)
(Jeffreys' prior), and the days until R more have come follow w · BetaPrime(R, k + 1/2) (A. Gelman et al., "Bayesian
Data Analysis", 2013, the gamma-Poisson model). The band holds 95 % of that, its middle is the median. Real days differ
by more than chance: the counts are first divided by the dispersion of the daily counts, their variance over their mean
if that is above 1, which widens the band (quasi-Poisson).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from scipy.special import betaincinv

WINDOW = timedelta(days=14)
FEWEST_DAYS = 2.0
FEWEST_ERRORS = 5
FEWEST_DAYS_OF_DISPERSION = 3
QUANTILES = (0.025, 0.5, 0.975)
LONGEST_DAYS = 3650.0
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
    """When the goal is reached: with 95 % chance from `low` to `high`; ten years ahead stands for later still."""

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
    if pace.days < FEWEST_DAYS:
        return None, f"no forecast: under {FEWEST_DAYS:g} days of tries"
    if pace.validated < FEWEST_ERRORS:
        return None, (
            f"no forecast: {pace.validated} validated errors in {WINDOW.days} days, "
            f"at least {FEWEST_ERRORS} are needed"
        )
    spread = _dispersion(pace.by_day)
    shares = betaincinv((goal - validated) / spread, pace.validated / spread + 0.5, np.array(QUANTILES))
    dates = (now + timedelta(days=_days(pace, float(share))) for share in shares)
    return Forecast(*dates), None


def _days(pace: Pace, share: float) -> float:
    return min(LONGEST_DAYS, pace.days * share / (1 - share)) if share < 1 else LONGEST_DAYS


def _dispersion(by_day: Sequence[int]) -> float:
    """Return variance / mean of the whole days, never under 1; 1 where they are too few to tell."""
    whole = by_day[1:]
    if len(whole) < FEWEST_DAYS_OF_DISPERSION or not sum(whole):
        return 1.0
    return max(1.0, float(np.var(whole, ddof=1) / np.mean(whole)))
