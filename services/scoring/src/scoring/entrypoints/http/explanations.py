"""Routes: explanations of targets' answers on public examples."""

from dynabench_api.annotation import ExplanationAnswer
from dynabench_common.auth.permissions import Permission, current_principal, requires
from dynabench_common.http import addresses
from dynabench_common.http.concurrency_limit import ConcurrencyLimit
from dynabench_common.http.schemas import Input, Text
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint
from pydantic import Field

from scoring.domain.errors import TargetSilent
from scoring.entrypoints.http.dependencies import dependencies
from scoring.entrypoints.http.public_example_schemas import PublicExamplePath
from scoring.service_layer.explain_example import explain_example

EXPLAINING = ConcurrencyLimit(4, 2)
"""Explanations under way in a process, in all and of one caller: other requests keep their threads."""
PAUSE_SECONDS = 5.0

blueprint = APIBlueprint("explanations", __name__, url_prefix="/api/scoring/v1")


class ExplanationBody(Input):
    """A target of the example."""

    target: Text = Field(max_length=200)


@blueprint.post("/public-examples/<uuid:example_id>/explanations", responses={200: ExplanationAnswer})
@requires(Permission.READ_PUBLIC)
def post_explanation(path: PublicExamplePath, body: ExplanationBody) -> Response:
    """Explain a target's answer on a public example by token weights. The gateway keeps explanations."""
    caller = str(current_principal().person_id or addresses.sender())
    if not EXPLAINING.begin(caller):
        raise TargetSilent(PAUSE_SECONDS)
    try:
        return json_response(explain_example(path.example_id, body.target, dependencies()))
    finally:
        EXPLAINING.end(caller)
