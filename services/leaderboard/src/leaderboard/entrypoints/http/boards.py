"""Routes: boards of rounds, by group and over time, matrices, effort, tasks, and one's own figures."""

from dynabench_api.leaderboard import (
    BreakdownAnswer,
    EffortAnswer,
    HistoryAnswer,
    OwnFiguresAnswer,
    OwnRoundsAnswer,
    RoundBoardAnswer,
    RoundMatrixAnswer,
    TaskHeadlinesAnswer,
)
from dynabench_common.auth.permissions import Permission, requires, signed_in_person
from dynabench_common.auth.private_tasks import hidden_tasks
from dynabench_common.http.schemas import cut_page
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from leaderboard.entrypoints.http.dependencies import dependencies
from leaderboard.entrypoints.http.representation import is_current, not_modified, tagged
from leaderboard.entrypoints.http.round_answers import (
    breakdown_answer,
    effort_answer,
    history_answer,
    own_rounds_answer,
    round_board_answer,
    round_matrix_answer,
    task_headlines_answer,
)
from leaderboard.entrypoints.http.schemas import BreakdownQuery, OwnQuery, RoundPath, TasksQuery

blueprint = APIBlueprint("boards", __name__, url_prefix="/api/leaderboard/v1")


@blueprint.get("/rounds/<uuid:round_id>", responses={200: RoundBoardAnswer, 304: None})
@requires(Permission.READ_PUBLIC)
def get_round(path: RoundPath) -> Response:
    """Read a round's figures, in total and by segment and target."""
    revision = dependencies().boards.revision(path.round_id)
    if is_current(revision):
        return not_modified(revision)
    board = dependencies().boards.board(path.round_id, revision)
    return tagged(board.revision, round_board_answer(board))


@blueprint.get("/rounds/<uuid:round_id>/history", responses={200: HistoryAnswer, 304: None})
@requires(Permission.READ_PUBLIC)
def get_history(path: RoundPath) -> Response:
    """Read a round's figures over time."""
    revision = dependencies().boards.revision(path.round_id)
    if is_current(revision):
        return not_modified(revision)
    time_series = dependencies().boards.time_series(path.round_id, revision)
    return tagged(time_series.revision, history_answer(path.round_id, time_series))


@blueprint.get("/rounds/<uuid:round_id>/breakdown", responses={200: BreakdownAnswer, 304: None})
@requires(Permission.READ_PUBLIC)
def get_breakdown(path: RoundPath, query: BreakdownQuery) -> Response:
    """Read a round's figures by segment, target, condition, cohort, tag or week."""
    revision = dependencies().boards.revision(path.round_id)
    if is_current(revision):
        return not_modified(revision)
    found = dependencies().boards.breakdown(path.round_id, query.by, revision)
    return tagged(found.revision, breakdown_answer(path.round_id, query.by, found))


@blueprint.get("/rounds/<uuid:round_id>/effort", responses={200: EffortAnswer, 304: None})
@requires(Permission.READ_PUBLIC)
def get_effort(path: RoundPath) -> Response:
    """Read the effort of fooling in a round, by target."""
    revision = dependencies().boards.revision(path.round_id)
    if is_current(revision):
        return not_modified(revision)
    revision, found = dependencies().boards.effort(path.round_id, revision)
    return tagged(revision, effort_answer(found))


@blueprint.get("/rounds/<uuid:round_id>/matrix", responses={200: RoundMatrixAnswer, 304: None})
@requires(Permission.READ_PUBLIC)
def get_matrix(path: RoundPath) -> Response:
    """Read counts of a round's tries by the set of fooled targets."""
    revision = dependencies().boards.revision(path.round_id)
    if is_current(revision):
        return not_modified(revision)
    matrix = dependencies().boards.matrix(path.round_id)
    return tagged(matrix.revision, round_matrix_answer(path.round_id, matrix))


@blueprint.get("/tasks", responses={200: TaskHeadlinesAnswer})
@requires(Permission.READ_PUBLIC)
def get_tasks(query: TasksQuery) -> Response:
    """List tasks with the main figures of their current rounds."""
    found = dependencies().boards.tasks(query.after_slug(), query.limit + 1, hidden_tasks())
    return json_response(task_headlines_answer(*cut_page(found, query.limit, lambda task: task.slug)))


@blueprint.get("/people/me", responses={200: OwnFiguresAnswer})
@requires(Permission.READ_SELF)
def get_own_figures(query: OwnQuery) -> Response:
    """Read figures of your own tries."""
    return json_response(
        OwnFiguresAnswer.model_validate(dependencies().boards.own_figures(signed_in_person(), query.round_id))
    )


@blueprint.get("/people/me/rounds", responses={200: OwnRoundsAnswer})
@requires(Permission.READ_SELF)
def get_own_rounds() -> Response:
    """List the rounds with tries of yours and their figures, the most recently opened first."""
    return json_response(
        own_rounds_answer(dependencies().boards.own_rounds(signed_in_person(), hidden_tasks()))
    )
