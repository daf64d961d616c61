"""Bodies and answers of the routes about a person's own votes."""

from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from dynabench_common.schemas import Input
from dynabench_tasks.resolution import Resolution
from dynabench_tasks.values import Value
from dynabench_tasks.votes import VoteKind
from pydantic import BaseModel, Field, JsonValue, StringConstraints, model_validator

from validation.domain.ballots import Remarks
from validation.entrypoints.http.schemas import QuestionAnswer, Reveal, question_about

LONGEST_EXPLANATION = 1_000
MOST_OWN_VOTES = 50


class JudgementBody(Input):
    """What a voter says of the author's claim after seeing it; it takes the place of what was said before."""

    agrees: bool | None = Field(
        default=None,
        strict=True,
        description="Whether what the author claims is right; left out where the vote itself says so",
    )
    corrected: JsonValue = Field(
        default=None, description="What the claim should be: a value of the claimed field, as in a vote"
    )
    explanation: (
        Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST_EXPLANATION)] | None
    ) = Field(default=None, description="Why one's own answer is right")

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.agrees is None and not self.corrected and not self.explanation:
            raise ValueError("has none of agrees, corrected and explanation")
        return self

    def remarks(self) -> Remarks:
        """Return what the domain takes."""
        return Remarks(self.agrees, self.corrected, self.explanation or "")


class JudgementAnswer(BaseModel):
    """Stored remarks."""

    vote_id: UUID
    agrees: bool | None
    corrected: Value | None
    explanation: str | None
    judged_at: datetime | None


class OwnVotesQuery(BaseModel):
    """How far to go back."""

    limit: int = Field(default=10, ge=1, le=MOST_OWN_VOTES, description="Most votes to return")


class OwnVoteAnswer(QuestionAnswer):
    """One's own vote, with what it was asked about."""

    vote_id: UUID
    kind: VoteKind
    value: Value | None = Field(description="The answer; null for a flag and `unsure`")
    reason: str
    metadata: dict[str, Value]
    counted: bool
    agrees: bool | None
    corrected: Value | None
    explanation: str | None
    resolution: Resolution | None = Field(description="Null as long as the vote is not revealed")
    reveal: Reveal | None = Field(description="What the author said; null until one has asked for it")
    cast_at: datetime
    undo_until: datetime | None = Field(
        description="Until when it may be taken back, while nobody else acts; null once it is revealed"
    )
    can_change: bool = Field(description="Whether another answer may take its place")

    @classmethod
    def of(cls, record: dict[str, Any]) -> "OwnVoteAnswer":
        """Return the answer that tells of a vote."""
        fields = {name: value for name, value in record.items() if name != "served"}
        return cls(**fields, **question_about(record["served"]))


class WaitingRound(BaseModel):
    """A round with examples that one can be given."""

    round_id: UUID
    waiting: int = Field(description="Examples of others that wait for votes and that one has not answered")


class WaitingAnswer(BaseModel):
    """The rounds with examples that one can be given, the most first."""

    items: list[WaitingRound]


class OwnVotesAnswer(BaseModel):
    """One's own votes in a round, the newest first."""

    items: list[OwnVoteAnswer]
