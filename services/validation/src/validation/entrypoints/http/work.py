"""Routes about the open work of a task's owner."""

from dynabench_api.validation import RequeueAnswer, RoundsWorkCountsAnswer, WorkAnswer, WorkCountsAnswer
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from validation.domain.identifiers import ExampleId, RoundId
from validation.entrypoints.http.access import (
    dependencies,
    ensure_for_round,
    ensure_for_rounds,
    signed_in_person,
)
from validation.entrypoints.http.schemas import RoundPath
from validation.entrypoints.http.work_schemas import RequeueBody, RoundsQuery, WorkQuery, work_answer
from validation.queries import work
from validation.service_layer.decisions import RequeueExamples, requeue_examples

blueprint = APIBlueprint("work", __name__, url_prefix="/api/validation/v1")


@blueprint.get("/rounds/<round_id>/work", responses={200: WorkAnswer})
@requires(Permission.ADJUDICATE)
def get_work(path: RoundPath, query: WorkQuery) -> Response:
    """List the examples that need the owner's decision, the longest wait first."""
    round_id = RoundId(path.round_id)
    ensure_for_round(Permission.ADJUDICATE, round_id)
    found = work.work(dependencies().engine, round_id, query.wanted(), query.limit + 1, query.after())
    return json_response(work_answer(found, query.limit))


@blueprint.get("/rounds/<round_id>/work/counts", responses={200: WorkCountsAnswer})
@requires(Permission.ADJUDICATE)
def get_work_counts(path: RoundPath) -> Response:
    """Count the examples that wait for the owner, and those that wait for votes."""
    needed, round_id = dependencies(), RoundId(path.round_id)
    ensure_for_round(Permission.ADJUDICATE, round_id)
    record = work.work_counts(needed.engine, round_id, needed.clock.now())
    return json_response(WorkCountsAnswer.model_validate(record))


@blueprint.get("/work-counts", responses={200: RoundsWorkCountsAnswer})
@requires(Permission.ADJUDICATE)
def get_rounds_work_counts(query: RoundsQuery) -> Response:
    """Count open work in each of several rounds. Refused if you do not own one of them."""
    needed = dependencies()
    known = ensure_for_rounds(Permission.ADJUDICATE, map(RoundId, query.round_id))
    records = work.work_counts_of_rounds(needed.engine, known, needed.clock.now())
    return json_response(RoundsWorkCountsAnswer.model_validate({"items": records}))


@blueprint.post("/rounds/<round_id>/requeue", responses={200: RequeueAnswer})
@requires(Permission.ADJUDICATE)
def post_requeue(path: RoundPath, body: RequeueBody) -> Response:
    """Set aside the votes on examples, so that other people vote on them."""
    needed, round_id = dependencies(), RoundId(path.round_id)
    ensure_for_round(Permission.ADJUDICATE, round_id)
    example_ids = frozenset(ExampleId(example_id) for example_id in body.example_ids)
    command = RequeueExamples(round_id, signed_in_person(), example_ids, body.reason)
    return json_response(RequeueAnswer(requeued=requeue_examples(command, needed)))
