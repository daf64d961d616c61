"""MER and vMER of a round over time, with their 95 % intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from dynabench_client.results.leaderboard import HistoryPoint, RoundFigures
from markupsafe import Markup

from web.kit import isolation
from web.kit.charts.scales import Scale, ticks, time_words
from web.kit.charts.svg import Chart, Table, element, path, picture
from web.kit.language import N_, _
from web.kit.numbers import count, day_and_seconds, day_and_time, interval, percent

WIDTH, HEIGHT = 460, 240
LEFT, RIGHT, TOP, BOTTOM = 48, 338, 12, 208
LINE_HEIGHT = 15
LABEL_GAP = 8
CHART_ID = "chart-over-time"
TITLE = N_("MER and vMER over time")


@dataclass(frozen=True)
class _Value:
    at: datetime
    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class _Series:
    name: str
    style: str
    values: list[_Value]


def over_time(points: Sequence[HistoryPoint], figures: RoundFigures) -> Chart | None:
    """Return the chart, or None before there are two moments to draw a line between."""
    dated = [point for point in points if point.at is not None]
    series = [
        _Series("MER", "series-plain", _values(dated, "mer", figures)),
        _Series("vMER", "series-accent", _values(dated, "vmer", figures)),
    ]
    if not any(len(part.values) > 1 for part in series):
        return None
    return Chart(
        CHART_ID,
        _(TITLE),
        _described(figures),
        _draw(series),
        Table(
            [_("Time (UTC)"), _("Tries with a verdict"), "MER", "95 %", "vMER", "95 %"],
            [_row(point, dated) for point in dated],
        ),
    )


def _described(figures: RoundFigures) -> str:
    if not figures.vmer_range.pending:
        return _("Shares of all tries until then, in percent, with 95 % intervals where they are known.")
    return _(
        "Shares of all tries until then, in percent, with 95 % intervals where they are known. "
        "vMER is as it stood: it rises with votes that are still missing."
    )


def _values(points: Sequence[HistoryPoint], name: str, figures: RoundFigures) -> list[_Value]:
    """Return a series; where the history has no interval, the last point has the present one."""
    values = []
    for point in points:
        share = getattr(point, name)
        if share is not None and point.at is not None:
            values.append(_Value(point.at, share, *_bounds(point, name)))
    now = getattr(figures, name)
    if values and values[-1].low is None and now.low is not None:
        values[-1] = _Value(values[-1].at, values[-1].value, now.low, now.high)
    return values


def _bounds(point: HistoryPoint, name: str) -> tuple[float | None, float | None]:
    document = point.document()
    low, high = document.get(f"{name}_low"), document.get(f"{name}_high")
    return (low, high) if isinstance(low, int | float) and isinstance(high, int | float) else (None, None)


def _draw(series: list[_Series]) -> Markup:
    values = [value for part in series for value in part.values]
    times = [value.at.timestamp() for value in values]
    across = Scale(min(times), max(times), LEFT, RIGHT)
    marks = ticks(min(1.0, max(max(value.value, value.high or 0) for value in values)))
    up = Scale(0, marks[-1], BOTTOM, TOP)
    return picture(
        CHART_ID,
        _(TITLE),
        WIDTH,
        HEIGHT,
        *_axes(across, up, marks, values),
        *(mark for part in series for mark in _band(part, across, up)),
        *(mark for part in series for mark in _line(part, across, up)),
        *_names(series, up),
    )


def _axes(across: Scale, up: Scale, marks: list[float], values: list[_Value]) -> list[Markup]:
    drawn = []
    for mark in marks:
        y = up(mark)
        drawn.append(element("line", x1=LEFT, x2=RIGHT, y1=y, y2=y, class_="grid"))
        words = percent(mark, 0 if marks[-1] >= 0.05 else 1)
        drawn.append(element("text", words, x=LEFT - 6, y=y + 4, class_="tick", text_anchor="end"))
    first, last = min(value.at for value in values), max(value.at for value in values)
    ends = [(first, "start"), (first + (last - first) / 2, "middle"), (last, "end")]
    for moment, anchor in ends if last > first else [(last, "middle")]:
        words = time_words(moment, last - first if last > first else timedelta(days=1))
        place = across(moment.timestamp())
        style = "tick between" if anchor == "middle" and last > first else "tick"
        drawn.append(element("text", words, x=place, y=BOTTOM + 20, class_=style, text_anchor=anchor))
    return drawn


def _band(part: _Series, across: Scale, up: Scale) -> list[Markup]:
    bounded = [value for value in part.values if value.low is not None and value.high is not None]
    if len(bounded) < 2:
        return []
    top = [(across(value.at.timestamp()), up(value.high or 0)) for value in bounded]
    bottom = [(across(value.at.timestamp()), up(value.low or 0)) for value in reversed(bounded)]
    return [element("path", d=path(top + bottom, closed=True), class_=f"band {part.style}")]


def _line(part: _Series, across: Scale, up: Scale) -> list[Markup]:
    if not part.values:
        return []
    places = [(across(value.at.timestamp()), up(value.value)) for value in part.values]
    drawn = [element("path", d=path(places), class_=f"line {part.style}")] if len(places) > 1 else []
    last, (x, y) = part.values[-1], places[-1]
    if last.low is not None and last.high is not None:
        drawn.append(
            element("line", x1=x, x2=x, y1=up(last.low), y2=up(last.high), class_=f"whisker {part.style}")
        )
    return [*drawn, element("circle", cx=x, cy=y, r=3.5, class_=f"dot {part.style}")]


def _names(series: list[_Series], up: Scale) -> list[Markup]:
    """Name each line at its end; the names are at least one line of text away from each other."""
    named = sorted((part for part in series if part.values), key=lambda part: up(part.values[-1].value))
    drawn, reached = [], -float("inf")
    for part in named:
        y = max(up(part.values[-1].value), reached + LINE_HEIGHT)
        reached = y
        words = f"{part.name} {percent(part.values[-1].value)}"
        drawn.append(
            element("text", words, x=RIGHT + LABEL_GAP, y=y + 4, class_=f"name {part.style}", **isolation.SVG)
        )
    return drawn


def _row(point: HistoryPoint, points: Sequence[HistoryPoint]) -> list[str]:
    span = (points[-1].at - points[0].at) if points[-1].at and points[0].at else timedelta()
    at = point.at
    return [
        (day_and_seconds(at) if span < timedelta(minutes=5) else day_and_time(at)) if at else "",
        count(point.tries),
        percent(point.mer),
        interval(*_bounds(point, "mer")) or "–",
        percent(point.vmer),
        interval(*_bounds(point, "vmer")) or "–",
    ]
