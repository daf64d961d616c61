"""Routes to list events that could not be sent or processed, and for an administrator's decisions on them."""

from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from uuid import NAMESPACE_URL, uuid5

from dynabench_api.dead_letters import (
    DeadLetterDecision,
    DeadLetterRecord,
    DeadLetterRecords,
    DeadLettersAnswer,
    DeadLettersOfTopic,
    HeldPartition,
)
from flask import Response
from flask_openapi import APIBlueprint
from pydantic import BaseModel, Field
from sqlalchemy import Connection, Engine, Table

from dynabench_common.auth.permissions import Permission, current_principal, requires
from dynabench_common.events import dead_letter_store, outbox
from dynabench_common.events.audit import Action, action_taken
from dynabench_common.events.stalled_partitions import list_stalled
from dynabench_common.http.schemas import Input, Parameters, Text
from dynabench_common.http.service import json_response
from dynabench_common.problems import Problem


class DeadLetterLimit(Parameters):
    """The number of records to return."""

    limit: int = Field(100, ge=1, le=1_000)


class DeadLetterPath(BaseModel):
    """The record's id."""

    record_id: Text = Field(min_length=1, max_length=600)


class DiscardBody(Input):
    """The reason to discard a record."""

    reason: str = Field(min_length=3, max_length=500)


def dead_letters_blueprint(service: str, outbox_table: Table, engine: Callable[[], Engine]) -> APIBlueprint:
    """Return the routes about a service's dead letters; `engine` is called per request."""
    blueprint = APIBlueprint("dead_letters", service, url_prefix=f"/api/{service}/v1/dead-letters")

    @blueprint.get("", responses={200: DeadLettersAnswer})
    @requires(Permission.READ_HEALTH)
    def get_dead_letters() -> Response:
        """Count the events that could not be sent or processed, by topic, and list held partitions."""
        with engine().connect() as connection:
            items = [DeadLettersOfTopic(**asdict(found)) for found in dead_letter_store.summarise(connection)]
            held = [HeldPartition.model_validate(row._mapping) for row in list_stalled(connection)]
        return json_response(DeadLettersAnswer(items=items, held=held))

    @blueprint.get("/records", responses={200: DeadLetterRecords})
    @requires(Permission.READ_HEALTH)
    def list_dead_letter_records(query: DeadLetterLimit) -> Response:
        """List dead letters: first those that could not be sent, each oldest first."""
        with engine().connect() as connection:
            found = dead_letter_store.list_all(connection, query.limit)
        return json_response(DeadLetterRecords(items=[DeadLetterRecord(**asdict(each)) for each in found]))

    @blueprint.post("/records/<record_id>/redrive", responses={202: DeadLetterDecision})
    @requires(Permission.MANAGE_DEAD_LETTERS)
    def redrive_dead_letter(path: DeadLetterPath) -> Response:
        """Retry a record, with those waiting behind it. Repeating the request changes nothing."""
        with engine().begin() as connection:
            if not dead_letter_store.send_again(connection, path.record_id):
                raise _no_such_record()
            _audit(connection, outbox_table, service, path.record_id, "redriven", "")
        return json_response(DeadLetterDecision(record_id=path.record_id, decision="requested"), 202)

    @blueprint.post("/records/<record_id>/discard", responses={200: DeadLetterDecision})
    @requires(Permission.MANAGE_DEAD_LETTERS)
    def discard_dead_letter(path: DeadLetterPath, body: DiscardBody) -> Response:
        """Discard a record; those waiting behind it are sent."""
        with engine().begin() as connection:
            if not dead_letter_store.discard(connection, path.record_id, body.reason):
                raise _no_such_record()
            _audit(connection, outbox_table, service, path.record_id, "discarded", body.reason)
        return json_response(DeadLetterDecision(record_id=path.record_id, decision="discarded"))

    return blueprint


def _no_such_record() -> Problem:
    return Problem(
        404,
        "dead-letter-not-found",
        "No such failed event",
        "There is no failed event of this name, or it failed before events were kept.",
        field="record_id",
        remedy="It may have been retried or discarded already: list the failed events. Otherwise rebuild.",
    )


def _audit(
    connection: Connection, outbox_table: Table, service: str, record_id: str, decision: str, reason: str
) -> None:
    action = Action(
        action=f"dead_letter.{decision}",
        actor_id=current_principal().person_id,
        object_kind="dead_letter",
        object_id=uuid5(NAMESPACE_URL, f"{service}/{record_id}"),
        reason=reason,
        details={"service": service, "record_id": record_id},
    )
    outbox.append(connection, outbox_table, [action_taken(action, datetime.now(UTC))])
