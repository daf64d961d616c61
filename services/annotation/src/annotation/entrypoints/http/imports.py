"""Routes that import collections: rounds made elsewhere, and text to run targets over."""

from dynabench_api.rounds import HarvestAnswer, ImportAnswer, TakenAnswer
from dynabench_common.auth.permissions import Permission, ensure, requires
from dynabench_common.http.json_line_bodies import body_of_lines
from dynabench_common.http.openapi import JSON, OBJECT, content
from dynabench_common.http.service import json_response
from dynabench_tasks.json_lines import Limits
from flask import Response, request
from flask_openapi import APIBlueprint

from annotation.domain.identifiers import RoundId
from annotation.domain.provenance import Origin
from annotation.domain.record_schema import record_schema
from annotation.entrypoints.http.access import dependencies, signed_in_person
from annotation.entrypoints.http.context_uploads import lines_of_body
from annotation.entrypoints.http.import_schemas import (
    BatchQuery,
    CheckQuery,
    HarvestQuery,
    ImportBody,
    ImportPath,
    import_answer,
)
from annotation.entrypoints.http.schemas import RoundPath, TaskPath
from annotation.queries import examples, rounds, tasks
from annotation.service_layer.harvest import HarvestText, harvest_text
from annotation.service_layer.imports import StartImport, start_import
from annotation.service_layer.records import CheckRecords, add_records, check_records

RECORDS = Limits(file_bytes=64_000_000, line_bytes=1_000_000, lines=1_000)
TEXTS = Limits(file_bytes=16_000_000, line_bytes=1_000_000, lines=200)

blueprint = APIBlueprint("imports", __name__, url_prefix="/api/annotation/v1")


@blueprint.put("/tasks/<slug>/imports/<path:source>", responses={201: ImportAnswer, 200: ImportAnswer})
@requires(Permission.IMPORT_ROUND)
def put_import(path: ImportPath, body: ImportBody) -> Response:
    """Draft the round for an imported collection. A repeated request returns the same round."""
    ensure(Permission.IMPORT_ROUND, task=path.slug)
    command = StartImport(
        path.slug, path.source, body.title, tuple(body.targets), Origin(body.origin), signed_in_person()
    )
    started = start_import(command, dependencies())
    answer = import_answer(
        rounds.get_round(dependencies().engine, started.round_id),
        examples.count_records(dependencies().engine, started.round_id),
    )
    return json_response(answer, 201 if started.is_new else 200)


@blueprint.post(
    "/rounds/<round_id>/records",
    request_body=body_of_lines("One record, as the task's schema says"),
    responses={200: TakenAnswer},
)
@requires(Permission.IMPORT_ROUND)
def post_records(path: RoundPath, query: BatchQuery) -> Response:
    """Store records, all or none. Records that are already stored are skipped."""
    _ensure_may_import(path)
    lines = lines_of_body(RECORDS, query.first_line)
    return json_response(
        TakenAnswer.model_validate(add_records(RoundId(path.round_id), lines, dependencies()))
    )


@blueprint.post(
    "/tasks/<slug>/records/check",
    request_body=body_of_lines("One record, as the task's schema says"),
    responses={200: TakenAnswer},
)
@requires(Permission.IMPORT_ROUND)
def post_check(path: TaskPath, query: CheckQuery) -> Response:
    """Check records for a new round with these targets, without storing them."""
    ensure(Permission.IMPORT_ROUND, task=path.slug)
    command = CheckRecords(path.slug, tuple(query.target), lines_of_body(RECORDS, query.first_line))
    return json_response(TakenAnswer.model_validate(check_records(command, dependencies())))


@blueprint.get("/tasks/<slug>/records/schema", responses={200: content(JSON, schema=OBJECT)})
@requires(Permission.READ_PUBLIC)
def get_schema(path: TaskPath) -> Response:
    """Publish the JSON Schema of a record of this task."""
    configuration = tasks.get_task(dependencies().engine, path.slug).configuration
    return json_response(record_schema(configuration, request.base_url))


@blueprint.post(
    "/rounds/<round_id>/harvest",
    request_body=body_of_lines('One {"id", "context", "input", "label", "tags"}'),
    responses={200: HarvestAnswer},
)
@requires(Permission.IMPORT_ROUND)
def post_harvest(path: RoundPath, query: HarvestQuery) -> Response:
    """Run the round's targets on texts. Store those with a wrong or an uncertain answer."""
    _ensure_may_import(path)
    command = HarvestText(RoundId(path.round_id), query.margin_below, lines_of_body(TEXTS, query.first_line))
    return json_response(HarvestAnswer.model_validate(harvest_text(command, dependencies())))


def _ensure_may_import(path: RoundPath) -> None:
    ensure(Permission.IMPORT_ROUND, task=rounds.get_round(dependencies().engine, path.round_id).task_slug)
