"""Events about votes and resolutions. Published by validation; the aggregate of all is the example as it knows it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from dynabench.validation.v1 import validation_pb2
from dynabench_tasks.resolution import Resolution
from dynabench_tasks.votes import VoteKind

from dynabench_events.codec import EventRecord, event

TOPIC = "dynabench.validation.v1"


@event(validation_pb2.VoteCast, of="example_id", at="cast_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class VoteCast(EventRecord):
    """A person answered; `option` is a value text, empty for a flag and for unsure.

    `counted` is False for evidence that came after the resolution, and for unsure. `seconds` run from lease to vote.
    """

    vote_id: UUID
    example_id: UUID
    round_id: UUID
    voter_id: UUID
    kind: VoteKind
    option: str
    reason: str
    counted: bool
    seconds: float
    cast_at: datetime
    metadata: Mapping[str, str] = field(default_factory=dict)


@event(validation_pb2.VoteJudged, of="example_id", at="judged_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class VoteJudged(EventRecord):
    """A voter said after voting what they think of the author's claim; never counted. A later event replaces it."""

    vote_id: UUID
    example_id: UUID
    round_id: UUID
    agrees: bool
    judged_at: datetime
    corrected: str = ""
    explanation: str = ""


class WithdrawalCause(StrEnum):
    """Why votes no longer count: their voter took one back, or the owner asks people anew."""

    UNDONE = "undone"
    REQUEUED = "requeued"


@event(validation_pb2.VotesWithdrawn, of="example_id", at="withdrawn_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class VotesWithdrawn(EventRecord):
    """Votes no longer count."""

    example_id: UUID
    round_id: UUID
    vote_ids: tuple[UUID, ...]
    cause: WithdrawalCause
    withdrawn_at: datetime


@event(validation_pb2.ExampleResolved, of="example_id", at="resolved_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleResolved(EventRecord):
    """The votes decided the example, or its task's owner did: then `adjudicated_by` is who.

    A later event of an example replaces this one. `agreed_option` is empty when disputed; `golds` are the answers that
    stand as gold, as value texts, none where the agreed option is no answer of the task.
    """

    example_id: UUID
    round_id: UUID
    resolution: Resolution
    agreed_option: str
    agreed_is_task_label: bool
    votes_counted: int
    golds: tuple[str, ...]
    resolved_at: datetime
    adjudicated_by: UUID | None = None


@event(validation_pb2.ResolutionWithdrawn, of="example_id", at="withdrawn_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class ResolutionWithdrawn(EventRecord):
    """The example waits for votes again; takes the place of an earlier resolution."""

    example_id: UUID
    round_id: UUID
    withdrawn_at: datetime


@event(validation_pb2.ExampleAppealed, of="example_id", at="appealed_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleAppealed(EventRecord):
    """The author disagrees with a resolution and asks the task's owner; once."""

    example_id: UUID
    round_id: UUID
    appealed_at: datetime
