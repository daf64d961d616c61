"""Routes: boards of people by task and by round, and badges."""

from uuid import UUID, uuid5

from dynabench_api.badges import (
    BadgesAnswer,
    OwnBadgesAnswer,
    OwnWeekAnswer,
    PeopleRanksAnswer,
    PersonWeekAnswer,
    PersonWeeksAnswer,
    UserBoardAnswer,
)
from dynabench_common.auth.permissions import Permission, current_principal, requires, signed_in_person
from dynabench_common.auth.private_tasks import hidden_tasks
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from leaderboard.domain.groups import week
from leaderboard.entrypoints.http.dependencies import dependencies
from leaderboard.entrypoints.http.model_board_schemas import TaskPath
from leaderboard.entrypoints.http.people_schemas import (
    PersonPath,
    RanksQuery,
    UserBoardQuery,
    badges_answer,
    own_badges_answer,
    user_board_answer,
)
from leaderboard.entrypoints.http.representation import is_current, not_modified, tagged
from leaderboard.entrypoints.http.schemas import RoundPath
from leaderboard.queries.people import Scope

blueprint = APIBlueprint("people", __name__, url_prefix="/api/leaderboard/v1")


@blueprint.get("/tasks/<slug>/people", responses={200: UserBoardAnswer, 304: None})
@requires(Permission.READ_PUBLIC)
def get_people_of_task(path: TaskPath, query: UserBoardQuery) -> Response:
    """Rank the people with tries in a task. Your own row is always included."""
    return _board(dependencies().people.task(path.slug), query)


@blueprint.get("/rounds/<uuid:round_id>/people", responses={200: UserBoardAnswer, 304: None})
@requires(Permission.READ_PUBLIC)
def get_people_of_round(path: RoundPath, query: UserBoardQuery) -> Response:
    """Rank the people with tries in a round. Your own row is always included."""
    return _board(dependencies().people.round(path.round_id), query)


@blueprint.get("/people/ranks", responses={200: PeopleRanksAnswer})
@requires(Permission.READ_PUBLIC)
def get_ranks(query: RanksQuery) -> Response:
    """Rank people by validated errors, in a task or in all tasks. Your own place is always included."""
    found = dependencies()
    of_week = week(found.clock.now()) if query.period == "week" else None
    ranks = found.people.ranks(query.task, of_week, current_principal().person_id, hidden_tasks())
    return json_response(PeopleRanksAnswer.model_validate(ranks))


@blueprint.get("/people/<uuid:person_id>/weeks", responses={200: PersonWeeksAnswer})
@requires(Permission.READ_PUBLIC)
def get_weeks(path: PersonPath) -> Response:
    """List the weeks with validated errors of a person, the newest first. The list is empty for an unknown id."""
    items = [
        PersonWeekAnswer(week=found, validated_errors=errors)
        for found, errors in dependencies().people.weeks(path.person_id, hidden_tasks())
    ]
    return json_response(PersonWeeksAnswer(person_id=path.person_id, items=items))


@blueprint.get("/people/me/week", responses={200: OwnWeekAnswer})
@requires(Permission.READ_SELF)
def get_own_week() -> Response:
    """Read figures of your own tries since Monday (UTC)."""
    found = dependencies()
    return json_response(
        OwnWeekAnswer.model_validate(
            found.people.own_week(signed_in_person(), found.clock.now(), hidden_tasks())
        )
    )


@blueprint.get("/people/me/badges", responses={200: OwnBadgesAnswer})
@requires(Permission.READ_SELF)
def get_own_badges() -> Response:
    """List your own badges, the newest first, and your progress towards the next ones."""
    return json_response(
        own_badges_answer(dependencies().people.own_badges(signed_in_person(), hidden_tasks()))
    )


@blueprint.get("/people/<uuid:person_id>/badges", responses={200: BadgesAnswer})
@requires(Permission.READ_PUBLIC)
def get_badges(path: PersonPath) -> Response:
    """List a person's badges, the newest first. The list is empty for an unknown id."""
    return json_response(badges_answer(dependencies().people.badges_of(path.person_id, hidden_tasks())))


def _board(scope: Scope, query: UserBoardQuery) -> Response:
    caller = current_principal().person_id
    after = query.place()
    if is_current(_for(scope.revision, caller)):
        return not_modified(_for(scope.revision, caller))
    board = dependencies().people.board(scope, after, query.limit + 1, caller)
    return tagged(_for(scope.revision, caller), user_board_answer(board, query.limit))


def _for(revision: UUID, caller: UUID | None) -> UUID:
    """Return a revision as one caller sees it, with a row of their own."""
    return revision if caller is None else uuid5(revision, str(caller))
