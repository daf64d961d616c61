"""Routes about the right to start a task: ask for it, and answer requests."""

from dynabench_api.accounts import (
    OpenTaskRequestAnswer,
    OpenTaskRequestsAnswer,
    OwnTaskRequestAnswer,
    TaskRequestAnswer,
)
from dynabench_common.auth.permissions import Permission, requires, signed_in_person
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from accounts.entrypoints.http.dependencies import dependencies
from accounts.entrypoints.http.schemas import PersonPath, TaskRequestAnswerBody, TaskRequestBody
from accounts.queries import task_requests as queries
from accounts.service_layer.task_requests import (
    AnswerTaskRequest,
    AskForTask,
    answer_task_request,
    ask_for_task,
)

MOST_OPEN = 100
blueprint = APIBlueprint("task_requests", __name__, url_prefix="/api/accounts/v1")


@blueprint.get("/me/task-request", responses={200: OwnTaskRequestAnswer})
@requires(Permission.READ_SELF)
def get_own_task_request() -> Response:
    """Read your last request for the right to start a task."""
    return _own()


@blueprint.put("/me/task-request", responses={200: OwnTaskRequestAnswer})
@requires(Permission.ASK_FOR_TASK)
def put_own_task_request(body: TaskRequestBody) -> Response:
    """Ask the administrators for the right to start a task. An answered request is replaced."""
    ask_for_task(AskForTask(signed_in_person(), body.task_slug, body.reason), dependencies())
    return _own()


@blueprint.get("/task-requests", responses={200: OpenTaskRequestsAnswer})
@requires(Permission.GRANT_ROLES)
def get_task_requests() -> Response:
    """List the open requests for the right to start a task, oldest first."""
    found = queries.open_task_requests(dependencies().engine, MOST_OPEN)
    items = [OpenTaskRequestAnswer.model_validate(record) for record in found]
    return json_response(OpenTaskRequestsAnswer(items=items))


@blueprint.put("/people/<person_id>/task-request", responses={204: None})
@requires(Permission.GRANT_ROLES)
def put_task_request(path: PersonPath, body: TaskRequestAnswerBody) -> Response:
    """Grant or refuse a person's open request. Granting it makes the person the owner of the task to come."""
    command = AnswerTaskRequest(
        signed_in_person(), path.person_id, body.task_slug, body.state == "granted", body.answer
    )
    answer_task_request(command, dependencies())
    return Response(status=204)


def _own() -> Response:
    found = queries.last_task_request(dependencies().engine, signed_in_person())
    request = None if found is None else TaskRequestAnswer.model_validate(found)
    return json_response(OwnTaskRequestAnswer(request=request))
