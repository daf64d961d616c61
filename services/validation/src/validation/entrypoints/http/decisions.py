"""Routes about owners' decisions and authors' appeals."""

from dynabench_api.validation import AppealRecord, ExampleStateAnswer
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from validation.domain.errors import AppealOfAnother
from validation.domain.identifiers import ExampleId
from validation.entrypoints.http.access import dependencies, ensure_for_example, signed_in_person
from validation.entrypoints.http.decision_schemas import AdjudicationBody, AppealBody, appeal_record
from validation.entrypoints.http.schemas import ExamplePath
from validation.queries import gold, votes
from validation.service_layer.decisions import (
    AdjudicateExample,
    AppealExample,
    adjudicate_example,
    appeal_example,
    reverse_adjudication,
)

blueprint = APIBlueprint("decisions", __name__, url_prefix="/api/validation/v1")


@blueprint.put("/examples/<example_id>/adjudication", responses={200: ExampleStateAnswer})
@requires(Permission.ADJUDICATE)
def put_adjudication(path: ExamplePath, body: AdjudicationBody) -> Response:
    """Decide an example. The decision replaces its votes and any earlier decision."""
    needed, example_id = dependencies(), ExampleId(path.example_id)
    ensure_for_example(Permission.ADJUDICATE, example_id)
    command = AdjudicateExample(example_id, signed_in_person(), body.ballot(), body.reason)
    adjudicate_example(command, needed)
    return _state(example_id)


@blueprint.delete("/examples/<example_id>/adjudication", responses={200: ExampleStateAnswer})
@requires(Permission.ADJUDICATE)
def delete_adjudication(path: ExamplePath) -> Response:
    """Withdraw the decision. The votes decide again, or the example waits for more votes."""
    needed, example_id = dependencies(), ExampleId(path.example_id)
    ensure_for_example(Permission.ADJUDICATE, example_id)
    reverse_adjudication(example_id, signed_in_person(), needed)
    return _state(example_id)


@blueprint.post("/examples/<example_id>/appeal", responses={201: AppealRecord})
@requires(Permission.APPEAL)
def post_appeal(path: ExamplePath, body: AppealBody) -> Response:
    """Appeal against the resolution of your own example. You can appeal once."""
    needed, example_id, person_id = dependencies(), ExampleId(path.example_id), signed_in_person()
    if gold.disguise(needed.engine, example_id, person_id) is not None:
        raise AppealOfAnother(example_id)
    command = AppealExample(example_id, person_id, body.reason)
    return json_response(appeal_record(appeal_example(command, needed)), 201)


def _state(example_id: ExampleId) -> Response:
    record = votes.example_state(dependencies().engine, example_id)
    return json_response(ExampleStateAnswer.model_validate(record))
