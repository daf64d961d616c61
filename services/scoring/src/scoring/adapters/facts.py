"""What the log says, as rows: one fact for each kind of event and aggregate.

Facts commute: an event only ever writes the columns of its own fact, and only over an older version of it. In
whichever order events arrive, and however often, the rows come out the same.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from dynabench.example.v1 import example_pb2
from dynabench.task.v1 import task_pb2
from dynabench.validation.v1 import validation_pb2
from dynabench_common.events import Event, PermanentEventError
from dynabench_tasks.configuration.problems import ConfigurationError
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from sqlalchemy import Connection, Table, or_
from sqlalchemy.dialects.postgresql import insert

from scoring.adapters.tables import example, round_, segment, task_configuration, vote
from scoring.domain.task_rules import read_rules

TOPICS = ("dynabench.task.v1", "dynabench.example.v1", "dynabench.validation.v1")
ROUND_STATES: Mapping[int, str] = {
    task_pb2.ROUND_STATE_DRAFT: "draft",
    task_pb2.ROUND_STATE_OPEN: "open",
    task_pb2.ROUND_STATE_PAUSED: "paused",
    task_pb2.ROUND_STATE_CLOSED: "closed",
    task_pb2.ROUND_STATE_RELEASED: "released",
}
VERDICTS: Mapping[int, str] = {
    example_pb2.VERDICT_FOOLED: "fooled",
    example_pb2.VERDICT_NOT_FOOLED: "not_fooled",
    example_pb2.VERDICT_UNDECIDED: "undecided",
    example_pb2.VERDICT_UNKNOWN: "unknown",
}
RESOLUTIONS: Mapping[int, str] = {
    validation_pb2.RESOLUTION_CORRECT: "correct",
    validation_pb2.RESOLUTION_INCORRECT: "incorrect",
    validation_pb2.RESOLUTION_FLAGGED: "flagged",
    validation_pb2.RESOLUTION_DISPUTED: "disputed",
    validation_pb2.RESOLUTION_NO_CLAIM: "no_claim",
}
VOTE_KINDS: Mapping[int, str] = {
    validation_pb2.VOTE_KIND_LABEL: "label",
    validation_pb2.VOTE_KIND_JUDGEMENT: "judgement",
    validation_pb2.VOTE_KIND_FLAG: "flag",
    validation_pb2.VOTE_KIND_UNSURE: "unsure",
}


@dataclass(frozen=True)
class FactKind:
    """Where a fact stands: its table, and the column with the version that wrote it."""

    table: Table
    version_column: str


CONFIGURED = FactKind(task_configuration, "fact_version")
DRAFTED = FactKind(round_, "created_version")
TARGETS = FactKind(round_, "targets_version")
STATE = FactKind(round_, "state_version")
SEGMENT = FactKind(segment, "fact_version")
CREATED = FactKind(example, "created_version")
DECIDED = FactKind(example, "decided_version")
METADATA = FactKind(example, "metadata_version")
EXPLAINED = FactKind(example, "explained_version")
RETRACTED = FactKind(example, "retracted_version")
RESOLUTION = FactKind(example, "resolution_version")
CAST = FactKind(vote, "cast_version")
WITHDRAWN = FactKind(vote, "withdrawn_version")
JUDGED = FactKind(vote, "judged_version")

KINDS = (
    CONFIGURED, DRAFTED, TARGETS, STATE, SEGMENT, CREATED, DECIDED, METADATA, EXPLAINED, RETRACTED,
    RESOLUTION, CAST, WITHDRAWN, JUDGED,
)  # fmt: skip
"""Every kind of fact, in the order in which they are written, so that two workers lock rows in one order."""

Row = dict[str, Any]
Stated = Iterator[tuple[FactKind, Row]]


def _task_created(message: task_pb2.TaskCreated) -> Stated:
    configuration = json.loads(message.configuration_json)
    if not isinstance(configuration, dict):
        raise ValueError("configuration_json is no object")
    try:
        read_rules(configuration)
    except ConfigurationError as err:
        raise PermanentEventError(f"configuration of task {message.task_id}: {err}") from err
    yield (
        CONFIGURED,
        {
            "task_id": UUID(message.task_id),
            "configuration_version": message.configuration_version,
            "slug": message.slug,
            "title": message.title,
            "configuration": configuration,
        },
    )


def _round_created(message: task_pb2.RoundCreated) -> Stated:
    round_id = UUID(message.round_id)
    yield (
        DRAFTED,
        {
            "round_id": round_id,
            "task_id": UUID(message.task_id),
            "number": message.number,
            "title": message.title,
            "origin": message.origin,
            "source": message.source,
        },
    )
    yield TARGETS, {"round_id": round_id, "targets": list(message.targets)}


def _targets_changed(message: task_pb2.RoundTargetsChanged) -> Stated:
    yield TARGETS, {"round_id": UUID(message.round_id), "targets": list(message.targets)}


def _state_changed(message: task_pb2.RoundStateChanged) -> Stated:
    state = _known(ROUND_STATES, message.state, "state")
    yield STATE, {"round_id": UUID(message.round_id), "state": state}


def _segment_started(message: task_pb2.SegmentStarted) -> Stated:
    yield (
        SEGMENT,
        {
            "segment_id": UUID(message.segment_id),
            "round_id": UUID(message.round_id),
            "number": message.number,
            "targets": [{"name": target.name, "digest": target.model_digest} for target in message.targets],
        },
    )


def _example_created(message: example_pb2.ExampleCreated) -> Stated:
    example_id = UUID(message.example_id)
    yield (
        CREATED,
        {
            "example_id": example_id,
            "task_id": UUID(message.task_id),
            "round_id": UUID(message.round_id),
            "segment_id": _optional_id(message.segment_id),
            "author_id": _optional_id(message.author_id),
            "configuration_version": message.configuration_version,
            "context": dict(message.context),
            "input": dict(message.input),
            "claimed": message.claimed,
            "answers": [
                {
                    "target": given.target,
                    "value": given.value,
                    "wrong": given.wrong,
                    "missing": bool(given.missing_reason),
                }
                for given in message.answers
            ],
            "verdict": _known(VERDICTS, message.verdict, "verdict"),
            "cohort": message.cohort,
            "condition": message.condition,
            "tags": list(message.context_tags),
            "created_at": _time(message.created_at),
        },
    )
    yield METADATA, {"example_id": example_id, "metadata": dict(message.metadata)}


def _verdict_decided(message: example_pb2.VerdictDecided) -> Stated:
    yield (
        DECIDED,
        {
            "example_id": UUID(message.example_id),
            "decided_verdict": _known(VERDICTS, message.verdict, "verdict"),
            "wrong_targets": sorted(message.wrong_targets),
        },
    )


def _metadata_given(message: example_pb2.MetadataGiven) -> Stated:
    yield METADATA, {"example_id": UUID(message.example_id), "metadata": dict(message.metadata)}


def _explained(message: example_pb2.ExampleExplained) -> Stated:
    yield (
        EXPLAINED,
        {
            "example_id": UUID(message.example_id),
            "label_explanation": message.label_explanation,
            "model_explanation": message.model_explanation,
        },
    )


def _retracted(message: example_pb2.ExampleRetracted) -> Stated:
    yield (
        RETRACTED,
        {
            "example_id": UUID(message.example_id),
            "retracted_at": _time(message.retracted_at),
        },
    )


def _resolved(message: validation_pb2.ExampleResolved) -> Stated:
    yield (
        RESOLUTION,
        {
            "example_id": UUID(message.example_id),
            "resolution": _known(RESOLUTIONS, message.resolution, "resolution"),
            "golds": list(message.golds),
            "is_adjudicated": bool(message.adjudicated_by),
            "resolved_at": _time(message.resolved_at),
        },
    )


def _resolution_withdrawn(message: validation_pb2.ResolutionWithdrawn) -> Stated:
    nothing = dict.fromkeys(("resolution", "golds", "is_adjudicated", "resolved_at"))
    yield RESOLUTION, {"example_id": UUID(message.example_id), **nothing}


def _vote_cast(message: validation_pb2.VoteCast) -> Stated:
    yield (
        CAST,
        {
            "vote_id": UUID(message.vote_id),
            "example_id": UUID(message.example_id),
            "voter_id": UUID(message.voter_id),
            "kind": _known(VOTE_KINDS, message.kind, "kind"),
            "option": message.option,
            "reason": message.reason,
            "counted": message.counted,
            "metadata": dict(message.metadata),
            "cast_at": _time(message.cast_at),
        },
    )


def _votes_withdrawn(message: validation_pb2.VotesWithdrawn) -> Stated:
    for vote_id in message.vote_ids:
        yield WITHDRAWN, {"vote_id": UUID(vote_id), "cause": message.cause}


def _vote_judged(message: validation_pb2.VoteJudged) -> Stated:
    yield (
        JUDGED,
        {
            "vote_id": UUID(message.vote_id),
            "agrees": message.agrees,
            "corrected": message.corrected,
            "explanation": message.explanation,
        },
    )


READERS: Mapping[type[Message], Callable[[Any], Stated]] = {
    task_pb2.TaskCreated: _task_created,
    task_pb2.RoundCreated: _round_created,
    task_pb2.RoundTargetsChanged: _targets_changed,
    task_pb2.RoundStateChanged: _state_changed,
    task_pb2.SegmentStarted: _segment_started,
    example_pb2.ExampleCreated: _example_created,
    example_pb2.VerdictDecided: _verdict_decided,
    example_pb2.MetadataGiven: _metadata_given,
    example_pb2.ExampleExplained: _explained,
    example_pb2.ExampleRetracted: _retracted,
    validation_pb2.ExampleResolved: _resolved,
    validation_pb2.ResolutionWithdrawn: _resolution_withdrawn,
    validation_pb2.VoteCast: _vote_cast,
    validation_pb2.VotesWithdrawn: _votes_withdrawn,
    validation_pb2.VoteJudged: _vote_judged,
}


def read_facts(events: Sequence[Event]) -> dict[FactKind, list[Row]]:
    """Return the newest fact of each kind and aggregate among the events. Raises PermanentEventError."""
    newest: dict[FactKind, dict[tuple[Any, ...], Row]] = {}
    for event in events:
        for kind, stated in _read(event):
            row = {**stated, kind.version_column: event.aggregate_version}
            key = tuple(row[column.name] for column in kind.table.primary_key)
            rows = newest.setdefault(kind, {})
            if key not in rows or rows[key][kind.version_column] < event.aggregate_version:
                rows[key] = row
    return {kind: [newest[kind][key] for key in sorted(newest[kind])] for kind in KINDS if kind in newest}


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


def _read(event: Event) -> list[tuple[FactKind, Row]]:
    try:
        return list(READERS[type(event.message)](event.message))
    except (ValueError, KeyError) as err:
        raise PermanentEventError(f"{event.type}: {err}") from err


def _known(names: Mapping[int, str], value: int, field: str) -> str:
    if value not in names:
        raise ValueError(f"{field} {value} means nothing here")
    return names[value]


def _optional_id(text: str) -> UUID | None:
    return UUID(text) if text else None


def _time(stamp: Timestamp) -> datetime:
    return stamp.ToDatetime(UTC)
