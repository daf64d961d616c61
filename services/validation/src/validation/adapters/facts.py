"""What annotation's events say, as rows: one fact for each kind of event and aggregate.

Facts commute: an event only ever writes the columns of its own fact, and only over an older version of it. In
whichever order events arrive, and however often, the rows come out the same.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from dynabench.example.v1 import example_pb2
from dynabench.task.v1 import task_pb2
from dynabench_common.events import Event, PermanentEventError
from dynabench_tasks.certainty import margin, smallest_margin
from dynabench_tasks.configuration.problems import ConfigurationError
from dynabench_tasks.rounds import RoundState
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from sqlalchemy import Connection, Table, or_
from sqlalchemy.dialects.postgresql import insert

from validation.adapters import imported_votes
from validation.adapters.tables import example, round_, task_configuration
from validation.domain.rules import read_rules

Row = dict[str, Any]

ROUND_STATES: Mapping[int, RoundState] = {
    task_pb2.ROUND_STATE_DRAFT: RoundState.DRAFT,
    task_pb2.ROUND_STATE_OPEN: RoundState.OPEN,
    task_pb2.ROUND_STATE_PAUSED: RoundState.PAUSED,
    task_pb2.ROUND_STATE_CLOSED: RoundState.CLOSED,
    task_pb2.ROUND_STATE_RELEASED: RoundState.RELEASED,
}
DECIDED = (example_pb2.VERDICT_FOOLED, example_pb2.VERDICT_NOT_FOOLED)
NOBODY = UUID(int=0)
"""Stands for an author who is unknown, and for the segment of a round without targets."""


@dataclass(frozen=True)
class FactKind:
    """Where an event type's fact stands: its table, and the column with the version that wrote it."""

    table: Table
    version_column: str
    read: Callable[[Any], Row]


def _task_created(message: task_pb2.TaskCreated) -> Row:
    try:
        configuration = json.loads(message.configuration_json)
        read_rules(configuration)
    except (ValueError, ConfigurationError) as err:
        raise PermanentEventError(f"configuration of task {message.task_id}: {err}") from err
    return {
        "task_id": _id(message.task_id),
        "configuration_version": message.configuration_version,
        "slug": message.slug,
        "configuration": configuration,
    }


def _round_created(message: task_pb2.RoundCreated) -> Row:
    return {
        "round_id": _id(message.round_id),
        "task_id": _id(message.task_id),
        "number": message.number,
    }


def _round_state_changed(message: task_pb2.RoundStateChanged) -> Row:
    state = ROUND_STATES.get(message.state)
    if state is None:
        raise PermanentEventError(f"round {message.round_id} moved to the unknown state {message.state}")
    return {"round_id": _id(message.round_id), "state": state}


def _example_created(message: example_pb2.ExampleCreated) -> Row:
    return {
        "example_id": _id(message.example_id),
        "task_id": _id(message.task_id),
        "task_slug": message.task_slug,
        "configuration_version": message.configuration_version,
        "round_id": _id(message.round_id),
        "author_id": _id_or_nobody(message.author_id),
        "context": dict(message.context),
        "input": dict(message.input),
        "claimed": message.claimed,
        "fooled": message.verdict == example_pb2.VERDICT_FOOLED,
        "undecided": message.verdict == example_pb2.VERDICT_UNDECIDED,
        "margin": smallest_margin(_margin(answer) for answer in message.answers),
        "created_at": _time(message.created_at),
        "segment_id": _id_or_nobody(message.segment_id),
        "condition": message.condition,
        "cohort": message.cohort,
        "tags": list(message.context_tags),
        "targets": [_target(answer, message.verdict) for answer in message.answers],
        "source_id": message.source_id,
        "imported_votes": imported_votes.read(message),
    }


def _target(answer: example_pb2.TargetAnswer, verdict: example_pb2.Verdict) -> Row:
    is_decided = not answer.missing_reason and verdict in DECIDED
    return {"name": answer.target, "wrong": answer.wrong if is_decided else None}


def _margin(answer: example_pb2.TargetAnswer) -> float | None:
    confidence = answer.confidence if answer.HasField("confidence") else None
    return margin(answer.value, answer.probabilities, confidence)


def _verdict_decided(message: example_pb2.VerdictDecided) -> Row:
    return {
        "example_id": _id(message.example_id),
        "decided_fooled": message.verdict == example_pb2.VERDICT_FOOLED,
        "decided_wrong": list(message.wrong_targets),
    }


def _example_explained(message: example_pb2.ExampleExplained) -> Row:
    return {
        "example_id": _id(message.example_id),
        "label_explanation": message.label_explanation,
        "model_explanation": message.model_explanation,
    }


def _example_retracted(message: example_pb2.ExampleRetracted) -> Row:
    return {"example_id": _id(message.example_id), "retracted_at": _time(message.retracted_at)}


KINDS: Mapping[type[Message], FactKind] = {
    task_pb2.TaskCreated: FactKind(task_configuration, "fact_version", _task_created),
    task_pb2.RoundCreated: FactKind(round_, "created_version", _round_created),
    task_pb2.RoundStateChanged: FactKind(round_, "state_version", _round_state_changed),
    example_pb2.ExampleCreated: FactKind(example, "created_version", _example_created),
    example_pb2.VerdictDecided: FactKind(example, "decided_version", _verdict_decided),
    example_pb2.ExampleExplained: FactKind(example, "explained_version", _example_explained),
    example_pb2.ExampleRetracted: FactKind(example, "retracted_version", _example_retracted),
}
TOPICS = ("dynabench.task.v1", "dynabench.example.v1")


def read_facts(events: Sequence[Event]) -> dict[FactKind, list[Row]]:
    """Return the newest fact of each kind and aggregate among the events. Raises PermanentEventError."""
    newest: dict[FactKind, dict[tuple[Any, ...], Row]] = {}
    for event in events:
        kind = KINDS[type(event.message)]
        row = {**kind.read(event.message), kind.version_column: event.aggregate_version}
        key = tuple(row[column.name] for column in kind.table.primary_key)
        if event.aggregate_id != key[0]:
            raise PermanentEventError(f"{event.type} of {key[0]} came under the key {event.aggregate_id}")
        rows = newest.setdefault(kind, {})
        if key not in rows or rows[key][kind.version_column] < event.aggregate_version:
            rows[key] = row
    return {kind: [rows[key] for key in sorted(rows)] for kind, rows in newest.items()}


def write_facts(connection: Connection, facts: Mapping[FactKind, Sequence[Row]]) -> None:
    """Write facts over older versions of themselves.

    RETURNING makes SQLAlchemy send many rows in one statement; without it each row is a round trip.
    """
    for kind, rows in facts.items():
        keys = list(kind.table.primary_key)
        held = kind.table.c[kind.version_column]
        statement = insert(kind.table)
        upsert = statement.on_conflict_do_update(
            index_elements=keys,
            set_={name: statement.excluded[name] for name in rows[0] if kind.table.c[name] not in set(keys)},
            where=or_(held.is_(None), held < statement.excluded[kind.version_column]),
        )
        connection.execute(upsert.returning(*keys), list(rows))


def _id_or_nobody(text: str) -> UUID:
    return _id(text) if text else NOBODY


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as err:
        raise PermanentEventError(f"{text!r} is no id") from err


def _time(stamp: Timestamp) -> datetime:
    return stamp.ToDatetime(UTC)
