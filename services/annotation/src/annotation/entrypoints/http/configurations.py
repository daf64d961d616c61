"""Routes about configurations: their schema, checks before anything is stored, and the versions of a task."""

from dynabench_api.configurations import (
    CheckAnswer,
    ConfiguredAnswer,
    ProblemAnswer,
    RehearsalAnswer,
    VersionAnswer,
    VersionsAnswer,
)
from dynabench_common.auth.permissions import Permission, ensure, requires
from dynabench_common.http.openapi import JSON, OBJECT, content
from dynabench_common.http.schemas import PageQuery, cursor_number, cut_page, page_start
from dynabench_common.http.service import json_response
from dynabench_tasks.configuration.reader import configuration_schema
from dynabench_tasks.configuration.yaml_text import find_problems, read_configuration
from flask import Response, request
from flask_openapi import APIBlueprint

from annotation.entrypoints.http.access import dependencies
from annotation.entrypoints.http.configuration_schemas import (
    ConfigurationBody,
    NewConfigurationBody,
    VersionPath,
    version_answer,
    version_summary,
)
from annotation.entrypoints.http.schemas import TaskPath, task_answer
from annotation.queries import tasks
from annotation.service_layer.tasks import ConfigureTask, configure_task

blueprint = APIBlueprint("configurations", __name__, url_prefix="/api/annotation/v1")


@blueprint.get("/task-configuration.schema.json", responses={200: content(JSON, schema=OBJECT)})
@requires(Permission.READ_PUBLIC)
def get_schema() -> Response:
    """Publish the JSON Schema of task configurations."""
    return json_response(configuration_schema(request.base_url))


@blueprint.post("/configuration-checks", responses={200: CheckAnswer})
@requires(Permission.CREATE_TASK)
def post_check(body: ConfigurationBody) -> Response:
    """Check a configuration without storing it. Problems are listed in order, with line and column."""
    configuration, problems = find_problems(body.configuration)
    return json_response(
        CheckAnswer(
            valid=not problems,
            problems=[ProblemAnswer.model_validate(problem) for problem in problems],
            configuration=None if configuration is None else dict(configuration.document()),
        )
    )


@blueprint.put("/tasks/<slug>/configuration", responses={200: ConfiguredAnswer})
@requires(Permission.MANAGE_TASK)
def put_configuration(path: TaskPath, body: NewConfigurationBody) -> Response:
    """Replace the task's configuration by a new version. A dry run stores nothing and returns the changes."""
    ensure(Permission.MANAGE_TASK, task=path.slug)
    configuration = read_configuration(body.configuration)
    command = ConfigureTask(path.slug, configuration, body.configuration, is_rehearsal=body.dry_run)
    outcome = configure_task(command, dependencies())
    if body.dry_run:
        return json_response(RehearsalAnswer.model_validate(outcome))
    return json_response(task_answer(tasks.get_task(dependencies().engine, path.slug)))


@blueprint.get("/tasks/<slug>/versions", responses={200: VersionsAnswer})
@requires(Permission.READ_PUBLIC)
def get_versions(path: TaskPath, query: PageQuery) -> Response:
    """List the versions of a task's configuration with their changes, newest first."""
    before = page_start(query.cursor, cursor_number)
    found = tasks.list_versions(dependencies().engine, path.slug, query.limit + 1, before)
    items, cursor = cut_page(found, query.limit, lambda each: each.configuration_version)
    pairs = zip(items, [*found[1:], None], strict=False)
    listed = [version_summary(path.slug, each, previous) for each, previous in pairs]
    return json_response(VersionsAnswer(items=listed, next_cursor=cursor))


@blueprint.get("/tasks/<slug>/versions/<int:configuration_version>", responses={200: VersionAnswer})
@requires(Permission.READ_PUBLIC)
def get_version(path: VersionPath) -> Response:
    """Show one version of a task's configuration, as a document and as the owner's YAML."""
    found = tasks.get_version(dependencies().engine, path.slug, path.configuration_version)
    return json_response(version_answer(path.slug, found))
