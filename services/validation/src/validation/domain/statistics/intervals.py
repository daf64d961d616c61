"""Shares with their intervals.

One person's answers are few and taken one by one, so the interval is Wilson's, which stays within 0 and 1 and has a
width at the ends too (E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", 1927).
"""

from dataclasses import dataclass
from math import sqrt

NORMAL_QUANTILE = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of `n` answers with its 95 % interval, all 0 to 1; without a value, `reason` says why."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    reason: str | None = None


def share(successes: int, n: int, reason: str) -> Rate:
    """Return the share of successes with Wilson's interval; `reason` is for people, used when `n` is 0."""
    if n == 0:
        return Rate(None, None, None, 0, reason)
    value = successes / n
    return Rate(value, *wilson_interval(value, n), n)


def wilson_interval(value: float, n: float) -> tuple[float, float]:
    """Return both ends of Wilson's interval of a share of `n` independent answers (which need not be whole)."""
    square = NORMAL_QUANTILE**2
    centre = (value + square / (2 * n)) / (1 + square / n)
    reach = NORMAL_QUANTILE / (1 + square / n) * sqrt(value * (1 - value) / n + square / (4 * n**2))
    return max(0.0, centre - reach), min(1.0, centre + reach)
