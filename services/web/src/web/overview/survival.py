"""Survival chart: contexts not fooled yet by the number of tries, one falling step line per target."""

from collections.abc import Sequence

from dynabench_client.results.leaderboard import Effort, SurvivalPoint
from markupsafe import Markup

from web.kit import isolation
from web.kit.charts.scales import PERCENT, Scale, grid
from web.kit.charts.svg import Chart, Table, element, names_apart, path, picture
from web.kit.language import N_, _
from web.kit.numbers import MISSING, count, interval, percent
from web.overview.effort import effort_name, shown_efforts

WIDTH, HEIGHT = 460, 240
LEFT, RIGHT, TOP, BOTTOM = 48, 294, 12, 200
MOST_LABELS = 8
LONGEST_NAME = 16
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
CHART_ID = "chart-survival"
TITLE = N_("Contexts without a fooled model")


def survival(efforts: Sequence[Effort]) -> Chart | None:
    """Return the chart; None without tries. A single target is left out, because it equals the rule."""
    drawn = [effort for effort in shown_efforts(efforts) if effort.survival]
    if not drawn:
        return None
    return Chart(
        CHART_ID,
        _(TITLE),
        _(
            "Share of contexts on which no try has fooled a model, by the number of tries. Contexts that "
            "were given up are counted up to that moment."
        ),
        picture(CHART_ID, _(TITLE), WIDTH, HEIGHT, *_draw(drawn)),
        Table([_("Model"), _("Tries"), _("Not fooled yet"), "95 %", _("Contexts left")], _rows(drawn)),
    )


def _draw(efforts: Sequence[Effort]) -> list[Markup]:
    most = max(point.tries for effort in efforts for point in effort.survival)
    across, up = Scale(0, max(most, 1), LEFT, RIGHT), Scale(0, 1, BOTTOM, TOP)
    return [*_axes(across, up, max(most, 1)), *_lines(efforts, across, up), *_names(efforts, up)]


def _axes(across: Scale, up: Scale, most: int) -> list[Markup]:
    drawn = grid(up, SHARES, PERCENT, LEFT, RIGHT)
    every = -(-most // MOST_LABELS)
    for tries in range(0, most + 1, every):
        drawn.append(
            element("text", str(tries), x=across(tries), y=BOTTOM + 18, class_="tick", text_anchor="middle")
        )
    middle = (LEFT + RIGHT) / 2
    drawn.append(element("text", _("tries"), x=middle, y=BOTTOM + 34, class_="tick", text_anchor="middle"))
    return drawn


def _lines(efforts: Sequence[Effort], across: Scale, up: Scale) -> list[Markup]:
    return [
        element("path", d=path(_steps(effort.survival, across, up)), class_=f"line {_style(effort)}")
        for effort in reversed(efforts)
    ]


def _steps(points: Sequence[SurvivalPoint], across: Scale, up: Scale) -> list[tuple[float, float]]:
    places, share = [(across(0), up(1))], 1.0
    for point in points:
        places += [(across(point.tries), up(share)), (across(point.tries), up(point.share))]
        share = point.share
    return places


def _names(efforts: Sequence[Effort], up: Scale) -> list[Markup]:
    """Label each line at its end."""
    ends = [(up(_last_share(effort)), _short(effort_name(effort)), _style(effort)) for effort in efforts]
    return names_apart(ends, RIGHT + 8)


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def _last_share(effort: Effort) -> float:
    shares = [point.share for point in effort.survival if point.share is not None]
    return shares[-1] if shares else 1.0


def _style(effort: Effort) -> str:
    return "series-accent" if effort.target is None else "series-plain"


def _rows(efforts: Sequence[Effort]) -> list[list[str]]:
    return [
        [
            isolation.name(effort.target) or effort_name(effort),
            *(count(point.tries), percent(point.share), _between(point), count(point.at_risk)),
        ]
        for effort in efforts
        for point in effort.survival
    ]


def _between(point: SurvivalPoint) -> str:
    return interval(point.low, point.high) or MISSING
