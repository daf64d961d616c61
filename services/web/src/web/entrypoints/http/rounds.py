"""The page of a round: its figures, live, and its owner's controls."""

from uuid import UUID

from dynabench_client.results.annotation import Round
from dynabench_common.permissions import Permission, requires
from flask import Blueprint, Response, make_response, render_template, request

from web.charts.funnel import funnel
from web.charts.intervals import intervals
from web.charts.over_time import over_time
from web.entrypoints.http import session
from web.entrypoints.http.dependencies import dependencies, platform
from web.entrypoints.http.outcomes import attempt, optional
from web.entrypoints.http.rendering import go_to, page
from web.presenters.configuration import task_rules
from web.presenters.numbers import RateView
from web.presenters.problems import ProblemView
from web.presenters.rounds import FiguresRow, figures_view, funnel_stages, opened_at, owner_steps, round_view

blueprint = Blueprint("rounds", __name__)


@blueprint.get("/rounds/<uuid:round_id>")
@requires(Permission.USE_PAGES)
def get_round(round_id: UUID) -> Response:
    """Show a round."""
    return _round_page(platform().annotation.round(str(round_id)))


@blueprint.get("/rounds/<uuid:round_id>/figures")
@requires(Permission.USE_PAGES)
def get_figures(round_id: UUID) -> Response:
    """Send the figures alone, for the page that shows them; 304 while they stay as they are."""
    found = platform().annotation.round(str(round_id))
    text = render_template("parts/figures.html", **_figures(found), is_refresh=True)
    response = make_response(text)
    response.add_etag()
    response.make_conditional(request)
    return response


@blueprint.post("/rounds/<uuid:round_id>/state")
@requires(Permission.MANAGE_TASK)
def post_state(round_id: UUID) -> Response:
    """Open, pause or close the round."""
    state = request.form.get("state", "")
    outcome = attempt(lambda: platform().annotation.set_round_state(str(round_id), state))
    if outcome.value is not None:
        return go_to(f"/rounds/{round_id}", f"state-{outcome.value.state}")
    return _round_page(platform().annotation.round(str(round_id)), outcome.problem)


def _round_page(found: Round, problem: ProblemView | None = None) -> Response:
    task = platform().annotation.task(found.task_slug)
    owns = session.viewer().owns(found.task_slug)
    return page(
        "round.html",
        problem.status if problem else 200,
        task=task_rules(task),
        steps=owner_steps(found.state) if owns else [],
        owns=owns,
        problem=problem,
        figures_seconds=dependencies().settings.figures_seconds,
        **_figures(found),
    )


def _figures(found: Round) -> dict[str, object]:
    """Return figures and charts, as far as they can be had just now."""
    speaking = platform()
    board = optional(lambda: speaking.leaderboard.round(found.round_id))
    if board is None:
        return {"round": round_view(found), "figures": None, "charts": []}
    history = optional(lambda: speaking.leaderboard.history(found.round_id))
    counts = optional(lambda: speaking.validation.counts(found.round_id))
    view = figures_view(board)
    stages = funnel_stages(found.contexts, board, counts)
    charts = (
        over_time(history.points, board) if history else None,
        funnel(stages),
        intervals(
            "chart-targets",
            "Fooling per target",
            "Target",
            "MER",
            _mer_rows(view.targets),
            ["Tries", "Fooled"],
        ),
        intervals(
            "chart-segments",
            "vMER per segment",
            "Segment",
            "vMER",
            _vmer_rows(view.segments),
            ["Tries", "Errors"],
        ),
    )
    return {
        "round": round_view(found, opened_at(board)),
        "figures": view,
        "charts": [chart for chart in charts if chart],
    }


def _mer_rows(rows: list[FiguresRow]) -> list[tuple[str, RateView, list[str]]]:
    return [(row.name, row.mer, [row.tries, row.fooled]) for row in rows]


def _vmer_rows(rows: list[FiguresRow]) -> list[tuple[str, RateView, list[str]]]:
    return [(row.name, row.vmer, [row.tries, row.validated_errors]) for row in rows]
