"""Chart of a round's validated errors over time, with the goal and the band of its expected date."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta

from dynabench_client.results.leaderboard import BurnUp, BurnUpPoint, Forecast
from markupsafe import Markup

from web.kit.charts.scales import NUMBER, Scale, grid, ticks, time_words
from web.kit.charts.svg import Chart, Table, element, path, picture
from web.kit.language import N_, _, capitalised
from web.kit.numbers import count, day
from web.kit.service_words import service_words

WIDTH, HEIGHT = 460, 240
LEFT, RIGHT, TOP, BOTTOM = 48, 400, 14, 208
LONGEST_LOOK_AHEAD = 2.0
CHART_ID = "chart-burn-up"
TITLE = N_("Confirmed errors towards the goal")
Place = tuple[float, float]


def burn_up(found: BurnUp) -> Chart | None:
    """Return the chart; None with fewer than two points in time."""
    points = [(point.at, point.validated) for point in found.points if point.at is not None]
    if len(points) < 2:
        return None
    return Chart(
        CHART_ID,
        _(TITLE),
        _description(found),
        _Drawing(points, found.goal, found.forecast).picture(),
        Table([_("Time (UTC)"), _("Confirmed errors")], [_row(point) for point in found.points]),
    )


def forecast_words(forecast: Forecast) -> str:
    """Return the range of days for reaching the goal, for example `12 Dec to 16 Dec`."""
    low, high = _moment(forecast.low), _moment(forecast.high)
    if low is None or high is None:
        return ""
    if low.date() == high.date():
        return _day(low)
    return _("%(first)s to %(last)s", first=_day(low), last=_day(high))


def _description(found: BurnUp) -> str:
    sentences = [] if found.goal is None else [_("The goal is %(goal)s.", goal=count(found.goal))]
    if found.per_day is not None:
        sentences.append(_("%(errors)s a day over the last 28 days.", errors=f"{found.per_day:.1f}"))
    if found.forecast is not None:
        sentences.append(
            _(
                "Expected date at this pace: %(days)s (95 %%).",
                days=forecast_words(found.forecast),
            )
        )
    elif found.reason:
        sentences.append(capitalised(f"{service_words(found.reason)}."))
    return " ".join(sentences)


class _Drawing:
    """The drawing; a band with a distant end leaves it."""

    def __init__(
        self, points: Sequence[tuple[datetime, int]], goal: int | None, forecast: Forecast | None
    ) -> None:
        self._points = [(at.timestamp(), float(validated)) for at, validated in points]
        self._first, self._last = points[0][0], points[-1][0]
        self._goal = None if goal is None else float(goal)
        self._forecast = forecast if goal is not None and points[-1][1] < goal else None
        highest = max(self._points[-1][1], self._goal or 0, 1)
        self._marks = [mark for mark in ticks(highest) if mark == int(mark)]
        self._end = self._end_of_time()
        self._across = Scale(self._first.timestamp(), self._end.timestamp(), LEFT, RIGHT)
        self._up = Scale(0, max(self._marks[-1], highest), BOTTOM, TOP)

    def picture(self) -> Markup:
        """Return the drawing."""
        return picture(
            CHART_ID, _(TITLE), WIDTH, HEIGHT, *self._axes(), *self._goal_line(), *self._band(), *self._line()
        )

    def _end_of_time(self) -> datetime:
        high = _moment(self._forecast.high) if self._forecast else None
        expected = _moment(self._forecast.expected) if self._forecast else None
        if high is None or expected is None:
            return self._last
        return max(self._last, min(high, self._last + LONGEST_LOOK_AHEAD * (expected - self._last)))

    def _place(self, at: float, validated: float) -> Place:
        return self._across(at), self._up(validated)

    def _axes(self) -> list[Markup]:
        drawn = grid(self._up, self._marks, NUMBER, LEFT, RIGHT)
        span = self._end - self._first
        ends = [(self._first, "start"), (self._first + span / 2, "middle"), (self._end, "end")]
        for moment, anchor in ends if span else [(self._last, "middle")]:
            words = time_words(moment, span or timedelta(days=1))
            x = self._across(moment.timestamp())
            drawn.append(element("text", words, x=x, y=BOTTOM + 20, class_="tick", text_anchor=anchor))
        return drawn

    def _goal_line(self) -> list[Markup]:
        if self._goal is None:
            return []
        y = self._up(self._goal)
        return [
            element("line", x1=LEFT, x2=RIGHT, y1=y, y2=y, class_="line series-plain"),
            element("text", _("goal"), x=RIGHT + 6, y=y + 4, class_="name series-plain"),
        ]

    def _band(self) -> list[Markup]:
        """Draw the band from the newest point to the goal, with the expected course in it."""
        if self._forecast is None or self._goal is None:
            return []
        bounds = [
            _moment(each) for each in (self._forecast.low, self._forecast.expected, self._forecast.high)
        ]
        low, expected, high = bounds
        if low is None or expected is None or high is None:
            return []
        early, middle, late = (self._reaches(each) for each in (low, expected, high))
        here = self._place(*self._points[-1])
        corner = [self._place(self._end.timestamp(), self._goal)] if late[1] > self._up(self._goal) else []
        return [
            element("path", d=path([here, early, *corner, late], closed=True), class_="band series-accent"),
            element("path", d=path([here, middle]), class_="line forecast series-accent"),
        ]

    def _reaches(self, when: datetime) -> Place:
        """Return the point at which a course reaches the goal on that day, or leaves the drawing."""
        start, validated = self._points[-1]
        goal, arrival, end = self._goal or 0.0, max(when.timestamp(), start), self._end.timestamp()
        if arrival <= end or arrival == start:
            return self._place(min(arrival, end), goal)
        return self._place(end, validated + (goal - validated) * (end - start) / (arrival - start))

    def _line(self) -> list[Markup]:
        places = [self._place(*point) for point in self._points]
        x, y = places[-1]
        drawn = [element("path", d=path(places), class_="line series-accent")] if len(places) > 1 else []
        words = count(self._points[-1][1])
        is_at_edge = x > (LEFT + RIGHT) / 2
        name = element(
            "text",
            words,
            x=x - 8 if is_at_edge else x + 8,
            y=max(y - 8, TOP) if is_at_edge else y + 14,
            class_="name series-accent",
            text_anchor="end" if is_at_edge else "start",
        )
        return [*drawn, element("circle", cx=x, cy=y, r=3.5, class_="dot series-accent"), name]


def _moment(day: date | datetime | None) -> datetime | None:
    if day is None or isinstance(day, datetime):
        return day
    return datetime.combine(day, time(), UTC)


def _day(moment: datetime) -> str:
    known = day(moment)
    return known.words if known else ""


def _row(point: BurnUpPoint) -> list[str]:
    at = point.at
    return [f"{_day(at)} {at:%H:%M}" if at else "", count(point.validated)]
