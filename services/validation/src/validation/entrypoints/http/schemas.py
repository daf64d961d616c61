"""Bodies, paths and answers of the HTTP interface."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from dynabench_common.schemas import Input
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from validation.domain.ballots import Ballot
from validation.domain.resolution import Resolution, VoteKind
from validation.service_layer.lease_next import NoOffer, Offer

LONGEST_REASON = 500
LONGEST_OPTION = 200


class RoundPath(BaseModel):
    """Names a round."""

    round_id: UUID


class LeasePath(BaseModel):
    """Names a lease."""

    lease_id: UUID


class VotePath(BaseModel):
    """Names a vote."""

    vote_id: UUID


class ExamplePath(BaseModel):
    """Names an example."""

    example_id: UUID


class VoteBody(Input):
    """An answer on a leased example."""

    kind: VoteKind = Field(
        description="What kind of answer it is; `unsure` leaves the slot to another person"
    )
    label: Annotated[str, StringConstraints(max_length=LONGEST_OPTION)] | None = Field(
        default=None, description="The chosen option; with `label` and `judgement` only"
    )
    reason: Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST_REASON)] | None = (
        Field(default=None, description="Why the example is unfit; needed with `flag`, with nothing else")
    )

    def ballot(self) -> Ballot:
        """Return what the domain takes."""
        return Ballot(self.kind, self.label or "", self.reason or "")


class JudgementBody(Input):
    """What a voter thinks of the author's label after seeing it."""

    agrees: bool = Field(strict=True, description="Whether the author's label is right")


class ExampleAnswer(BaseModel):
    """What a validator sees of an example before answering."""

    example_id: UUID
    context: dict[str, str]
    input: dict[str, str]
    claim_to_judge: str | None = Field(
        description="The author's label where the task votes by judgement; null where votes are blind"
    )


class LeaseAnswer(BaseModel):
    """An example to answer on, held until `expires_at`."""

    lease_id: UUID
    expires_at: datetime
    example: ExampleAnswer
    options: list[str] = Field(description="What may be chosen, beside `flag` and `unsure`")
    vote: str = Field(description="The kind of an ordinary vote: label or judgement")

    @classmethod
    def of(cls, offer: Offer) -> "LeaseAnswer":
        """Return the answer that tells of an offer."""
        served = offer.example
        return cls(
            lease_id=offer.lease.lease_id,
            expires_at=offer.lease.expires_at,
            example=ExampleAnswer(
                example_id=served.example_id,
                context=served.context,
                input=served.input,
                claim_to_judge=served.claim_to_judge,
            ),
            options=list(served.rules.options),
            vote=served.rules.mode.kind.value,
        )


class NoLeaseAnswer(BaseModel):
    """Why there is nothing to do now."""

    lease_id: None = None
    reason: str
    retry_after_seconds: int

    @classmethod
    def of(cls, nothing: NoOffer) -> "NoLeaseAnswer":
        """Return the answer that tells why there is no offer."""
        return cls(reason=nothing.reason, retry_after_seconds=nothing.retry_after_seconds)


class Reveal(BaseModel):
    """What the author said, shown once the answer is stored."""

    claimed_label: str | None
    explanation: str | None


class VoteAnswer(BaseModel):
    """A stored answer."""

    vote_id: UUID
    counted: bool = Field(description="False for `unsure`, and for evidence after the resolution")
    resolution: Resolution | None = Field(description="The example's resolution, if it has one now")
    reveal: Reveal


class JudgementAnswer(BaseModel):
    """A stored judgement."""

    vote_id: UUID
    agrees: bool | None
    judged_at: datetime | None


class CountsAnswer(BaseModel):
    """How far the validation of a round has come."""

    model_config = ConfigDict(extra="ignore")

    round_id: UUID
    examples: int
    votes: int = Field(description="Votes that counted")
    resolved: int = Field(description="Resolved examples, those that were retracted left out")
    correct: int
    incorrect: int
    flagged: int
    disputed: int
    no_claim: int = Field(description="Agreed on, without a claimed label to compare with")
    pending: int = Field(description="Examples that wait for votes; retracted ones don't")
    pending_fooling: int = Field(description="Those of them that fooled the targets")


class OwnWorkAnswer(BaseModel):
    """A person's own validation in a round."""

    votes: int
    votes_today: int = Field(description="Since midnight UTC")
    agreement: float | None = Field(
        description="Share of own votes that say what most others say, 0 to 1; null while none compares"
    )
    agreement_votes: int = Field(description="Own votes that could be compared")


class ExampleStateAnswer(BaseModel):
    """What the votes made of an example."""

    model_config = ConfigDict(extra="ignore")

    example_id: UUID
    round_id: UUID
    resolution: Resolution | None
    votes_counted: int
    pending: bool
    retracted: bool
    resolved_at: datetime | None


class VoteRecord(BaseModel):
    """One answer as the task's owner sees it."""

    vote_id: UUID
    voter_id: UUID
    kind: VoteKind
    option: str
    reason: str
    counted: bool
    seconds: float
    cast_at: datetime
    agrees: bool | None
    judged_at: datetime | None


class VotesAnswer(ExampleStateAnswer):
    """The answers on an example, in order. Its author sees the resolution alone."""

    items: list[VoteRecord]
    withheld: bool = Field(description="True for the author, who is shown none of the answers")
    next_cursor: None = None
