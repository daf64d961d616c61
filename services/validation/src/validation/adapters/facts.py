"""Facts of annotation's tasks, rounds and examples that validation keeps, and the events that write them."""

from collections.abc import Iterable
from uuid import UUID

from dynabench_common.events.cloud_events import Event, PermanentEventError
from dynabench_common.events.facts import Facts, NewestFacts, Row, copied, values_of
from dynabench_common.ignored_keys import missing_kind_in
from dynabench_events import EventRecord, Recorded, recorded
from dynabench_events.example import (
    DuplicateOverruled,
    ExampleCreated,
    ExampleExplained,
    ExampleRetracted,
    TargetAnswer,
    VerdictDecided,
)
from dynabench_events.task import ChecksAssigned, ChecksEnded, RoundCreated, RoundStateChanged, TaskCreated
from dynabench_tasks.certainty import margin, smallest_margin
from dynabench_tasks.verdict import Verdict

from validation.adapters import imported_votes
from validation.adapters.tables import assigned_checks, example, round_, task_configuration

NOBODY = UUID(int=0)
"""Stands for an author who is unknown, and for the segment of a round without targets."""
EXAMPLE_COLUMNS = (
    "example_id", "task_id", "task_slug", "configuration_version", "round_id", "context", "input", "claimed",
    "created_at", "condition", "cohort", "source_id",
)  # fmt: skip


def _task_created(event: TaskCreated) -> Row:
    return {
        **values_of(event, "task_id", "configuration_version", "slug", "configuration"),
        "waits_for": missing_kind_in(event),
    }


def _example_created(event: ExampleCreated) -> Row:
    return {
        **values_of(event, *EXAMPLE_COLUMNS),
        "author_id": event.author_id or NOBODY,
        "fooled": event.verdict is Verdict.FOOLED and event.duplicate_of is None,
        "undecided": event.verdict is Verdict.UNDECIDED,
        "margin": smallest_margin(
            margin(answer.value, answer.probabilities, answer.confidence) for answer in event.answers
        ),
        "segment_id": event.segment_id or NOBODY,
        "tags": event.context_tags,
        "targets": [_target(answer, event.verdict) for answer in event.answers],
        "imported_votes": imported_votes.to_columns(event),
    }


def _target(answer: TargetAnswer, verdict: Verdict) -> Row:
    is_decided = not answer.is_missing and verdict.is_decided
    shares, said = answer.probabilities, answer.value or None
    return {
        "name": answer.target,
        "wrong": answer.wrong if is_decided else None,
        "value": said,
        "confidence": shares.get(answer.value) if answer.confidence is None else answer.confidence,
    }


def _verdict_decided(event: VerdictDecided) -> Row:
    return {
        "example_id": event.example_id,
        "decided_fooled": event.verdict is Verdict.FOOLED and event.duplicate_of is None,
        "decided_wrong": event.wrong_targets,
    }


FACTS = Facts(
    (TaskCreated, task_configuration.c.fact_version, _task_created),
    (RoundCreated, round_.c.created_version, copied("round_id", "task_id", "number")),
    (RoundStateChanged, round_.c.state_version, copied("round_id", "state")),
    (
        ChecksAssigned,
        assigned_checks.c.assigned_version,
        copied("order_id", "round_id", "person_id", "example_ids", "units", "assigned_at"),
    ),
    (ChecksEnded, assigned_checks.c.ended_version, copied("order_id")),
    (ExampleCreated, example.c.created_version, _example_created),
    (VerdictDecided, example.c.decided_version, _verdict_decided),
    (DuplicateOverruled, example.c.overruled_version, copied("example_id")),
    (
        ExampleExplained,
        example.c.explained_version,
        copied("example_id", "label_explanation", "model_explanation"),
    ),
    (ExampleRetracted, example.c.retracted_version, copied("example_id", "retracted_at")),
)
TOPICS = ("dynabench.task.v1", "dynabench.example.v1")


def read_facts(events: Iterable[Event]) -> NewestFacts:
    """Return the newest fact of each kind and aggregate among the events. Raises PermanentEventError."""
    return FACTS.newest(_under_own_key(event) for event in map(recorded, events))


def _under_own_key(event: Recorded[EventRecord]) -> Recorded[EventRecord]:
    """Return an event whose key is the id of its aggregate. Raises PermanentEventError."""
    if event.aggregate_id != event.record.aggregate_id:
        name = type(event.record).__name__
        raise PermanentEventError(
            f"{name} of {event.record.aggregate_id} came under the key {event.aggregate_id}"
        )
    return event
