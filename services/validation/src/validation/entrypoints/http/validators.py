"""Routes about validators: their results, and their permission to go on."""

from dynabench_api.validators import (
    PauseAppealAnswer,
    StandingAnswer,
    StandingsAnswer,
    ValidatorAnswer,
    ValidatorsAnswer,
)
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.http.schemas import PageQuery, cursor_id, cut_page, page_start
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from validation.domain.identifiers import PersonId, RoundId
from validation.domain.validators import ValidatorState
from validation.entrypoints.http.access import dependencies, owned_task, signed_in_person
from validation.entrypoints.http.gold_schemas import TaskPath
from validation.entrypoints.http.schemas import RoundPath
from validation.entrypoints.http.validator_schemas import (
    PauseAppealBody,
    PersonPath,
    ValidatorBody,
    ValidatorPath,
    pause_appeal_answer,
)
from validation.queries import validators
from validation.queries.validators import standings_of_person
from validation.service_layer.validators import AppealPause, DecideValidator, appeal_pause, decide_validator

blueprint = APIBlueprint("validators", __name__, url_prefix="/api/validation/v1")


@blueprint.post("/rounds/<round_id>/me/pause-appeal", responses={201: PauseAppealAnswer})
@requires(Permission.APPEAL)
def post_pause_appeal(path: RoundPath, body: PauseAppealBody) -> Response:
    """Appeal against your pause. You can appeal once for each pause."""
    needed = dependencies()
    command = AppealPause(RoundId(path.round_id), signed_in_person(), body.reason)
    validator = appeal_pause(command, needed)
    return json_response(pause_appeal_answer(validator), 201)


@blueprint.get("/tasks/<slug>/validators", responses={200: ValidatorsAnswer})
@requires(Permission.READ_VALIDATORS)
def get_validators(path: TaskPath, query: PageQuery) -> Response:
    """List the validators of a task with their figures."""
    task = owned_task(Permission.READ_VALIDATORS, path.slug)
    after = page_start(query.cursor, cursor_id)
    found = validators.validators_of_task(
        dependencies().engine, task.task_id, None if after is None else PersonId(after), query.limit + 1
    )
    items, cursor = cut_page(found, query.limit, lambda record: record["voter_id"])
    listed = [ValidatorAnswer.model_validate(record) for record in items]
    return json_response(ValidatorsAnswer(items=listed, next_cursor=cursor))


@blueprint.get("/people/<person_id>/standings", responses={200: StandingsAnswer})
@requires(Permission.MANAGE_PEOPLE)
def get_standings(path: PersonPath) -> Response:
    """List a person's tasks as validator, with the state in each and the reason for any pause."""
    found = standings_of_person(dependencies().engine, path.person_id)
    return json_response(StandingsAnswer(items=[StandingAnswer.model_validate(each) for each in found]))


@blueprint.put("/tasks/<slug>/validators/<voter_id>", responses={200: ValidatorAnswer})
@requires(Permission.READ_VALIDATORS)
def put_validator(path: ValidatorPath, body: ValidatorBody) -> Response:
    """Reinstate a validator and clear earlier failures, or pause them. Either closes an open appeal."""
    needed, task = dependencies(), owned_task(Permission.READ_VALIDATORS, path.slug)
    person_id = PersonId(path.voter_id)
    is_paused = body.state is ValidatorState.PAUSED
    command = DecideValidator(task.slug, person_id, is_paused, body.reason, signed_in_person())
    decide_validator(command, needed)
    record = validators.validator_of_task(needed.engine, task.task_id, person_id)
    return json_response(ValidatorAnswer.model_validate(record))
