"""The difference of two rates, and whether it is more than noise.

It uses the rates' own intervals, whatever they were made of: the square root of the squared distances to the nearer
bounds. Sources: Zou and Donner 2008, Statistics in Medicine 27:1693; Newcombe 1998, method 10, if both intervals are
Wilson's. It assumes that the rates are independent. If the same people contribute to both, the difference is more
certain than reported.
"""

from dataclasses import dataclass
from math import hypot
from typing import Protocol


class WithInterval(Protocol):
    """A share from 0 to 1 with its interval, as far as there is one."""

    @property
    def value(self) -> float | None:
        """The share."""

    @property
    def low(self) -> float | None:
        """The lower bound."""

    @property
    def high(self) -> float | None:
        """The upper bound."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The excess of one share over another, from -1 to 1, with an interval of the same level as theirs."""

    value: float
    low: float
    high: float

    @property
    def is_noise(self) -> bool:
        """Return whether the shares may as well be equal."""
        return self.low <= 0 <= self.high


def difference(newer: WithInterval, older: WithInterval) -> Difference | None:
    """Return `newer` less `older`; None where one of them has no interval."""
    if newer.value is None or newer.low is None or newer.high is None:
        return None
    if older.value is None or older.low is None or older.high is None:
        return None
    delta = newer.value - older.value
    below = hypot(newer.value - newer.low, older.high - older.value)
    above = hypot(newer.high - newer.value, older.value - older.low)
    return Difference(delta, delta - below, delta + above)
