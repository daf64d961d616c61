"""Upright bars over stretches of a number: how many examples have it, or how much was new in each stretch."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dynabench_client.results.datasets import Bin
from markupsafe import Markup

from web.kit.charts.scales import NUMBER, Scale, grid, ticks
from web.kit.charts.svg import Chart, Table, element, picture
from web.kit.language import _, capitalised
from web.kit.numbers import count

WIDTH, HEIGHT = 460, 230
LEFT, RIGHT, TOP, BOTTOM = 52, 434, 28, 176
GAP = 1.0
THINNEST = 1.5
EDGE = 60.0


@dataclass(frozen=True)
class Axis:
    """Meaning of the axes: the unit of the lower one, the counted things, and the format of values on the lower one.

    `counted` is `examples` if it is empty.
    """

    unit: str
    words: Callable[[float], str]
    counted: str = ""

    def counted_words(self) -> str:
        """Return what bars count."""
        return self.counted or _("examples")


def histogram(
    chart_id: str, title: str, description: str, axis: Axis, bins: Sequence[Bin], median: float | None = None
) -> Chart | None:
    """Return the chart, with a line at the median if there is one; a sentence for one bin, None for none."""
    filled = [each for each in bins if each.count]
    if not filled:
        return None
    if len(filled) == 1:
        words = f"{description} {_only(axis, filled[0])}".strip()
        return Chart(chart_id, title, words, Markup(), Table([], []))
    return Chart(
        chart_id,
        title,
        description,
        picture(chart_id, title, WIDTH, HEIGHT, *_Drawing(axis, bins, median).marks()),
        Table(
            [_("From (%(unit)s)", unit=axis.unit), _("Below"), capitalised(axis.counted_words())],
            [[axis.words(each.low), axis.words(each.high), count(each.count)] for each in bins],
        ),
    )


def _only(axis: Axis, found: Bin) -> str:
    """Return a sentence in place of a single bar."""
    return _(
        "%(number)s %(counted)s (%(unit)s: %(low)s to %(high)s).",
        number=count(found.count),
        counted=axis.counted_words(),
        low=axis.words(found.low),
        high=axis.words(found.high),
        unit=axis.unit,
    )


class _Drawing:
    """The picture; bins have the widths that they have."""

    def __init__(self, axis: Axis, bins: Sequence[Bin], median: float | None) -> None:
        self._axis = axis
        self._bins = bins
        self._median = median
        highest = max(each.count for each in bins)
        self._counts = [mark for mark in ticks(max(highest, 2), most=4) if mark == int(mark)]
        self._across = Scale(bins[0].low, bins[-1].high, LEFT, RIGHT)
        self._up = Scale(0, max(self._counts[-1], highest), BOTTOM, TOP)

    def marks(self) -> list[Markup]:
        """Return all that is drawn."""
        return [*self._grid(), *self._bars(), *self._median_line(), *self._values(), *self._names()]

    def _grid(self) -> list[Markup]:
        return grid(self._up, self._counts, NUMBER, LEFT, RIGHT)

    def _bars(self) -> list[Markup]:
        drawn = []
        for each in self._bins:
            if not each.count:
                continue
            left, right = self._across(each.low), self._across(each.high)
            top = min(self._up(each.count), BOTTOM - THINNEST)
            width = max(THINNEST, right - left - GAP)
            drawn.append(element("rect", x=left, y=top, width=width, height=BOTTOM - top, class_="bar"))
        return drawn

    def _median_line(self) -> list[Markup]:
        """Draw the median where it lies within the bins."""
        if self._median is None or not self._bins[0].low <= self._median <= self._bins[-1].high:
            return []
        x = self._across(self._median)
        anchor = "end" if x > RIGHT - EDGE else "start" if x < LEFT + EDGE else "middle"
        return [
            element("line", x1=x, x2=x, y1=TOP - 8, y2=BOTTOM, class_="median-ground"),
            element("line", x1=x, x2=x, y1=TOP - 8, y2=BOTTOM, class_="median"),
            element("text", _("median"), x=x, y=TOP - 12, class_="tick", text_anchor=anchor),
        ]

    def _values(self) -> list[Markup]:
        low, high = self._bins[0].low, self._bins[-1].high
        wanted = [low + mark for mark in ticks(high - low) if low + mark <= high]
        return [
            element(
                "text", self._axis.words(value), x=self._across(value), y=BOTTOM + 18, class_="tick",
                text_anchor="middle",
            )
            for value in wanted
        ]  # fmt: skip

    def _names(self) -> list[Markup]:
        middle = (LEFT + RIGHT) / 2
        return [
            element("text", self._axis.unit, x=middle, y=BOTTOM + 38, class_="tick", text_anchor="middle"),
            element("text", self._axis.counted_words(), x=4, y=TOP - 12, class_="tick"),
        ]
