"""Scales of charts: from values to positions."""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from web.kit.numbers import day_and_time, day_of_year

STEPS = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True)
class Scale:
    """A straight line from a range of values to a range of places."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return the place of a value; an empty range of values lies in the middle."""
        if self.high == self.low:
            return (self.start + self.end) / 2
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def ticks(highest: float, most: int = 5) -> list[float]:
    """Return at most `most` + 1 round values from 0 to just over `highest`."""
    if highest <= 0:
        return [0.0, 1.0]
    rough = highest / most
    magnitude = 10 ** math.floor(math.log10(rough))
    step = next(size * magnitude for size in STEPS if size * magnitude >= rough * 0.999)
    return [round(position * step, 10) for position in range(math.ceil(highest / step - 1e-9) + 1)]


def time_words(moment: datetime, span: timedelta) -> str:
    """Return a moment as precisely as the span of the axis needs."""
    if span < timedelta(minutes=5):
        return f"{moment:%H:%M:%S}"
    if span < timedelta(days=1):
        return f"{moment:%H:%M}"
    if span < timedelta(days=5):
        return day_and_time(moment)
    return day_of_year(moment)
