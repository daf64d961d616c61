"""Rates side by side, each as a dot on its 95 % interval."""

from collections.abc import Sequence

from markupsafe import Markup

from web.kit import isolation
from web.kit.charts.scales import Scale, ticks
from web.kit.charts.svg import Chart, Table, element, picture, shortened
from web.kit.language import _
from web.kit.numbers import RateView

WIDTH, ROW, TOP, FOOT = 460, 28, 6, 24
LEFT, RIGHT = 132, 390
LONGEST_NAME = 18
LETTER = 9


def intervals(
    chart_id: str,
    title: str,
    part: str,
    measure: str,
    rates: Sequence[tuple[str, RateView, list[str]]],
    more: list[str],
) -> Chart | None:
    """Return the chart, or None where there are no two rates to hold against each other.

    `rates` are `(name, rate, further cells)`; `more` are the headers of the further cells, `part` of the first column.
    """
    drawn = [(name, rate) for name, rate, _cells in rates if rate.share is not None]
    if len(drawn) < 2:
        return None
    height = TOP + ROW * len(drawn) + FOOT
    rows = [
        [isolation.name(name), *cells, rate.value, rate.interval or (rate.note or "–")]
        for name, rate, cells in rates
    ]
    return Chart(
        chart_id,
        title,
        _("%(measure)s in percent with its 95 %% interval.", measure=measure),
        picture(chart_id, title, WIDTH, height, *_draw(drawn)),
        Table([part, *more, measure, "95 %"], rows),
    )


def _draw(rates: Sequence[tuple[str, RateView]]) -> list[Markup]:
    marks = ticks(min(1.0, max(max(rate.share or 0, rate.high or 0) for _name, rate in rates)), most=4)
    names = [shortened(name, LONGEST_NAME) for name, _rate in rates]
    left = max(LEFT, LETTER * max(map(len, names)) + 10)
    across = Scale(0, marks[-1], left, RIGHT)
    bottom = TOP + ROW * len(rates)
    drawn = [
        part
        for mark in marks
        for part in (
            element("line", x1=across(mark), x2=across(mark), y1=TOP, y2=bottom, class_="grid"),
            element(
                "text",
                f"{100 * mark:g} %",
                x=across(mark),
                y=bottom + 16,
                class_="tick",
                text_anchor="middle",
            ),
        )
    ]
    for position, (short, (_name, rate)) in enumerate(zip(names, rates, strict=True)):
        y = TOP + ROW * (position + 0.5)
        drawn.append(
            element("text", short, x=left - 10, y=y + 4, class_="tick", text_anchor="end", **isolation.SVG)
        )
        if rate.low is not None and rate.high is not None:
            drawn.append(
                element(
                    "line",
                    x1=across(rate.low),
                    x2=across(rate.high),
                    y1=y,
                    y2=y,
                    class_="whisker series-accent",
                )
            )
        drawn.append(element("circle", cx=across(rate.share or 0), cy=y, r=4, class_="dot series-accent"))
        drawn.append(element("text", rate.value, x=RIGHT + 14, y=y + 4, class_="value"))
    return drawn
