"""Counts side by side as upright bars: tries by day, or by round."""

from collections.abc import Sequence

from markupsafe import Markup

from web.kit.charts.scales import NUMBER, Scale, grid, ticks
from web.kit.charts.svg import Chart, Table, element, picture
from web.kit.numbers import count

WIDTH, HEIGHT = 460, 190
LEFT, RIGHT, TOP, BOTTOM = 42, 448, 14, 160
WIDEST = 40.0
GAP = 0.25
ROOM_FOR_LABEL = 52


def columns(
    chart_id: str, title: str, description: str, headers: tuple[str, str], values: Sequence[tuple[str, int]]
) -> Chart | None:
    """Return the chart of `(name, how many)`, or None where there is nothing to count; for one, a sentence."""
    filled = [(name, number) for name, number in values if number]
    if not filled:
        return None
    highest = max(number for _name, number in filled)
    if len(filled) == 1:
        words = f"{description} {headers[1]}: {count(highest)} ({filled[0][0]})."
        return Chart(chart_id, title, words, Markup(), Table([], []))
    return Chart(
        chart_id,
        title,
        description,
        picture(
            chart_id,
            title,
            WIDTH,
            HEIGHT,
            *grid(_up(highest), _marks(highest), NUMBER, LEFT, RIGHT),
            *_bars(values, highest),
        ),
        Table(list(headers), [[name, count(number)] for name, number in values]),
    )


def _marks(highest: int) -> list[float]:
    """Return round whole numbers up to the highest or just over it."""
    return [mark for mark in ticks(max(highest, 2), most=4) if mark == int(mark)]


def _up(highest: int) -> Scale:
    return Scale(0, max(_marks(highest)[-1], highest), BOTTOM, TOP)


def _bars(values: Sequence[tuple[str, int]], highest: int) -> list[Markup]:
    up, step = _up(highest), (RIGHT - LEFT) / len(values)
    width = min(WIDEST, step * (1 - GAP))
    every = max(1, -(-ROOM_FOR_LABEL * len(values) // (RIGHT - LEFT)))
    drawn = []
    for position, (name, number) in enumerate(values):
        middle = LEFT + step * (position + 0.5)
        if number:
            top = min(up(number), BOTTOM - 1.5)
            drawn.append(
                element(
                    "rect", x=middle - width / 2, y=top, width=width, height=BOTTOM - top, rx=2, class_="bar"
                )
            )
        if position % every == 0:
            drawn.append(element("text", name, x=middle, y=BOTTOM + 18, class_="tick", text_anchor="middle"))
    return drawn
