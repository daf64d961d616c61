"""Routes about the conversation of an example's author with the owners of its task."""

from typing import Annotated
from uuid import UUID

from dynabench_api.validation import MessageAnswer, ThreadAnswer
from dynabench_common.auth.permissions import Permission, current_principal, is_allowed, requires
from dynabench_common.http.schemas import Input
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint
from pydantic import Field, StringConstraints

from validation.domain.errors import ExampleUnknown
from validation.domain.identifiers import ExampleId, PersonId
from validation.entrypoints.http.access import dependencies, signed_in_person
from validation.entrypoints.http.decision_schemas import appeal_record
from validation.entrypoints.http.examples import ensure_no_open_vote
from validation.entrypoints.http.schemas import ExamplePath
from validation.queries import gold, votes
from validation.service_layer.messages import WriteMessage, can_write, write_message

blueprint = APIBlueprint("messages", __name__, url_prefix="/api/validation/v1")


class MessageBody(Input):
    """A message."""

    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1_000)] = Field(
        description="For the owners of the task, or for the author"
    )
    mentioned: list[UUID] = Field(
        default_factory=list,
        max_length=20,
        description="People whom the text mentions; owners of the task among them are notified",
    )


@blueprint.get("/examples/<example_id>/messages", responses={200: ThreadAnswer})
@requires(Permission.READ_SELF)
def get_messages(path: ExamplePath) -> Response:
    """Show the conversation about an example, to its author and to owners of its task."""
    example_id, person_id = ExampleId(path.example_id), signed_in_person()
    is_author = _is_author(example_id, person_id)
    return _thread(example_id, is_author=is_author)


@blueprint.post("/examples/<example_id>/messages", responses={201: ThreadAnswer})
@requires(Permission.READ_SELF)
def post_message(path: ExamplePath, body: MessageBody) -> Response:
    """Write to the owners of the task about your example, or to the author as an owner."""
    example_id, person_id = ExampleId(path.example_id), signed_in_person()
    is_author = _is_author(example_id, person_id)
    mentioned = tuple(map(PersonId, body.mentioned))
    write_message(WriteMessage(example_id, person_id, body.text, mentioned), dependencies())
    return _thread(example_id, is_author=is_author, status=201)


def _is_author(example_id: ExampleId, person_id: PersonId) -> bool:
    """Return whether the caller is the author, refusing everybody but these two sides.

    The refusal is that of an unknown example: another one would tell examples from known items. Raises ExampleUnknown,
    VoteOpen.
    """
    engine = dependencies().engine
    if gold.disguise(engine, example_id, person_id) is not None:
        raise ExampleUnknown(example_id)
    record = votes.example_state(engine, example_id)
    if record["author_id"] == person_id:
        return True
    if not is_allowed(Permission.READ_VOTES, current_principal(), record["task_slug"]):
        raise ExampleUnknown(example_id)
    ensure_no_open_vote(example_id)
    return False


def _thread(example_id: ExampleId, *, is_author: bool, status: int = 200) -> Response:
    with dependencies().unit_of_work() as uow:
        validation = uow.validations.lock(example_id)
        items = [MessageAnswer.model_validate(row._mapping) for row in uow.messages.of(example_id)]
        may_write = not validation.retracted and can_write(uow, example_id, by_author=is_author)
    return json_response(
        ThreadAnswer(
            example_id=str(example_id),
            is_author=is_author,
            can_write=may_write,
            items=tuple(items),
            appeal=appeal_record(validation.appealed) if validation.appealed else None,
        ),
        status,
    )
