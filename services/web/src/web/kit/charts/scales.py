"""Scales of charts: from values to positions, and the words on their axes."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from markupsafe import Markup

from web.kit.charts.svg import element
from web.kit.numbers import day_and_time, day_of_year, decimal, percent

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


@dataclass(frozen=True)
class Unit:
    """Format of values; `size` is the number of units in 1."""

    words: Callable[[float | None, int], str]
    size: int

    def value(self, value: float | None) -> str:
        """Return a value with one digit after the point."""
        return self.words(value, 1)

    def marks(self, values: Sequence[float]) -> list[str]:
        """Return the values of an axis: whole numbers if all are."""
        are_whole = all(math.isclose(self.size * value, round(self.size * value)) for value in values)
        return [self.words(value, 0 if are_whole else 1) for value in values]


PERCENT = Unit(percent, 100)
NUMBER = Unit(decimal, 1)


def grid(up: Scale, marks: Sequence[float], unit: Unit, left: float, right: float) -> list[Markup]:
    """Return a line across the chart for each mark, with its value on the left."""
    return [
        part
        for mark, words in zip(marks, unit.marks(marks), strict=True)
        for part in (
            element("line", x1=left, x2=right, y1=up(mark), y2=up(mark), class_="grid"),
            element("text", words, x=left - 6, y=up(mark) + 4, class_="tick", text_anchor="end"),
        )
    ]


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
