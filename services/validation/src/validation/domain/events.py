"""What happened to an example in validation; each takes the next version of the example's validation."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from dynabench_tasks.resolution import Resolution
from dynabench_tasks.votes import Answer

from validation.domain.identifiers import ExampleId, PersonId, RoundId, VoteId


@dataclass(frozen=True)
class VoteCast:
    """A person answered."""

    version: int
    vote_id: VoteId
    example_id: ExampleId
    round_id: RoundId
    voter_id: PersonId
    answer: Answer
    reason: str
    counted: bool
    seconds: float
    cast_at: datetime
    metadata: Mapping[str, str]


@dataclass(frozen=True)
class VoteJudged:
    """A voter said whether the author is right, having seen it, and what else there is to say."""

    version: int
    vote_id: VoteId
    example_id: ExampleId
    round_id: RoundId
    agrees: bool
    judged_at: datetime
    corrected: str = ""
    explanation: str = ""


class WithdrawalCause(StrEnum):
    """Why votes no longer count: their voter took one back, or the owner asks people anew."""

    UNDONE = "undone"
    REQUEUED = "requeued"


@dataclass(frozen=True)
class VotesWithdrawn:
    """Votes no longer count."""

    version: int
    example_id: ExampleId
    round_id: RoundId
    vote_ids: tuple[VoteId, ...]
    cause: WithdrawalCause
    withdrawn_at: datetime


@dataclass(frozen=True)
class ExampleResolved:
    """The votes decided the example, or its task's owner did: then `adjudicated_by` is who."""

    version: int
    example_id: ExampleId
    round_id: RoundId
    resolution: Resolution
    agreed_option: str
    agreed_is_task_label: bool
    votes_counted: int
    golds: tuple[str, ...]
    resolved_at: datetime
    adjudicated_by: PersonId | None = None


@dataclass(frozen=True)
class ResolutionWithdrawn:
    """The example waits for votes again."""

    version: int
    example_id: ExampleId
    round_id: RoundId
    withdrawn_at: datetime


@dataclass(frozen=True)
class ExampleAppealed:
    """The author disagrees with the resolution."""

    version: int
    example_id: ExampleId
    round_id: RoundId
    appealed_at: datetime


Event = VoteCast | VoteJudged | VotesWithdrawn | ExampleResolved | ResolutionWithdrawn | ExampleAppealed
