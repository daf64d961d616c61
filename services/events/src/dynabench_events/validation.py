"""Events about votes and resolutions. Published by validation; the aggregate of all is validation's example."""

from collections.abc import Mapping, Sequence
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
    """A voter gave an opinion of the author's claim after voting; never counted. A later event replaces it."""

    vote_id: UUID
    example_id: UUID
    round_id: UUID
    agrees: bool
    judged_at: datetime
    corrected: str = ""
    explanation: str = ""


class WithdrawalCause(StrEnum):
    """The reason why votes no longer count: their voter took one back, or the owner requeued the example."""

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
    """The example was decided by its votes or by the task's owner, who is then `adjudicated_by`.

    A later event of an example replaces this one. `agreed_option` is empty if disputed. `golds` are the gold answers
    as value texts; there are none if the agreed option is no answer of the task.
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
    """The example waits for votes again; it replaces an earlier resolution."""

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


@event(validation_pb2.ExampleMessageWritten, of="example_id", at="written_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleMessageWritten(EventRecord):
    """The author of an example, or an owner of its task, wrote to the other, and `mentioned` owners in the text."""

    example_id: UUID
    round_id: UUID
    by_author: bool
    written_at: datetime
    mentioned: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedVoteCast:
    """A vote that came with an imported record; its voter has the id of the vote where the record does not say who."""

    vote_id: UUID
    voter_id: UUID
    kind: VoteKind
    option: str
    reason: str
    counted: bool
    cast_at: datetime


@event(validation_pb2.VotesImported, of="example_id", at="imported_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class VotesImported(EventRecord):
    """The votes of an imported record were stored together; `resolved` is their resolution, if there is one.

    `resolved_after` is how many of the votes came before the resolution; those after it are evidence.
    """

    example_id: UUID
    round_id: UUID
    votes: tuple[ImportedVoteCast, ...]
    resolved: ExampleResolved | None
    resolved_after: int
    imported_at: datetime

    @classmethod
    def gathering(cls, events: Sequence[EventRecord], imported_at: datetime) -> "VotesImported":
        """Return the event that combines these, all of one example: votes, and their resolution if there is one."""
        votes = [event for event in events if isinstance(event, VoteCast)]
        places = [place for place, event in enumerate(events) if isinstance(event, ExampleResolved)]
        resolved = events[places[0]] if places else None
        return cls(
            example_id=votes[0].example_id,
            round_id=votes[0].round_id,
            votes=tuple(_imported(vote) for vote in votes),
            resolved=resolved if isinstance(resolved, ExampleResolved) else None,
            resolved_after=places[0] if places else 0,
            imported_at=imported_at,
        )

    @property
    def parts(self) -> tuple[EventRecord, ...]:
        """Return the combined events, in their order."""
        votes = [self._cast(vote) for vote in self.votes]
        if self.resolved is None:
            return tuple(votes)
        return (*votes[: self.resolved_after], self.resolved, *votes[self.resolved_after :])

    def _cast(self, vote: ImportedVoteCast) -> VoteCast:
        return VoteCast(
            vote_id=vote.vote_id,
            example_id=self.example_id,
            round_id=self.round_id,
            voter_id=vote.voter_id,
            kind=vote.kind,
            option=vote.option,
            reason=vote.reason,
            counted=vote.counted,
            seconds=0.0,
            cast_at=vote.cast_at,
        )


def _imported(vote: VoteCast) -> ImportedVoteCast:
    return ImportedVoteCast(
        vote_id=vote.vote_id,
        voter_id=vote.voter_id,
        kind=vote.kind,
        option=vote.option,
        reason=vote.reason,
        counted=vote.counted,
        cast_at=vote.cast_at,
    )
