"""Domain events as the protobuf messages of `dynabench.validation.v1`."""

from collections.abc import Mapping

from dynabench.validation.v1 import validation_pb2 as pb
from dynabench_common.outbox import OutboxMessage, message_for
from dynabench_tasks.resolution import Resolution
from dynabench_tasks.votes import VoteKind
from google.protobuf.message import Message

from validation.domain.events import (
    Event,
    ExampleAppealed,
    ExampleResolved,
    ResolutionWithdrawn,
    VoteCast,
    VoteJudged,
    VotesWithdrawn,
)

TOPIC = "dynabench.validation.v1"

KINDS: Mapping[VoteKind, pb.VoteKind] = {
    VoteKind.LABEL: pb.VOTE_KIND_LABEL,
    VoteKind.JUDGEMENT: pb.VOTE_KIND_JUDGEMENT,
    VoteKind.FLAG: pb.VOTE_KIND_FLAG,
    VoteKind.UNSURE: pb.VOTE_KIND_UNSURE,
}
RESOLUTIONS: Mapping[Resolution, pb.Resolution] = {
    Resolution.CORRECT: pb.RESOLUTION_CORRECT,
    Resolution.INCORRECT: pb.RESOLUTION_INCORRECT,
    Resolution.FLAGGED: pb.RESOLUTION_FLAGGED,
    Resolution.DISPUTED: pb.RESOLUTION_DISPUTED,
    Resolution.NO_CLAIM: pb.RESOLUTION_NO_CLAIM,
}


def encode(event: Event) -> OutboxMessage:
    """Return the outbox message of an event."""
    message: Message
    match event:
        case VoteCast():
            message, at = _vote_cast(event), event.cast_at
        case VoteJudged():
            message, at = _vote_judged(event), event.judged_at
        case VotesWithdrawn():
            message, at = _votes_withdrawn(event), event.withdrawn_at
        case ExampleResolved():
            message, at = _resolved(event), event.resolved_at
        case ResolutionWithdrawn():
            message, at = _resolution_withdrawn(event), event.withdrawn_at
        case ExampleAppealed():
            message, at = _appealed(event), event.appealed_at
    return message_for(TOPIC, message, event.example_id, event.version, at)


def _vote_cast(event: VoteCast) -> pb.VoteCast:
    return pb.VoteCast(
        vote_id=str(event.vote_id),
        example_id=str(event.example_id),
        round_id=str(event.round_id),
        voter_id=str(event.voter_id),
        kind=KINDS[event.answer.kind],
        option=event.answer.option,
        reason=event.reason,
        counted=event.counted,
        seconds=event.seconds,
        cast_at=event.cast_at,
        metadata=event.metadata,
    )


def _vote_judged(event: VoteJudged) -> pb.VoteJudged:
    return pb.VoteJudged(
        vote_id=str(event.vote_id),
        example_id=str(event.example_id),
        round_id=str(event.round_id),
        agrees=event.agrees,
        judged_at=event.judged_at,
        corrected=event.corrected,
        explanation=event.explanation,
    )


def _votes_withdrawn(event: VotesWithdrawn) -> pb.VotesWithdrawn:
    return pb.VotesWithdrawn(
        example_id=str(event.example_id),
        round_id=str(event.round_id),
        vote_ids=[str(vote_id) for vote_id in event.vote_ids],
        cause=event.cause.value,
        withdrawn_at=event.withdrawn_at,
    )


def _resolved(event: ExampleResolved) -> pb.ExampleResolved:
    return pb.ExampleResolved(
        example_id=str(event.example_id),
        round_id=str(event.round_id),
        resolution=RESOLUTIONS[event.resolution],
        agreed_option=event.agreed_option,
        agreed_is_task_label=event.agreed_is_task_label,
        votes_counted=event.votes_counted,
        golds=event.golds,
        resolved_at=event.resolved_at,
        adjudicated_by="" if event.adjudicated_by is None else str(event.adjudicated_by),
    )


def _resolution_withdrawn(event: ResolutionWithdrawn) -> pb.ResolutionWithdrawn:
    return pb.ResolutionWithdrawn(
        example_id=str(event.example_id), round_id=str(event.round_id), withdrawn_at=event.withdrawn_at
    )


def _appealed(event: ExampleAppealed) -> pb.ExampleAppealed:
    return pb.ExampleAppealed(
        example_id=str(event.example_id), round_id=str(event.round_id), appealed_at=event.appealed_at
    )
