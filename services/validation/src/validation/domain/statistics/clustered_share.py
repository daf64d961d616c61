"""A share of many people's votes, whose interval knows that one person's votes resemble one another.

It is the delete-one-person jackknife on the logit scale, `logit(p) ± t(0.975, V - 1) · s / (p (1 - p))` with
`s² = (V - 1) / V · Σ (p without v - p)²` over V people. At p = 0 or 1 there is no spread to measure: the interval is
Wilson's with the effective number of votes `N² / Σ n_v²`, as if each person's votes were wholly alike.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, stdtrit

from validation.domain.statistics.intervals import Rate, wilson_interval

FEWEST_PEOPLE = 5
CONFIDENCE_TAIL = 0.975
UNKNOWN_PEOPLE = "no interval: voters unknown"

Amounts = NDArray[np.float64]


def clustered_share(successes: Amounts, votes: Amounts, nothing: str, *, are_known: bool = True) -> Rate:
    """Return Σ successes / Σ votes, one entry per person; successes may be expected ones and need not be whole.

    `nothing` is the reason where there are no votes. Without `are_known`, or with fewer than five people, there is a
    share without an interval.
    """
    successes, votes = successes[votes > 0], votes[votes > 0]
    total = float(votes.sum())
    if not total:
        return Rate(None, None, None, 0, nothing)
    value = min(1.0, float(successes.sum()) / total)
    if not are_known:
        return Rate(value, None, None, round(total), UNKNOWN_PEOPLE)
    if len(votes) < FEWEST_PEOPLE:
        people = "1 person" if len(votes) == 1 else f"{len(votes)} people"
        reason = f"no interval: {people}, at least {FEWEST_PEOPLE} are needed"
        return Rate(value, None, None, round(total), reason)
    return Rate(value, *_interval(value, successes, votes), round(total))


def _interval(value: float, successes: Amounts, votes: Amounts) -> tuple[float, float]:
    total = float(votes.sum())
    if value in {0.0, 1.0}:
        return wilson_interval(value, total**2 / float(np.square(votes).sum()))
    people = len(votes)
    without_one = (successes.sum() - successes) / (total - votes)
    spread = sqrt((people - 1) / people * float(np.square(without_one - value).sum()))
    reach = float(stdtrit(people - 1, CONFIDENCE_TAIL)) * spread / (value * (1 - value))
    centre = float(logit(value))
    return float(expit(centre - reach)), float(expit(centre + reach))
