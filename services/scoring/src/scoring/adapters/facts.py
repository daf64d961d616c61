"""Facts from the event log as rows: one fact for each kind of event and aggregate.

Facts commute. An event writes only the columns of its own fact, and only over an older version of it. The rows are the
same for any order and any number of deliveries.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from uuid import UUID

from dynabench_common.database.bulk import as_document, insert_rows
from dynabench_common.events.cloud_events import PermanentEventError
from dynabench_common.ignored_keys import note_ignored_keys
from dynabench_events import EventRecord, Recorded
from dynabench_events.example import (
    DuplicateOverruled,
    ExampleCreated,
    ExampleExplained,
    ExampleRetracted,
    MetadataGiven,
    VerdictDecided,
)
from dynabench_events.known_item import KnownItemAnswered
from dynabench_events.model import ModelCardChanged
from dynabench_events.task import (
    RoundCreated,
    RoundStateChanged,
    RoundTargetsChanged,
    SegmentStarted,
    TaskCreated,
)
from dynabench_events.validation import (
    ExampleResolved,
    ResolutionWithdrawn,
    VoteCast,
    VoteJudged,
    VotesImported,
    VotesWithdrawn,
)
from dynabench_tasks.configuration.problems import ConfigurationError, UnknownKind
from dynabench_tasks.configuration.published import read_published
from dynabench_tasks.verdict import Verdict
from sqlalchemy import Connection, Table, or_
from sqlalchemy.dialects.postgresql import Insert

from scoring.adapters.tables import example, known_item_answer, round_, segment, task_configuration, vote

TOPICS = (
    "dynabench.task.v1",
    "dynabench.example.v1",
    "dynabench.validation.v1",
    "dynabench.known_item.v1",
    "dynabench.model.v1",
)


@dataclass(frozen=True)
class FactKind:
    """Location of a fact: its table, and the column with the version that wrote it."""

    table: Table
    version_column: str


CONFIGURED = FactKind(task_configuration, "fact_version")
ROUND_CREATED = FactKind(round_, "created_version")
TARGETS = FactKind(round_, "targets_version")
STATE = FactKind(round_, "state_version")
SEGMENT = FactKind(segment, "fact_version")
CREATED = FactKind(example, "created_version")
DECIDED = FactKind(example, "decided_version")
OVERRULED = FactKind(example, "overruled_version")
METADATA = FactKind(example, "metadata_version")
EXPLAINED = FactKind(example, "explained_version")
RETRACTED = FactKind(example, "retracted_version")
RESOLUTION = FactKind(example, "resolution_version")
CAST = FactKind(vote, "cast_version")
WITHDRAWN = FactKind(vote, "withdrawn_version")
JUDGED = FactKind(vote, "judged_version")
KNOWN_ITEM = FactKind(known_item_answer, "version")

KINDS = (
    CONFIGURED, ROUND_CREATED, TARGETS, STATE, SEGMENT, CREATED, DECIDED, OVERRULED, METADATA, EXPLAINED,
    RETRACTED, RESOLUTION, CAST, WITHDRAWN, JUDGED, KNOWN_ITEM,
)  # fmt: skip
"""Every kind of fact, in the order in which they are written, so that two workers lock rows in one order."""

KEPT_AS_TOLD = (
    "context_id", "attempt", "assigned_label", "seconds_since_context", "probes_before", "inspections_before",
    "perturbation_of", "source_id",
)  # fmt: skip
"""Columns of an example's row that its event fills."""

Row = dict[str, Any]
Facts = Iterator[tuple[FactKind, Row]]


def _task_created(event: TaskCreated) -> Facts:
    try:
        note = note_ignored_keys(event.task_id, event.configuration_version)
        read_published(event.configuration, note=note)
    except UnknownKind:
        # Kept as it came: what needs its rules refuses until this service is brought up to date.
        pass
    except ConfigurationError as err:
        raise PermanentEventError(f"configuration of task {event.task_id}: {err}") from err
    yield (
        CONFIGURED,
        {
            "task_id": event.task_id,
            "configuration_version": event.configuration_version,
            "slug": event.slug,
            "title": event.title,
            "configuration": event.configuration,
        },
    )


def _round_created(event: RoundCreated) -> Facts:
    yield (
        ROUND_CREATED,
        {
            "round_id": event.round_id,
            "task_id": event.task_id,
            "number": event.number,
            "title": event.title,
            "origin": event.origin,
            "source": event.source,
        },
    )
    yield TARGETS, {"round_id": event.round_id, "targets": list(event.targets)}


def _targets_changed(event: RoundTargetsChanged) -> Facts:
    yield TARGETS, {"round_id": event.round_id, "targets": list(event.targets)}


def _state_changed(event: RoundStateChanged) -> Facts:
    yield STATE, {"round_id": event.round_id, "state": event.state.value}


def _segment_started(event: SegmentStarted) -> Facts:
    yield (
        SEGMENT,
        {
            "segment_id": event.segment_id,
            "round_id": event.round_id,
            "number": event.number,
            "targets": [{"name": target.name, "digest": target.model_digest} for target in event.targets],
        },
    )


def _example_created(event: ExampleCreated) -> Facts:
    yield (
        CREATED,
        {
            "example_id": event.example_id,
            "task_id": event.task_id,
            "round_id": event.round_id,
            "segment_id": event.segment_id,
            "author_id": event.author_id,
            "configuration_version": event.configuration_version,
            "context": event.context,
            "input": event.input,
            "claimed": event.claimed,
            "answers": [
                {
                    "target": answer.target,
                    "value": answer.value,
                    "wrong": answer.wrong,
                    "missing": answer.is_missing,
                    "not_asked": answer.not_asked,
                    "digest": answer.model_digest,
                    "confidence": answer.confidence,
                    "probabilities": dict(answer.probabilities),
                }
                for answer in event.answers
            ],
            "verdict": _counted(event.verdict, event.duplicate_of),
            "duplicate_of": event.duplicate_of,
            "cohort": event.cohort,
            "condition": event.condition,
            "tags": list(event.context_tags),
            "created_at": event.created_at,
            **{name: getattr(event, name) for name in KEPT_AS_TOLD},
        },
    )
    yield METADATA, {"example_id": event.example_id, "metadata": event.metadata}


def _counted(verdict: Verdict, duplicate_of: UUID | None) -> str:
    """Return what a verdict counts as: a text that is equal to an earlier one fooled nobody further."""
    return Verdict.NOT_FOOLED.value if duplicate_of and verdict is Verdict.FOOLED else verdict.value


def _duplicate_overruled(event: DuplicateOverruled) -> Facts:
    yield OVERRULED, {"example_id": event.example_id, "overruled_verdict": Verdict.FOOLED.value}


def _verdict_decided(event: VerdictDecided) -> Facts:
    yield (
        DECIDED,
        {
            "example_id": event.example_id,
            "decided_verdict": _counted(event.verdict, event.duplicate_of),
            "decided_duplicate_of": event.duplicate_of,
            "wrong_targets": sorted(event.wrong_targets),
        },
    )


def _metadata_given(event: MetadataGiven) -> Facts:
    yield METADATA, {"example_id": event.example_id, "metadata": event.metadata}


def _explained(event: ExampleExplained) -> Facts:
    yield (
        EXPLAINED,
        {
            "example_id": event.example_id,
            "label_explanation": event.label_explanation,
            "model_explanation": event.model_explanation,
        },
    )


def _retracted(event: ExampleRetracted) -> Facts:
    yield RETRACTED, {"example_id": event.example_id, "retracted_at": event.retracted_at}


def _resolved(event: ExampleResolved) -> Facts:
    yield (
        RESOLUTION,
        {
            "example_id": event.example_id,
            "resolution": event.resolution.value,
            "golds": list(event.golds),
            "is_adjudicated": event.adjudicated_by is not None,
            "resolved_at": event.resolved_at,
        },
    )


def _resolution_withdrawn(event: ResolutionWithdrawn) -> Facts:
    nothing = dict.fromkeys(("resolution", "golds", "is_adjudicated", "resolved_at"))
    yield RESOLUTION, {"example_id": event.example_id, **nothing}


def _vote_cast(event: VoteCast) -> Facts:
    yield (
        CAST,
        {
            "vote_id": event.vote_id,
            "example_id": event.example_id,
            "voter_id": event.voter_id,
            "kind": event.kind.value,
            "option": event.option,
            "reason": event.reason,
            "counted": event.counted,
            "metadata": event.metadata,
            "seconds": event.seconds,
            "cast_at": event.cast_at,
        },
    )


def _votes_withdrawn(event: VotesWithdrawn) -> Facts:
    for vote_id in event.vote_ids:
        yield WITHDRAWN, {"vote_id": vote_id, "cause": event.cause.value}


def _vote_judged(event: VoteJudged) -> Facts:
    yield (
        JUDGED,
        {
            "vote_id": event.vote_id,
            "agrees": event.agrees,
            "corrected": event.corrected,
            "explanation": event.explanation,
        },
    )


def _known_item_answered(event: KnownItemAnswered) -> Facts:
    """Keep the answer in the words of `exports.own_work`."""
    cast, judged = event.vote, event.judged
    record = cast and {
        "vote_id": str(cast.vote_id),
        "example_id": str(event.example_id),
        "round_id": str(event.round_id),
        "task": event.task_slug,
        "context": dict(event.context),
        "input": dict(event.input),
        "vote_kind": cast.kind.value,
        "option": cast.option,
        "reason": cast.reason,
        "counted": cast.counted,
        "metadata": dict(cast.metadata),
        "agrees": judged and judged.agrees,
        "corrected": judged and judged.corrected,
        "explanation": judged and judged.explanation,
        "cast_at": cast.cast_at.isoformat(),
    }
    yield (
        KNOWN_ITEM,
        {
            "example_id": event.example_id,
            "vote_id": cast and cast.vote_id,
            "voter_id": cast and cast.voter_id,
            "record": record and json.dumps(record, ensure_ascii=False),
        },
    )


def _card_changed(_event: ModelCardChanged) -> Facts:
    """Keep nothing: cards are only looked through for what hidden datasets lost."""
    yield from ()


READERS: Mapping[type[EventRecord], Callable[[Any], Facts]] = {
    TaskCreated: _task_created,
    RoundCreated: _round_created,
    RoundTargetsChanged: _targets_changed,
    RoundStateChanged: _state_changed,
    SegmentStarted: _segment_started,
    ExampleCreated: _example_created,
    VerdictDecided: _verdict_decided,
    DuplicateOverruled: _duplicate_overruled,
    MetadataGiven: _metadata_given,
    ExampleExplained: _explained,
    ExampleRetracted: _retracted,
    ExampleResolved: _resolved,
    ResolutionWithdrawn: _resolution_withdrawn,
    VoteCast: _vote_cast,
    VotesWithdrawn: _votes_withdrawn,
    VoteJudged: _vote_judged,
    KnownItemAnswered: _known_item_answered,
    ModelCardChanged: _card_changed,
}
ACCEPTED = (*READERS, VotesImported)
"""Events that are read: one fact each, and imported votes, many in one event."""


def read_facts(events: Iterable[Recorded[EventRecord]]) -> dict[FactKind, list[Row]]:
    """Return the newest fact of each kind and aggregate among the events. Raises PermanentEventError."""
    newest: dict[FactKind, dict[tuple[Any, ...], Row]] = {}
    for event in events:
        for kind, fact in _read(event):
            row = {**fact, kind.version_column: event.version}
            key = tuple(row[column.name] for column in kind.table.primary_key)
            rows = newest.setdefault(kind, {})
            if key not in rows or rows[key][kind.version_column] < event.version:
                rows[key] = row
    return {kind: [newest[kind][key] for key in sorted(newest[kind])] for kind in KINDS if kind in newest}


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


def _read(event: Recorded[EventRecord]) -> list[tuple[FactKind, Row]]:
    try:
        return list(READERS[type(event.record)](event.record))
    except (ValueError, KeyError) as err:
        raise PermanentEventError(f"{type(event.record).__name__}: {err}") from err
