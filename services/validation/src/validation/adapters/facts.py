"""Facts of annotation's events as rows: one fact for each kind of event and aggregate.

Facts commute. An event only ever writes the columns of its own fact, and only over an older version of it. Events may
arrive in any order and any number of times; the rows come out the same.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from uuid import UUID

from dynabench_common.database.bulk import as_document, insert_rows
from dynabench_common.events.cloud_events import Event, PermanentEventError
from dynabench_common.ignored_keys import note_ignored_keys
from dynabench_events import EventRecord, recorded
from dynabench_events.example import (
    DuplicateOverruled,
    ExampleCreated,
    ExampleExplained,
    ExampleRetracted,
    TargetAnswer,
    VerdictDecided,
)
from dynabench_events.task import RoundCreated, RoundStateChanged, TaskCreated
from dynabench_tasks.certainty import margin, smallest_margin
from dynabench_tasks.configuration.problems import ConfigurationError
from dynabench_tasks.verdict import Verdict
from sqlalchemy import Connection, Table, or_
from sqlalchemy.dialects.postgresql import Insert

from validation.adapters import imported_votes
from validation.adapters.tables import example, round_, task_configuration
from validation.domain.rules import missing_kind

Row = dict[str, Any]

NOBODY = UUID(int=0)
"""Stands for an author who is unknown, and for the segment of a round without targets."""


@dataclass(frozen=True)
class FactKind:
    """The place of an event type's fact: its table, and the column with the version that wrote it."""

    table: Table
    version_column: str
    read: Callable[[Any], Row]


def _task_created(event: TaskCreated) -> Row:
    try:
        note = note_ignored_keys(event.task_id, event.configuration_version)
        waits_for = missing_kind(event.configuration, note)
    except ConfigurationError as err:
        raise PermanentEventError(f"configuration of task {event.task_id}: {err}") from err
    return {
        "task_id": event.task_id,
        "configuration_version": event.configuration_version,
        "slug": event.slug,
        "configuration": event.configuration,
        "waits_for": waits_for,
    }


def _round_created(event: RoundCreated) -> Row:
    return {"round_id": event.round_id, "task_id": event.task_id, "number": event.number}


def _round_state_changed(event: RoundStateChanged) -> Row:
    return {"round_id": event.round_id, "state": event.state}


def _example_created(event: ExampleCreated) -> Row:
    return {
        "example_id": event.example_id,
        "task_id": event.task_id,
        "task_slug": event.task_slug,
        "configuration_version": event.configuration_version,
        "round_id": event.round_id,
        "author_id": event.author_id or NOBODY,
        "context": event.context,
        "input": event.input,
        "claimed": event.claimed,
        "fooled": event.verdict is Verdict.FOOLED and event.duplicate_of is None,
        "undecided": event.verdict is Verdict.UNDECIDED,
        "margin": smallest_margin(
            margin(answer.value, answer.probabilities, answer.confidence) for answer in event.answers
        ),
        "created_at": event.created_at,
        "segment_id": event.segment_id or NOBODY,
        "condition": event.condition,
        "cohort": event.cohort,
        "tags": list(event.context_tags),
        "targets": [_target(answer, event.verdict) for answer in event.answers],
        "source_id": event.source_id,
        "imported_votes": imported_votes.to_columns(event),
    }


def _target(answer: TargetAnswer, verdict: Verdict) -> Row:
    is_decided = not answer.is_missing and verdict.is_decided
    return {"name": answer.target, "wrong": answer.wrong if is_decided else None}


def _verdict_decided(event: VerdictDecided) -> Row:
    return {
        "example_id": event.example_id,
        "decided_fooled": event.verdict is Verdict.FOOLED and event.duplicate_of is None,
        "decided_wrong": list(event.wrong_targets),
    }


def _duplicate_overruled(event: DuplicateOverruled) -> Row:
    return {"example_id": event.example_id}


def _example_explained(event: ExampleExplained) -> Row:
    return {
        "example_id": event.example_id,
        "label_explanation": event.label_explanation,
        "model_explanation": event.model_explanation,
    }


def _example_retracted(event: ExampleRetracted) -> Row:
    return {"example_id": event.example_id, "retracted_at": event.retracted_at}


KINDS: Mapping[type[EventRecord], FactKind] = {
    TaskCreated: FactKind(task_configuration, "fact_version", _task_created),
    RoundCreated: FactKind(round_, "created_version", _round_created),
    RoundStateChanged: FactKind(round_, "state_version", _round_state_changed),
    ExampleCreated: FactKind(example, "created_version", _example_created),
    VerdictDecided: FactKind(example, "decided_version", _verdict_decided),
    DuplicateOverruled: FactKind(example, "overruled_version", _duplicate_overruled),
    ExampleExplained: FactKind(example, "explained_version", _example_explained),
    ExampleRetracted: FactKind(example, "retracted_version", _example_retracted),
}
TOPICS = ("dynabench.task.v1", "dynabench.example.v1")


def read_facts(events: Sequence[Event]) -> dict[FactKind, list[Row]]:
    """Return the newest fact of each kind and aggregate among the events. Raises PermanentEventError."""
    newest: dict[FactKind, dict[tuple[Any, ...], Row]] = {}
    for event in map(recorded, events):
        if event.aggregate_id != event.record.aggregate_id:
            name = type(event.record).__name__
            raise PermanentEventError(
                f"{name} of {event.record.aggregate_id} came under the key {event.aggregate_id}"
            )
        kind = KINDS[type(event.record)]
        row = {**kind.read(event.record), kind.version_column: event.version}
        key = tuple(row[column.name] for column in kind.table.primary_key)
        rows = newest.setdefault(kind, {})
        if key not in rows or rows[key][kind.version_column] < event.version:
            rows[key] = row
    return {kind: [rows[key] for key in sorted(rows)] for kind, rows in newest.items()}


def write_facts(connection: Connection, facts: Mapping[FactKind, Sequence[Row]]) -> None:
    """Write facts over older versions of themselves."""
    for kind, rows in facts.items():
        names = tuple(column.name for column in kind.table.c if column.name in rows[0])
        connection.execute(_upsert(kind, names), as_document(rows))


@cache
def _upsert(kind: FactKind, names: tuple[str, ...]) -> Insert:
    written, keys = kind.table.c[kind.version_column], list(kind.table.primary_key)
    statement = insert_rows(kind.table, names)
    return statement.on_conflict_do_update(
        index_elements=keys,
        set_={name: statement.excluded[name] for name in names if kind.table.c[name] not in set(keys)},
        where=or_(written.is_(None), written < statement.excluded[kind.version_column]),
    )
