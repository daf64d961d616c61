"""The page of a round: its figures, live, the cost of a confirmed error, and its owner's controls."""

from collections.abc import Sequence
from typing import TypeAlias
from uuid import UUID

from dynabench_client.results.annotation import Round, Task
from dynabench_client.results.crowd import ErrorCost
from dynabench_client.results.leaderboard import History, RoundFigures
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.problems import not_found
from flask import Blueprint, Response, make_response, render_template, request

from web.kit import session
from web.kit.charts.fooling import fooling
from web.kit.charts.funnel import funnel
from web.kit.charts.intervals import intervals
from web.kit.charts.over_time import over_time
from web.kit.charts.svg import Chart
from web.kit.configuration import TaskRules, task_rules
from web.kit.dependencies import dependencies, platform
from web.kit.language import _, ngettext
from web.kit.money import money
from web.kit.numbers import RateView, count
from web.kit.owners_start import OwnersStart, owners_start
from web.kit.parallel import Part, page_reads, round_and_task
from web.kit.public_examples import begin_wall, wall
from web.kit.released import released_as
from web.kit.rendering import page
from web.kit.round_actions import actions, round_address
from web.kit.rounds import (
    FiguresRow,
    FiguresView,
    figures_view,
    funnel_stages,
    is_started,
    opened_at,
    round_view,
)
from web.kit.security import shown_on_other_sites
from web.kit.sharing import frame_code, own_address
from web.kit.tries_line import tries_line
from web.rounds.contexts_view import policy_words
from web.rounds.targets_view import lost_views, pair_rows

blueprint = Blueprint("rounds", __name__)
WIDGET_HEIGHT = 260
ChartRow: TypeAlias = tuple[str, RateView, list[str]]
"""A table row: a name, a rate, and the cells between them."""
ERROR_COST_SECONDS = 2.0


@blueprint.get("/rounds/<uuid:round_id>")
@requires(Permission.USE_PAGES)
def get_round(round_id: UUID) -> Response:
    """Show a round."""
    begin_figures(str(round_id))
    begin_wall(round_id=str(round_id))
    begin_error_cost(str(round_id))
    page_reads().read(platform().annotation.lost_targets, str(round_id))
    return _round_page(*round_and_task(str(round_id)))


@blueprint.get("/rounds/<uuid:round_id>/figures")
@requires(Permission.USE_PAGES)
def get_figures(round_id: UUID) -> Response:
    """Send only the figures to the open page; 304 without a change."""
    begin_figures(str(round_id))
    found = page_reads().read(platform().annotation.round, str(round_id)).needed()
    text = render_template("rounds/figures.html", **_figures(found), is_refresh=True)
    response = make_response(text)
    response.add_etag()
    response.make_conditional(request)
    return response


@blueprint.get("/rounds/<uuid:round_id>/widget")
@requires(Permission.USE_PAGES)
@shown_on_other_sites
def get_widget(round_id: UUID) -> Response:
    """Show the round's result, for a frame on other websites."""
    everybody, reads = platform().acting_as(), page_reads()
    figures = reads.read(everybody.leaderboard.round, str(round_id))
    found = everybody.annotation.round(str(round_id))
    if not is_started(found):
        raise not_found("round", "round_id")
    task, board = everybody.annotation.task(found.task_slug), figures.value()
    return page(
        "rounds/widget.html",
        task=task_rules(task),
        round=round_view(found),
        tries=None if board is None else tries_line(board),
        address=own_address(f"/rounds/{round_id}"),
    )


def begin_figures(round_id: str) -> tuple[Part[RoundFigures], Part[History]]:
    """Start reading a round's figures and history."""
    client, reads = platform(), page_reads()
    return (
        reads.read(client.leaderboard.round, round_id),
        reads.read(client.leaderboard.history, round_id),
    )


def _round_page(found: Round, task: Task) -> Response:
    owns = session.viewer().owns(found.task_slug)
    lost = page_reads().read(platform().annotation.lost_targets, found.round_id).value()
    examples, rules = begin_wall(round_id=found.round_id), task_rules(task)
    return page(
        "rounds/page.html",
        200,
        task=rules,
        released=released_as(found),
        actions=actions(found) if owns else [],
        base=round_address(found),
        owns=owns,
        start=_start(rules, found) if owns else None,
        lost_targets=[] if lost is None else lost_views(lost),
        error_costs=error_cost_words(begin_error_cost(found.round_id)),
        policy=policy_words(task.configuration),
        contexts=found.contexts,
        frame=_frame(found, task.title) if is_started(found) else "",
        figures_seconds=dependencies().settings.figures_seconds,
        **_figures(found),
        wall=wall(examples, rules, slug=found.task_slug, round=found.round_id),
    )


def _frame(found: Round, task_title: str) -> str:
    title = _("%(task)s, round %(number)s", task=task_title, number=found.number)
    return frame_code(f"/rounds/{found.round_id}/widget", title, WIDGET_HEIGHT)


def _start(rules: TaskRules, found: Round) -> OwnersStart:
    """Return the way to the round's first try."""
    board = begin_figures(found.round_id)[0].value()
    return owners_start(rules, found, board.tries if board else None, joins=f"/rounds/{found.round_id}/join")


def _figures(found: Round) -> dict[str, object]:
    """Return the figures and charts that could be read."""
    figures, past = begin_figures(found.round_id)
    board, history = figures.value(), past.value()
    if board is None:
        return {"round": round_view(found), "figures": None, "charts": [], "pairs": []}
    view = figures_view(board)
    leaderboard = platform().leaderboard
    matrix = page_reads().read(leaderboard.matrix, found.round_id).value() if board.targets else None
    charts = [
        over_time(history.points, board) if history else None,
        funnel(funnel_stages(found.contexts, board)),
        fooling(matrix) if matrix else None,
        *_parts(view),
    ]
    return {
        "round": round_view(found, opened_at(board)),
        "figures": view,
        "charts": [chart for chart in charts if chart],
        "pairs": pair_rows(matrix),
    }


def _parts(view: FiguresView) -> list[Chart | None]:
    """Return the rates of the round's parts side by side; a single condition is left out, since it equals the round."""
    return [
        intervals(
            "chart-targets",
            _("Fool rate per model"),
            _("Model"),
            _("Fool rate"),
            _of_targets(view.targets, _mer_rows(view.targets)),
            [_("Tries with a verdict"), _("Fooled")],
        ),
        intervals(
            "chart-targets-validated",
            _("Confirmed errors per model"),
            _("Model"),
            _("Confirmed fool rate"),
            _of_targets(view.targets, _vmer_rows(view.targets)),
            [_("Tries with a verdict"), _("Errors")],
        ),
        intervals(
            "chart-segments",
            _("Confirmed fool rate per segment"),
            _("Segment"),
            _("Confirmed fool rate"),
            _vmer_rows(view.segments),
            [_("Tries with a verdict"), _("Errors")],
        ),
        intervals(
            "chart-conditions",
            _("Confirmed fool rate per condition"),
            _("Condition"),
            _("Confirmed fool rate"),
            _vmer_rows(view.conditions if len(view.conditions) > 1 else []),
            [_("Tries with a verdict"), _("Errors")],
        ),
    ]


def _of_targets(targets: Sequence[FiguresRow], rows: Sequence[ChartRow]) -> list[ChartRow]:
    """Return the rows with the target's detail added to its number of tries."""
    return [
        (name, rate, [f"{number} {target.detail}".rstrip(), *cells])
        for target, (name, rate, (number, *cells)) in zip(targets, rows, strict=True)
    ]


def _mer_rows(rows: Sequence[FiguresRow]) -> list[ChartRow]:
    return [(row.name, row.mer, [row.mer.n, row.fooled]) for row in rows]


def _vmer_rows(rows: Sequence[FiguresRow]) -> list[ChartRow]:
    return [(row.name, row.vmer, [row.vmer.n, row.validated_errors]) for row in rows]


def begin_error_cost(round_id: str) -> Part[tuple[ErrorCost, ...]] | None:
    """Start reading what errors cost; None on a platform without paid work."""
    if not dependencies().settings.crowd_url:
        return None
    return page_reads().read(platform().crowd.error_cost, round_id)


def error_cost_words(reading: Part[tuple[ErrorCost, ...]] | None) -> list[str]:
    """Return a sentence for each currency; none without a confirmed error, or if the cost can't be read."""
    found = reading.value(ERROR_COST_SECONDS) if reading else None
    return [
        ngettext(
            "%(cost)s for each confirmed error (%(shown)s\u00a0paid error)",
            "%(cost)s for each confirmed error (%(shown)s\u00a0paid errors)",
            each.validated_errors,
            cost=money(each.per_error_minor, each.currency),
            shown=count(each.validated_errors),
        )
        for each in found or ()
        if each.per_error_minor is not None
    ]
