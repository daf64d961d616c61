"""Routes for owners: where rounds stand, and whether the next one is due."""

from dynabench_api.leaderboard import NextRoundAnswer, StandingAnswer, StandingsAnswer
from dynabench_common.auth.permissions import Permission, ensure, requires
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from leaderboard.entrypoints.http.dependencies import dependencies
from leaderboard.entrypoints.http.schemas import RoundPath
from leaderboard.entrypoints.http.standing_schemas import (
    StandingsQuery,
    next_round_answer,
    standing_answer,
    standings_answer,
)

blueprint = APIBlueprint("standings", __name__, url_prefix="/api/leaderboard/v1")


@blueprint.get("/rounds/<uuid:round_id>/standing", responses={200: StandingAnswer})
@requires(Permission.READ_STANDING)
def get_standing(path: RoundPath) -> Response:
    """Read a round's progress: funnel, burn-up with forecast, authors, labels and cohorts."""
    ensure(Permission.READ_STANDING, task=dependencies().standings.task_slug(path.round_id))
    return json_response(standing_answer(dependencies().standings.standing(path.round_id)))


@blueprint.get("/rounds/<uuid:round_id>/next-round", responses={200: NextRoundAnswer})
@requires(Permission.READ_STANDING)
def get_next_round(path: RoundPath) -> Response:
    """Read the advice on the next round, with the evidence."""
    ensure(Permission.READ_STANDING, task=dependencies().standings.task_slug(path.round_id))
    return json_response(next_round_answer(*dependencies().standings.next_round(path.round_id)))


@blueprint.get("/standings", responses={200: StandingsAnswer})
@requires(Permission.READ_STANDING)
def get_standings(query: StandingsQuery) -> Response:
    """List rounds with their main figures. Administrators see all rounds; owners see those of their tasks."""
    principal = ensure(Permission.READ_STANDING)
    tasks = None if principal.is_admin else principal.owned_tasks
    found = dependencies().standings.page(tasks, query.place(), query.limit + 1)
    return json_response(standings_answer(found, query.limit))
