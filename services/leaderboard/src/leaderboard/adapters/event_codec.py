"""Events of other services read into facts; what can't be a fact is refused for good."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from dynabench.example.v1 import example_pb2
from dynabench.task.v1 import task_pb2
from dynabench.validation.v1 import validation_pb2
from dynabench_common.events import Event, PermanentEventError
from dynabench_tasks.configuration.problems import ConfigurationError
from dynabench_tasks.resolution import Resolution as Outcome
from dynabench_tasks.verdict import Verdict
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from leaderboard.domain.counting_rule import counting_rule
from leaderboard.domain.facts import (
    Answer,
    Decision,
    ExampleFact,
    Resolution,
    Retraction,
    Try,
    Withdrawal,
)
from leaderboard.domain.round_facts import (
    RoundDrafted,
    RoundFact,
    RoundMoved,
    SegmentBegun,
    TargetsChanged,
    TaskConfigured,
)

TOPICS = ("dynabench.task.v1", "dynabench.example.v1", "dynabench.validation.v1")

VERDICTS = {
    example_pb2.VERDICT_FOOLED: Verdict.FOOLED,
    example_pb2.VERDICT_NOT_FOOLED: Verdict.NOT_FOOLED,
    example_pb2.VERDICT_UNDECIDED: Verdict.UNDECIDED,
    example_pb2.VERDICT_UNKNOWN: Verdict.UNKNOWN,
}
OUTCOMES = {
    validation_pb2.RESOLUTION_CORRECT: Outcome.CORRECT,
    validation_pb2.RESOLUTION_INCORRECT: Outcome.INCORRECT,
    validation_pb2.RESOLUTION_FLAGGED: Outcome.FLAGGED,
    validation_pb2.RESOLUTION_DISPUTED: Outcome.DISPUTED,
    validation_pb2.RESOLUTION_NO_CLAIM: Outcome.NO_CLAIM,
}
STATES = {
    task_pb2.ROUND_STATE_DRAFT: "draft",
    task_pb2.ROUND_STATE_OPEN: "open",
    task_pb2.ROUND_STATE_PAUSED: "paused",
    task_pb2.ROUND_STATE_CLOSED: "closed",
    task_pb2.ROUND_STATE_RELEASED: "released",
}


@dataclass(frozen=True, slots=True)
class AboutExample:
    """A fact of one example."""

    example_id: UUID
    round_id: UUID
    fact: ExampleFact


@dataclass(frozen=True, slots=True)
class AboutVote:
    """A vote; `counted` is False for an unsure answer and for one after the resolution."""

    vote_id: UUID
    example_id: UUID
    round_id: UUID
    version: int
    counted: bool


@dataclass(frozen=True, slots=True)
class AboutWithdrawnVotes:
    """Votes on one example that count no longer."""

    vote_ids: tuple[UUID, ...]
    example_id: UUID
    round_id: UUID
    version: int


Statement = AboutExample | AboutVote | AboutWithdrawnVotes | TaskConfigured | RoundFact | SegmentBegun


def read(event: Event) -> Statement:
    """Return what the event states.

    Raises PermanentEventError naming what is wrong with it.
    """
    if event.time.tzinfo is None:
        raise PermanentEventError("ce_time has no time zone")
    try:
        return READERS[type(event.message)](event.message, event.aggregate_version)
    except (ConfigurationError, ValueError, OverflowError) as err:
        raise PermanentEventError(f"{event.type}: {err}") from err


def _identifier(text: str, field: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as err:
        raise ValueError(f"{field} is no UUID: {text[:50]!r}") from err


def _optional_identifier(text: str, field: str) -> UUID | None:
    return _identifier(text, field) if text else None


def _moment(message: Message, field: str) -> datetime:
    if not message.HasField(field):
        raise ValueError(f"{field} is missing")
    stamp: Timestamp = getattr(message, field)
    return stamp.ToDatetime(UTC)


def _known(names: Mapping[Any, Any], value: int, field: str) -> Any:
    if value not in names:
        raise ValueError(f"{field} {value} means nothing here")
    return names[value]


def _created(message: example_pb2.ExampleCreated, version: int) -> AboutExample:
    round_id = _identifier(message.round_id, "round_id")
    attempt = Try(
        version=version,
        round_id=round_id,
        task_id=_identifier(message.task_id, "task_id"),
        configuration_version=message.configuration_version,
        segment_id=_optional_identifier(message.segment_id, "segment_id"),
        author_id=_optional_identifier(message.author_id, "author_id"),
        verdict=_known(VERDICTS, message.verdict, "verdict"),
        answers=tuple(
            Answer(given.target, given.value, given.wrong, bool(given.missing_reason))
            for given in message.answers
        ),
        created_at=_moment(message, "created_at"),
        condition=message.condition,
        cohort=message.cohort,
        tags=tuple(sorted(set(message.context_tags))),
        claimed=message.claimed,
        context_id=_optional_identifier(message.context_id, "context_id"),
        number=message.attempt,
        milliseconds=max(0, round(message.seconds_since_context * 1000)),
    )
    return AboutExample(_identifier(message.example_id, "example_id"), round_id, attempt)


def _decided(message: example_pb2.VerdictDecided, version: int) -> AboutExample:
    decision = Decision(
        version=version,
        verdict=_known(VERDICTS, message.verdict, "verdict"),
        wrong_targets=frozenset(message.wrong_targets),
        decided_at=_moment(message, "decided_at"),
    )
    return AboutExample(
        _identifier(message.example_id, "example_id"), _identifier(message.round_id, "round_id"), decision
    )


def _retracted(message: example_pb2.ExampleRetracted, version: int) -> AboutExample:
    return AboutExample(
        _identifier(message.example_id, "example_id"),
        _identifier(message.round_id, "round_id"),
        Retraction(version, _moment(message, "retracted_at")),
    )


def _resolved(message: validation_pb2.ExampleResolved, version: int) -> AboutExample:
    resolution = Resolution(
        version=version,
        outcome=_known(OUTCOMES, message.resolution, "resolution"),
        golds=tuple(message.golds),
        resolved_at=_moment(message, "resolved_at"),
    )
    return AboutExample(
        _identifier(message.example_id, "example_id"), _identifier(message.round_id, "round_id"), resolution
    )


def _unresolved(message: validation_pb2.ResolutionWithdrawn, version: int) -> AboutExample:
    return AboutExample(
        _identifier(message.example_id, "example_id"),
        _identifier(message.round_id, "round_id"),
        Withdrawal(version, _moment(message, "withdrawn_at")),
    )


def _vote(message: validation_pb2.VoteCast, version: int) -> AboutVote:
    return AboutVote(
        _identifier(message.vote_id, "vote_id"),
        _identifier(message.example_id, "example_id"),
        _identifier(message.round_id, "round_id"),
        version,
        message.counted,
    )


def _withdrawn_votes(message: validation_pb2.VotesWithdrawn, version: int) -> AboutWithdrawnVotes:
    return AboutWithdrawnVotes(
        tuple(_identifier(vote_id, "vote_ids") for vote_id in message.vote_ids),
        _identifier(message.example_id, "example_id"),
        _identifier(message.round_id, "round_id"),
        version,
    )


def _task(message: task_pb2.TaskCreated, version: int) -> TaskConfigured:
    configuration = json.loads(message.configuration_json)
    if not isinstance(configuration, dict):
        raise ValueError("configuration_json is no object")
    counting_rule(configuration)
    return TaskConfigured(
        version,
        _identifier(message.task_id, "task_id"),
        message.configuration_version,
        message.slug,
        message.title,
        configuration,
    )


def _round(message: task_pb2.RoundCreated, version: int) -> RoundDrafted:
    return RoundDrafted(
        version,
        _identifier(message.round_id, "round_id"),
        _identifier(message.task_id, "task_id"),
        message.number,
        message.title,
        tuple(message.targets),
        message.origin,
    )


def _targets(message: task_pb2.RoundTargetsChanged, version: int) -> TargetsChanged:
    return TargetsChanged(version, _identifier(message.round_id, "round_id"), tuple(message.targets))


def _state(message: task_pb2.RoundStateChanged, version: int) -> RoundMoved:
    return RoundMoved(
        version,
        _identifier(message.round_id, "round_id"),
        _known(STATES, message.state, "state"),
        _moment(message, "changed_at"),
    )


def _segment(message: task_pb2.SegmentStarted, version: int) -> SegmentBegun:
    return SegmentBegun(
        version,
        _identifier(message.segment_id, "segment_id"),
        _identifier(message.round_id, "round_id"),
        message.number,
        message.configuration_version,
        tuple(
            {
                "name": target.name,
                "model_digest": target.model_digest,
                "handler_digest": target.handler_digest,
            }
            for target in message.targets
        ),
        _moment(message, "started_at"),
    )


READERS: Mapping[type[Message], Callable[[Any, int], Statement]] = {
    example_pb2.ExampleCreated: _created,
    example_pb2.VerdictDecided: _decided,
    example_pb2.ExampleRetracted: _retracted,
    validation_pb2.VoteCast: _vote,
    validation_pb2.VotesWithdrawn: _withdrawn_votes,
    validation_pb2.ExampleResolved: _resolved,
    validation_pb2.ResolutionWithdrawn: _unresolved,
    task_pb2.TaskCreated: _task,
    task_pb2.RoundCreated: _round,
    task_pb2.RoundTargetsChanged: _targets,
    task_pb2.RoundStateChanged: _state,
    task_pb2.SegmentStarted: _segment,
}
