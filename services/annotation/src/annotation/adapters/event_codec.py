"""Domain events as protobuf messages in the outbox."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from dynabench.example.v1 import example_pb2
from dynabench.task.v1 import task_pb2
from dynabench_common.outbox import OutboxMessage, message_for
from dynabench_tasks.values import Value, to_text
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from annotation.domain import events
from annotation.domain.aggregate import Recorded
from annotation.domain.identifiers import NOBODY, PersonId
from annotation.domain.provenance import ImportedVote
from annotation.domain.verdict import Answer, MissingAnswer

TASK_TOPIC = "dynabench.task.v1"
EXAMPLE_TOPIC = "dynabench.example.v1"


def encode(recorded: Recorded) -> OutboxMessage:
    """Return the event as the outbox stores it."""
    topic, to_message = ENCODERS[type(recorded.event)]
    return message_for(
        topic,
        to_message(recorded.event),
        recorded.aggregate_id,
        recorded.aggregate_version,
        recorded.occurred_at,
    )


def _timestamp(moment: datetime) -> Timestamp:
    stamp = Timestamp()
    stamp.FromDatetime(moment)
    return stamp


def _task_created(event: events.TaskCreated) -> Message:
    return task_pb2.TaskCreated(
        task_id=str(event.task_id),
        slug=event.slug,
        title=event.title,
        configuration_version=event.configuration_version,
        configuration_json=json.dumps(event.configuration, ensure_ascii=False, allow_nan=False),
        created_at=_timestamp(event.created_at),
    )


def _round_created(event: events.RoundCreated) -> Message:
    return task_pb2.RoundCreated(
        round_id=str(event.round_id),
        task_id=str(event.task_id),
        number=event.number,
        title=event.title,
        targets=event.targets,
        created_at=_timestamp(event.created_at),
        origin=event.origin,
        source=event.source,
    )


def _round_state_changed(event: events.RoundStateChanged) -> Message:
    return task_pb2.RoundStateChanged(
        round_id=str(event.round_id),
        state=f"ROUND_STATE_{event.state.name}",
        changed_by="" if event.changed_by is None else str(event.changed_by),
        changed_at=_timestamp(event.changed_at),
        reason=event.reason,
    )


def _round_targets_changed(event: events.RoundTargetsChanged) -> Message:
    return task_pb2.RoundTargetsChanged(
        round_id=str(event.round_id),
        targets=event.targets,
        changed_by=str(event.changed_by),
        reason=event.reason,
        changed_at=_timestamp(event.changed_at),
    )


def _segment_started(event: events.SegmentStarted) -> Message:
    return task_pb2.SegmentStarted(
        segment_id=str(event.segment_id),
        round_id=str(event.round_id),
        number=event.number,
        configuration_version=event.configuration_version,
        targets=[
            task_pb2.Target(name=t.name, model_digest=t.model_digest, handler_digest=t.handler_digest)
            for t in event.targets
        ],
        started_at=_timestamp(event.started_at),
    )


def _context_flagged(event: events.ContextFlagged) -> Message:
    return task_pb2.ContextFlagged(
        context_id=str(event.context_id),
        round_id=str(event.round_id),
        person_id=str(event.person_id),
        reason=event.reason,
        flagged_at=_timestamp(event.flagged_at),
    )


def _example_created(event: events.ExampleCreated) -> Message:
    attempt = event.attempt
    return example_pb2.ExampleCreated(
        example_id=str(event.example_id),
        task_id=str(attempt.task_id),
        task_slug=attempt.task_slug,
        round_id=str(attempt.round_id),
        segment_id="" if event.segment_id is None else str(event.segment_id),
        context_id=str(attempt.context_id),
        context=_texts(attempt.context),
        input=_texts(attempt.input),
        claimed="" if attempt.claimed is None else to_text(attempt.claimed),
        answers=[_target_answer(answer) for answer in event.answers],
        verdict=f"VERDICT_{event.verdict.name}",
        author_id=_person(attempt.author_id),
        cohort=attempt.cohort,
        condition=attempt.condition,
        attempt=attempt.number,
        seconds_since_context=attempt.seconds_since_context,
        probes_before=attempt.probes_before,
        inspections_before=attempt.inspections_before,
        hint_shown=attempt.hint_shown,
        configuration_version=attempt.configuration_version,
        created_at=_timestamp(event.created_at),
        metadata=_texts(event.metadata),
        perturbation_of="" if attempt.perturbation_of is None else str(attempt.perturbation_of),
        context_tags=attempt.context_tags,
        assigned_label=attempt.assigned_label,
        source_id="" if event.provenance is None else event.provenance.source_id,
        imported_votes=[_imported_vote(vote) for vote in event.votes],
    )


def _person(person_id: PersonId) -> str:
    return "" if person_id == NOBODY else str(person_id)


def _imported_vote(vote: ImportedVote) -> example_pb2.ImportedVote:
    return example_pb2.ImportedVote(
        voter_id="" if vote.voter_id is None else str(vote.voter_id),
        kind=vote.kind,
        option=vote.option,
        reason=vote.reason,
        cast_at=None if vote.cast_at is None else _timestamp(vote.cast_at),
    )


def _texts(values: Mapping[str, Value]) -> dict[str, str]:
    return {name: to_text(value) for name, value in values.items()}


def _target_answer(answer: Answer | MissingAnswer) -> example_pb2.TargetAnswer:
    if isinstance(answer, MissingAnswer):
        return example_pb2.TargetAnswer(target=answer.target, missing_reason=answer.reason)
    return example_pb2.TargetAnswer(
        target=answer.target,
        model_digest=answer.model_digest,
        handler_digest=answer.handler_digest,
        value=to_text(answer.value),
        confidence=answer.confidence,
        probabilities=answer.probabilities,
        wrong=answer.wrong is True,
        milliseconds=answer.milliseconds,
    )


def _example_explained(event: events.ExampleExplained) -> Message:
    return example_pb2.ExampleExplained(
        example_id=str(event.example_id),
        round_id=str(event.round_id),
        label_explanation=event.explanations.label,
        model_explanation=event.explanations.model,
        explained_at=_timestamp(event.explained_at),
    )


def _verdict_decided(event: events.VerdictDecided) -> Message:
    return example_pb2.VerdictDecided(
        example_id=str(event.example_id),
        round_id=str(event.round_id),
        verdict=f"VERDICT_{event.verdict.name}",
        wrong_targets=event.wrong_targets,
        decided_at=_timestamp(event.decided_at),
    )


def _metadata_given(event: events.MetadataGiven) -> Message:
    return example_pb2.MetadataGiven(
        example_id=str(event.example_id),
        round_id=str(event.round_id),
        metadata=_texts(event.metadata),
        given_at=_timestamp(event.given_at),
    )


def _example_retracted(event: events.ExampleRetracted) -> Message:
    return example_pb2.ExampleRetracted(
        example_id=str(event.example_id),
        round_id=str(event.round_id),
        retracted_at=_timestamp(event.retracted_at),
    )


ENCODERS: Mapping[type, tuple[str, Callable[[Any], Message]]] = {
    events.TaskCreated: (TASK_TOPIC, _task_created),
    events.RoundCreated: (TASK_TOPIC, _round_created),
    events.RoundStateChanged: (TASK_TOPIC, _round_state_changed),
    events.RoundTargetsChanged: (TASK_TOPIC, _round_targets_changed),
    events.SegmentStarted: (TASK_TOPIC, _segment_started),
    events.ContextFlagged: (TASK_TOPIC, _context_flagged),
    events.ExampleCreated: (EXAMPLE_TOPIC, _example_created),
    events.ExampleExplained: (EXAMPLE_TOPIC, _example_explained),
    events.ExampleRetracted: (EXAMPLE_TOPIC, _example_retracted),
    events.VerdictDecided: (EXAMPLE_TOPIC, _verdict_decided),
    events.MetadataGiven: (EXAMPLE_TOPIC, _metadata_given),
}
