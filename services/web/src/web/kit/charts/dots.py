"""Figures of rounds in their order, each as a dot on its 95 % interval, in one series or two."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from web.kit.charts.scales import Scale, Unit, grid, ticks
from web.kit.charts.svg import element, names_apart, picture, whisker
from web.kit.language import _

WIDTH, HEIGHT = 460, 240
LEFT, RIGHT, TOP, BOTTOM = 48, 262, 12, 192
SIDE_BY_SIDE = 6.0
DOT = 4.0
LABEL_GAP = 8
FEWEST_DOTS = 2


@dataclass(frozen=True)
class Dot:
    """A figure with its interval; the bounds are None if there is none."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class DotSeries:
    """Figures of one kind by place, None where there is none; a plain series has squares in place of dots."""

    name: str
    dots: Sequence[Dot | None]
    is_plain: bool = False

    @property
    def style(self) -> str:
        """The class that gives the series its colour."""
        return "series-plain" if self.is_plain else "series-accent"

    @property
    def known(self) -> list[Dot]:
        """The known figures."""
        return [dot for dot in self.dots if dot is not None]


def round_dots(
    chart_id: str,
    title: str,
    numbers: Sequence[int],
    series: Sequence[DotSeries],
    unit: Unit,
    most: float = float("inf"),
) -> Markup:
    """Return the picture of rounds, given by their numbers; empty if no series has two figures to compare.

    Intervals are cut off at `most`.
    """
    drawn = [each for each in series if len(each.known) >= FEWEST_DOTS]
    if not drawn:
        return Markup()
    marks = ticks(min(most, max(max(dot.value, dot.high or 0) for each in drawn for dot in each.known)))
    up, across = Scale(0, marks[-1], BOTTOM, TOP), Scale(0, len(numbers), LEFT, RIGHT)
    ends = [
        (up(each.known[-1].value), f"{each.name} {unit.value(each.known[-1].value)}", each.style)
        for each in drawn
    ]
    return picture(
        chart_id,
        title,
        WIDTH,
        HEIGHT,
        *grid(up, marks, unit, LEFT, RIGHT),
        *_below(across, numbers),
        *(
            mark
            for place, each in enumerate(drawn)
            for mark in _marks(each, _aside(place, drawn), across, up)
        ),
        *names_apart(ends, RIGHT + LABEL_GAP),
    )


def _below(across: Scale, numbers: Sequence[int]) -> list[Markup]:
    """Return the numbers of the rounds, and what they are."""
    words = [
        element(
            "text", str(number), x=across(place + 0.5), y=BOTTOM + 20, class_="tick", text_anchor="middle"
        )
        for place, number in enumerate(numbers)
    ]
    middle = (LEFT + RIGHT) / 2
    caption = element("text", _("round"), x=middle, y=BOTTOM + 42, class_="tick", text_anchor="middle")
    return [*words, caption]


def _aside(place: int, series: Sequence[DotSeries]) -> float:
    """Return how far from the middle of its place a series is drawn."""
    return SIDE_BY_SIDE * (2 * place - len(series) + 1)


def _marks(series: DotSeries, aside: float, across: Scale, up: Scale) -> list[Markup]:
    drawn = []
    for place, dot in enumerate(series.dots):
        if dot is None:
            continue
        x, y, style = across(place + 0.5) + aside, up(dot.value), f"dot {series.style}"
        if dot.low is not None and dot.high is not None:
            drawn.append(whisker(x, up(dot.low), max(TOP, up(dot.high)), series.style))
        if series.is_plain:
            drawn.append(element("rect", x=x - DOT, y=y - DOT, width=2 * DOT, height=2 * DOT, class_=style))
        else:
            drawn.append(element("circle", cx=x, cy=y, r=DOT, class_=style))
    return drawn
