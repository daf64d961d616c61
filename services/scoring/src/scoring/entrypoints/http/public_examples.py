"""Routes: public examples, for anybody."""

from dynabench_api.public_examples import PublicExampleAnswer, PublicExamplesAnswer
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.http.schemas import encode_cursor
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from scoring.entrypoints.http.dependencies import dependencies
from scoring.entrypoints.http.public_example_schemas import (
    PublicExamplePath,
    PublicExamplesQuery,
    public_example_answer,
)
from scoring.queries import public_examples

blueprint = APIBlueprint("public_examples", __name__, url_prefix="/api/scoring/v1")


@blueprint.get("/public-examples", responses={200: PublicExamplesAnswer})
@requires(Permission.READ_PUBLIC)
def get_public_examples(query: PublicExamplesQuery) -> Response:
    """List validated errors that anybody may read."""
    found, last = public_examples.listed(dependencies().engine, query.wanted(), query.after(), query.limit)
    items = tuple(map(public_example_answer, found))
    cursor = encode_cursor(str(last.key), last.example_id) if last else None
    return json_response(PublicExamplesAnswer(items=items, next_cursor=cursor))


@blueprint.get("/public-examples/<uuid:example_id>", responses={200: PublicExampleAnswer})
@requires(Permission.READ_PUBLIC)
def get_public_example(path: PublicExamplePath) -> Response:
    """Read a validated error that anybody may read."""
    return json_response(public_example_answer(public_examples.one(dependencies().engine, path.example_id)))
