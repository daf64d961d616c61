"""Routes about tasks."""

from dynabench_api.annotation import RoundAnswer, RoundsAnswer, TaskAnswer, TasksAnswer, TaskSummary
from dynabench_common.auth.permissions import Permission, ensure, requires
from dynabench_common.auth.private_tasks import hidden_tasks
from dynabench_common.http.schemas import PageQuery, cursor_name, cursor_number, cut_page, page_start
from dynabench_common.http.service import json_response
from dynabench_tasks.configuration.yaml_text import read_configuration
from flask import Response
from flask_openapi import APIBlueprint

from annotation.entrypoints.http.access import dependencies, signed_in_person
from annotation.entrypoints.http.configuration_schemas import ConfigurationBody
from annotation.entrypoints.http.schemas import RoundBody, TaskPath, task_answer
from annotation.queries import rounds, tasks
from annotation.service_layer.rounds import DraftRound, draft_round
from annotation.service_layer.tasks import CreateTask, create_task

blueprint = APIBlueprint("tasks", __name__, url_prefix="/api/annotation/v1")


@blueprint.post("/tasks", responses={201: TaskAnswer})
@requires(Permission.CREATE_TASK)
def post_task(body: ConfigurationBody) -> Response:
    """Create a task from its configuration."""
    configuration = read_configuration(body.configuration)
    ensure(Permission.CREATE_TASK, task=configuration.slug)
    command = CreateTask(configuration, body.configuration, signed_in_person())
    create_task(command, dependencies())
    return json_response(task_answer(tasks.get_task(dependencies().engine, configuration.slug)), 201)


@blueprint.get("/tasks", responses={200: TasksAnswer})
@requires(Permission.READ_PUBLIC)
def get_tasks(query: PageQuery) -> Response:
    """List tasks with their rounds."""
    after = page_start(query.cursor, cursor_name)
    found = tasks.list_tasks(dependencies().engine, query.limit + 1, after, hidden_tasks())
    items, cursor = cut_page(found, query.limit, lambda task: task.slug)
    summaries = [TaskSummary.model_validate(task) for task in items]
    return json_response(TasksAnswer(items=summaries, next_cursor=cursor))


@blueprint.get("/tasks/<slug>", responses={200: TaskAnswer})
@requires(Permission.READ_PUBLIC)
def get_task(path: TaskPath) -> Response:
    """Show a task with its configuration and rounds."""
    return json_response(task_answer(tasks.get_task(dependencies().engine, path.slug)))


@blueprint.post("/tasks/<slug>/rounds", responses={201: RoundAnswer})
@requires(Permission.MANAGE_TASK)
def post_round(path: TaskPath, body: RoundBody) -> Response:
    """Draft a round."""
    ensure(Permission.MANAGE_TASK, task=path.slug)
    command = DraftRound(path.slug, body.title, tuple(body.targets), body.demonstration)
    round_id = draft_round(command, dependencies())
    return json_response(RoundAnswer.model_validate(rounds.get_round(dependencies().engine, round_id)), 201)


@blueprint.get("/tasks/<slug>/rounds", responses={200: RoundsAnswer})
@requires(Permission.READ_PUBLIC)
def get_rounds(path: TaskPath, query: PageQuery) -> Response:
    """List a task's rounds, newest first."""
    before = page_start(query.cursor, cursor_number)
    found = tasks.list_rounds(dependencies().engine, path.slug, query.limit + 1, before)
    items, cursor = cut_page(found, query.limit, lambda round_: round_.number)
    answers = [RoundAnswer.model_validate(round_) for round_ in items]
    return json_response(RoundsAnswer(items=answers, next_cursor=cursor))
