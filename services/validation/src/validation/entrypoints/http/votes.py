"""Routes about an example's resolution by votes."""

from dynabench_api.validation import ExampleStateAnswer, VotesAnswer
from dynabench_common.auth.permissions import Permission, current_principal, ensure, is_allowed, requires
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from validation.domain.identifiers import ExampleId, PersonId
from validation.entrypoints.http.access import dependencies
from validation.entrypoints.http.examples import ensure_no_open_vote
from validation.entrypoints.http.schemas import ExamplePath
from validation.queries import gold, votes
from validation.queries.votes import Record

blueprint = APIBlueprint("votes", __name__, url_prefix="/api/validation/v1")


@blueprint.get("/examples/<example_id>", responses={200: ExampleStateAnswer})
@requires(Permission.READ_RESOLUTION)
def get_example(path: ExamplePath) -> Response:
    """Show the resolution of an example, or that it waits for votes.

    Some callers always see a waiting example without votes: people who may still get it as a known item, and voters
    until their own vote is final.
    """
    engine, example_id, principal = dependencies().engine, ExampleId(path.example_id), current_principal()
    disguised = _disguise(example_id)
    if disguised is not None and not is_allowed(Permission.READ_VOTES, principal, disguised["task_slug"]):
        return json_response(ExampleStateAnswer.model_validate(disguised))
    record = votes.example_state(engine, example_id)
    if not is_allowed(Permission.READ_VOTES, principal, record["task_slug"]) and _must_not_know(record):
        record |= gold.WAITING
    return json_response(ExampleStateAnswer.model_validate(record))


@blueprint.get("/examples/<example_id>/votes", responses={200: VotesAnswer})
@requires(Permission.READ_RESOLUTION)
def get_votes(path: ExamplePath) -> Response:
    """List the votes on an example, for owners of its task and for its author. Authors do not see voters' ids.

    An owner who may still vote on the example must first vote or abstain.
    """
    engine, example_id = dependencies().engine, ExampleId(path.example_id)
    disguised = _disguise(example_id)
    if disguised is not None:
        ensure(Permission.READ_VOTES, task=disguised["task_slug"])
    record = votes.example_state(engine, example_id)
    is_author = record["author_id"] == current_principal().person_id
    if not is_author:
        ensure(Permission.READ_VOTES, task=record["task_slug"])
        ensure_no_open_vote(example_id)
    items = votes.example_votes(engine, example_id, record["rules"], with_voters=not is_author)
    return json_response(VotesAnswer.model_validate({**record, "items": items}))


def _must_not_know(record: Record) -> bool:
    """Return whether the caller is neither the author nor done with the example, if there is anything to do."""
    person_id, engine = current_principal().person_id, dependencies().engine
    if person_id is None or person_id == record["author_id"]:
        return False
    is_pending: bool = record["pending"]
    return is_pending or votes.has_open_vote(engine, record["example_id"], PersonId(person_id))


def _disguise(example_id: ExampleId) -> Record | None:
    person_id = current_principal().person_id
    if person_id is None:
        return None
    return gold.disguise(dependencies().engine, example_id, PersonId(person_id))
