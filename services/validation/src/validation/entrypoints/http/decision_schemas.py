"""Bodies and answers about an example's outcome: its votes, an owner's decision, an author's appeal."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from dynabench_common.schemas import Input
from dynabench_tasks.resolution import Resolution
from dynabench_tasks.values import Value
from dynabench_tasks.votes import VoteKind
from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from validation.domain.ballots import Ballot
from validation.domain.outcomes import Appeal
from validation.entrypoints.http.schemas import ExampleStateAnswer

LONGEST_REASON = 1_000
Reason = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_REASON)]


class VoteRecord(BaseModel):
    """One answer."""

    vote_id: UUID
    voter_id: UUID | None = Field(description="Null for the author of the example")
    kind: VoteKind
    option: str = Field(description="The answer as a value text")
    reason: str
    metadata: dict[str, Value] = Field(description="What was said beside the vote, by metadata field")
    counted: bool
    set_aside: bool = Field(description="True if the owner has asked people anew since")
    seconds: float
    cast_at: datetime
    agrees: bool | None
    corrected: Value | None = Field(description="What the voter would have claimed, having seen the claim")
    explanation: str | None = Field(description="Why the voter's answer is right")
    judged_at: datetime | None


class AppealRecord(BaseModel):
    """An author's disagreement with a resolution, or a validator's with being paused."""

    reason: str
    at: datetime
    answer: str | None = Field(description="What the owner said to it; null while it is open")

    @classmethod
    def of(cls, appeal: Appeal) -> "AppealRecord":
        """Return the record of an appeal."""
        return cls(reason=appeal.reason, at=appeal.appealed_at, answer=appeal.answer or None)


class AdjudicationRecord(BaseModel):
    """The owner's decision."""

    resolution: Resolution
    reason: str
    at: datetime


class VotesAnswer(ExampleStateAnswer):
    """The answers on an example, in order."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    items: list[VoteRecord]
    next_cursor: None = None
    appeal: AppealRecord | None
    adjudication: AdjudicationRecord | None


class AdjudicationBody(Input):
    """An owner's answer in the place of all voters."""

    kind: Literal[VoteKind.LABEL, VoteKind.JUDGEMENT, VoteKind.FLAG] = Field(
        description="What kind of answer it is, as for votes"
    )
    value: JsonValue = Field(default=None, description="The answer, as for votes; none with `flag`")
    reason: Reason = Field(description="Why, for the author and for the audit log")

    def ballot(self) -> Ballot:
        """Return what the domain takes: a flag's reason is the decision's."""
        return Ballot(VoteKind(self.kind), self.value, self.reason if self.kind is VoteKind.FLAG else "")


class AppealBody(Input):
    """Why the author disagrees."""

    reason: Reason = Field(description="Why the resolution is wrong, for the task's owner")
