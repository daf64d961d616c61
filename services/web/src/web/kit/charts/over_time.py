"""Lines over time of a round, with their 95 % intervals: its fool rates, and the effort to fool."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from dynabench_client.results.leaderboard import HistoryPoint, Rate, RoundFigures
from markupsafe import Markup

from web.kit.charts.scales import NUMBER, PERCENT, Scale, Unit, grid, ticks, time_words
from web.kit.charts.svg import Chart, Table, element, names_apart, path, picture, whisker
from web.kit.language import N_, _, pgettext
from web.kit.numbers import MISSING, between, count, day_and_seconds, day_and_time, interval, percent

WIDTH, HEIGHT = 460, 240
LEFT, RIGHT, TOP, BOTTOM = 48, 262, 12, 208
LABEL_GAP = 8
LONGEST_BETWEEN = 12
"""Most letters of the label in the middle of the axis: a longer one would touch those at its ends."""
RATES_ID, RATES = "chart-over-time", N_("Fool rates over time")
EFFORT_ID, EFFORT = "chart-effort-over-time", N_("Effort to fool over time")


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
    """Return the chart of the fool rates, or None before there are two moments to draw a line between."""
    dated = [point for point in points if point.at is not None]
    series = [
        _Series(
            pgettext("name of a line", "Fool rate"),
            "series-plain",
            _up_to_now(_values(dated, "mer"), figures.mer),
        ),
        _Series(
            pgettext("name of a line", "Confirmed"),
            "series-accent",
            _up_to_now(_values(dated, "vmer"), figures.vmer),
        ),
    ]
    if not any(len(part.values) > 1 for part in series):
        return None
    return Chart(
        RATES_ID,
        _(RATES),
        _described(figures),
        _draw(RATES_ID, _(RATES), series, PERCENT),
        Table(
            [
                _("Time (UTC)"),
                _("Tries with a verdict"),
                _("Fool rate"),
                "95 %",
                _("Confirmed fool rate"),
                "95 %",
            ],
            [
                [
                    *_start_of_row(point, dated),
                    percent(point.mer),
                    interval(*_bounds(point, "mer")) or MISSING,
                    percent(point.vmer),
                    interval(*_bounds(point, "vmer")) or MISSING,
                ]
                for point in dated
            ],
        ),
    )


def effort_over_time(points: Sequence[HistoryPoint]) -> Chart | None:
    """Return the chart of the tries per fooling, or None before there are two moments with a fooling try."""
    name = "tries_per_fooling"
    dated = [point for point in points if point.tries_per_fooling is not None]
    if len(dated) < 2:
        return None
    series = [_Series(_("Tries"), "series-accent", _values(dated, name))]
    return Chart(
        EFFORT_ID,
        _(EFFORT),
        _(
            "Tries with a verdict for each try that fooled a model, so far, with 95 % intervals. The chart "
            "cuts off long intervals; the numbers have them whole."
        ),
        _draw(EFFORT_ID, _(EFFORT), series, NUMBER, 2 * max(value.value for value in series[0].values)),
        Table(
            [_("Time (UTC)"), _("Tries with a verdict"), _("Tries per fooling"), "95 %"],
            [
                [
                    *_start_of_row(point, dated),
                    NUMBER.value(point.tries_per_fooling),
                    between(*_bounds(point, name)) or MISSING,
                ]
                for point in dated
            ],
        ),
    )


def _described(figures: RoundFigures) -> str:
    if not figures.vmer_range.pending:
        return _("Shares of all tries so far, in percent, with 95 % intervals where they are known.")
    return _(
        "Shares of all tries so far, in percent, with 95 % intervals where they are known. The confirmed "
        "rate is still rising: some votes are not in yet."
    )


def _values(points: Sequence[HistoryPoint], name: str) -> list[_Value]:
    return [
        _Value(point.at, value, *_bounds(point, name))
        for point in points
        if (value := getattr(point, name)) is not None
    ]


def _up_to_now(values: list[_Value], now: Rate) -> list[_Value]:
    """Return a series; if its last point has no interval, with the present one there."""
    if not values or values[-1].low is not None or now.low is None:
        return values
    return [*values[:-1], replace(values[-1], low=now.low, high=now.high)]


def _bounds(point: HistoryPoint, name: str) -> tuple[float | None, float | None]:
    return getattr(point, f"{name}_low"), getattr(point, f"{name}_high")


def _draw(chart_id: str, title: str, series: list[_Series], unit: Unit, most: float = float("inf")) -> Markup:
    """Return the picture; intervals are cut off at `most`."""
    values = [value for part in series for value in part.values]
    times = [value.at.timestamp() for value in values]
    across = Scale(min(times), max(times), LEFT, RIGHT)
    marks = ticks(min(most, max(max(value.value, value.high or 0) for value in values)))
    up = Scale(0, marks[-1], BOTTOM, TOP)
    ends = [
        (up(last.value), f"{part.name} {unit.value(last.value)}", part.style)
        for part in series
        for last in part.values[-1:]
    ]
    return picture(
        chart_id,
        title,
        WIDTH,
        HEIGHT,
        *grid(up, marks, unit, LEFT, RIGHT),
        *_moments(across, values),
        *(mark for part in series for mark in _band(part, across, up)),
        *(mark for part in series for mark in _line(part, across, up)),
        *names_apart(ends, RIGHT + LABEL_GAP),
    )


def _moments(across: Scale, values: list[_Value]) -> list[Markup]:
    first, last = min(value.at for value in values), max(value.at for value in values)
    ends = [(first, "start"), (first + (last - first) / 2, "middle"), (last, "end")]
    drawn = []
    for moment, anchor in ends if last > first else [(last, "middle")]:
        words = time_words(moment, last - first if last > first else timedelta(days=1))
        if anchor == "middle" and last > first and len(words) > LONGEST_BETWEEN:
            continue
        place = across(moment.timestamp())
        style = "tick between" if anchor == "middle" and last > first else "tick"
        drawn.append(element("text", words, x=place, y=BOTTOM + 20, class_=style, text_anchor=anchor))
    return drawn


def _band(part: _Series, across: Scale, up: Scale) -> list[Markup]:
    bounded = [value for value in part.values if value.low is not None and value.high is not None]
    if len(bounded) < 2:
        return []
    top = [(across(value.at.timestamp()), max(TOP, up(value.high or 0))) for value in bounded]
    bottom = [(across(value.at.timestamp()), up(value.low or 0)) for value in reversed(bounded)]
    return [element("path", d=path(top + bottom, closed=True), class_=f"band {part.style}")]


def _line(part: _Series, across: Scale, up: Scale) -> list[Markup]:
    if not part.values:
        return []
    places = [(across(value.at.timestamp()), up(value.value)) for value in part.values]
    drawn = [element("path", d=path(places), class_=f"line {part.style}")] if len(places) > 1 else []
    last, (x, y) = part.values[-1], places[-1]
    if last.low is not None and last.high is not None:
        drawn.append(whisker(x, up(last.low), max(TOP, up(last.high)), part.style))
    return [*drawn, element("circle", cx=x, cy=y, r=3.5, class_=f"dot {part.style}")]


def _start_of_row(point: HistoryPoint, points: Sequence[HistoryPoint]) -> list[str]:
    is_short = points[-1].at - points[0].at < timedelta(minutes=5)
    return [day_and_seconds(point.at) if is_short else day_and_time(point.at), count(point.tries)]
