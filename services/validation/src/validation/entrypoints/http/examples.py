"""Routes about a round's examples, for those who look after its task."""

from dynabench_api.validation import RoundExamplesAnswer
from dynabench_common.auth.permissions import Permission, current_principal, is_allowed, requires
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from validation.domain.errors import VoteOpen
from validation.domain.identifiers import ExampleId, PersonId, RoundId
from validation.entrypoints.http.access import (
    dependencies,
    ensure_for_example,
    ensure_for_round,
    signed_in_person,
)
from validation.entrypoints.http.example_schemas import ExamplesQuery, round_examples_answer
from validation.entrypoints.http.schemas import ExamplePath, RoundPath
from validation.queries import examples
from validation.service_layer.votes import give_up_vote

blueprint = APIBlueprint("examples", __name__, url_prefix="/api/validation/v1")


@blueprint.get("/rounds/<round_id>/examples", responses={200: RoundExamplesAnswer})
@requires(Permission.ADJUDICATE)
def get_examples(path: RoundPath, query: ExamplesQuery) -> Response:
    """List a round's examples, the newest first. Examples that you may still vote on have no claim and votes."""
    needed, round_id = dependencies(), RoundId(path.round_id)
    ensure_for_round(Permission.ADJUDICATE, round_id)
    found = examples.examples_of_round(
        needed.engine,
        round_id,
        query.wanted(),
        voter(),
        needed.clock.now(),
        query.limit + 1,
        query.after(),
    )
    return json_response(round_examples_answer(found, query.limit))


@blueprint.put("/examples/<example_id>/abstention", responses={204: None})
@requires(Permission.ADJUDICATE)
def put_abstention(path: ExamplePath) -> Response:
    """Give up your vote on an example, or the right to change it, to see its claim and votes."""
    needed, example_id = dependencies(), ExampleId(path.example_id)
    ensure_for_example(Permission.ADJUDICATE, example_id)
    give_up_vote(example_id, signed_in_person(), needed)
    return Response(status=204)


def voter() -> PersonId | None:
    """Return the caller's id if they may vote at all."""
    principal = current_principal()
    if principal.person_id is None or not is_allowed(Permission.VALIDATE, principal):
        return None
    return PersonId(principal.person_id)


def ensure_no_open_vote(example_id: ExampleId) -> None:
    """Refuse a caller who may still vote on the example. Raises VoteOpen."""
    needed = dependencies()
    if examples.is_open_to(needed.engine, example_id, voter(), needed.clock.now()):
        raise VoteOpen(example_id)
