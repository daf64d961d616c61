"""What happened to an example in validation; each takes the next version of the example's validation."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from validation.domain.answers import Answer
from validation.domain.identifiers import ExampleId, PersonId, RoundId, VoteId
from validation.domain.resolution import Resolution


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
    """A voter said whether the author is right, having seen it."""

    version: int
    vote_id: VoteId
    example_id: ExampleId
    round_id: RoundId
    agrees: bool
    judged_at: datetime


@dataclass(frozen=True)
class ExampleResolved:
    """The votes decided the example."""

    version: int
    example_id: ExampleId
    round_id: RoundId
    resolution: Resolution
    agreed_option: str
    agreed_is_task_label: bool
    votes_counted: int
    golds: tuple[str, ...]
    resolved_at: datetime


Event = VoteCast | VoteJudged | ExampleResolved
