"""Leases, votes, examples and an owner's work, as the validation service answers them."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import ConfigDict, Field, RootModel

from dynabench_api.base import Id, Page, Record, Value, Values, words
from dynabench_api.words import Became, NoOfferState, Resolution, Verdict, VoteKind, WorkKind


class PauseAppealRecord(Record):
    """The appeal of a paused person."""

    reason: str
    at: datetime


class AppealRecord(PauseAppealRecord):
    """An author's disagreement with a resolution, or a validator's with being paused."""

    answer: str | None = Field(description="What the owner said to it; null while it is open")


class ExampleAnswer(Record):
    """An example as a validator sees it before answering."""

    example_id: Id
    context: Values
    input: Values
    claim_to_judge: Value | None = Field(
        description="What the author claims where the task votes by judgement; null where votes are blind"
    )


class QuestionAnswer(Record):
    """An example, and what an answer on it may be."""

    example: ExampleAnswer
    answer_type: str = Field(description="What a value is: the type of the claimed field, or judgement")
    options: tuple[str, ...] = Field(
        description="What may be chosen, beside `flag` and `unsure`; none for a span"
    )
    span_of: str | None = Field(description="The text field in which a span is marked")
    metadata_fields: tuple[dict[str, Any], ...] = Field(
        description="What is asked beside the vote in this round, as the task's configuration says it"
    )
    vote: str = Field(description="The kind of an ordinary vote: label or judgement")


class Reveal(Record):
    """The author's claim and explanation, shown once the answer is final."""

    claimed: Value | None
    explanation: str | None


class Notice(Record):
    """A warning to a voter: missed known items, or an answer faster than reading takes."""

    kind: Annotated[str, words("warned", "paused", "too_fast")]
    text: str


class StoredVoteAnswer(Record):
    """A stored answer."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    vote_id: Id
    counted: bool = Field(
        description="False for `unsure`, for evidence after the resolution, and for an answer given faster than "
        "anybody reads"
    )
    resolution: Resolution | None = Field(
        description="The example's resolution, if it has one; null as long as the vote is not revealed"
    )
    undo_until: datetime | None = Field(
        default=None,
        description="Until when the vote may be taken back, while nobody else acts on the example; "
        "null once it is revealed",
    )
    reveal: Reveal | None = Field(
        description="What the author said; null until one asks for it, which makes the vote final"
    )
    notice: Notice | None = None


class CountsAnswer(Record):
    """The progress of a round's validation."""

    round_id: Id
    examples: int
    votes: int = Field(description="Votes that counted")
    resolved: int = Field(description="Resolved examples, those that were retracted left out")
    correct: int
    incorrect: int
    flagged: int
    disputed: int
    no_claim: int = Field(description="Agreed on, without a claim to compare with")
    pending: int = Field(description="Examples that wait for votes; retracted ones don't")
    pending_fooling: int = Field(description="Those of them that fooled the targets")
    not_asked: int = Field(
        description="Examples without votes to come, since the configuration that they were written under wants none"
    )
    leases_out: int = Field(description="Examples that somebody holds now, once for each person")


class ExampleStateAnswer(Record):
    """The outcome of an example's votes."""

    example_id: Id
    round_id: Id
    resolution: Resolution | None
    agreed_option: str | None = Field(description="As a value text, of spans the earliest agreed one")
    golds: tuple[Value, ...] = Field(
        description="The answers that stand as gold: one label or set of labels, or every agreed span"
    )
    votes_counted: int
    pending: bool
    retracted: bool
    resolved_at: datetime | None


class LeaseAnswer(QuestionAnswer):
    """An example to answer on, held until `expires_at`."""

    lease_id: Id
    expires_at: datetime
    can_go_back: bool = Field(description="Whether one has answers in the round to go back to")


class NoLeaseAnswer(Record):
    """Why there is nothing to do now."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    lease_id: None = None
    state: NoOfferState
    reason: str
    retry_after_seconds: int


class TakenBackAnswer(RootModel[LeaseAnswer | NoLeaseAnswer]):
    """The example to answer on anew; or none, where another person is asked."""


class RenewalAnswer(Record):
    """A lease that lasts longer now."""

    lease_id: Id
    expires_at: datetime


class JudgementAnswer(Record):
    """Stored remarks."""

    vote_id: Id
    agrees: bool | None
    corrected: Value | None
    explanation: str | None
    judged_at: datetime | None


class OwnVoteAnswer(QuestionAnswer):
    """One's own vote, with what it was asked about."""

    vote_id: Id
    kind: VoteKind
    value: Value | None = Field(description="The answer; null for a flag and `unsure`")
    reason: str
    metadata: Values
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


class WaitingRound(Record):
    """A round with examples that one can be given."""

    round_id: Id
    waiting: int = Field(description="Examples of others that wait for votes and that one has not answered")


class WaitingAnswer(Record):
    """The rounds with examples that one can be given, the most first."""

    items: tuple[WaitingRound, ...]


class OwnVotesAnswer(Record):
    """One's own votes in a round, the newest first."""

    items: tuple[OwnVoteAnswer, ...]


class VoteRecord(Record):
    """One answer."""

    vote_id: Id
    voter_id: Id | None = Field(description="Null for the author of the example")
    kind: VoteKind
    option: str = Field(description="The answer as a value text")
    reason: str
    metadata: Values = Field(description="What was said beside the vote, by metadata field")
    counted: bool
    set_aside: bool = Field(description="True if the owner has asked people anew since")
    seconds: float
    cast_at: datetime
    agrees: bool | None
    corrected: Value | None = Field(description="What the voter would have claimed, having seen the claim")
    explanation: str | None = Field(description="Why the voter's answer is right")
    judged_at: datetime | None


class AdjudicationRecord(Record):
    """The owner's decision."""

    resolution: Resolution
    reason: str
    at: datetime


class VotesAnswer(ExampleStateAnswer):
    """The answers on an example, in order."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    items: tuple[VoteRecord, ...]
    next_cursor: None = None
    appeal: AppealRecord | None
    adjudication: AdjudicationRecord | None


class OptionCount(Record):
    """An option and the number of its votes."""

    option: str = Field(description="The answer as a value text, or `flag`")
    count: int


class PosteriorAnswer(Record):
    """Evidence from the statistics of all votes on an example; it does not change the resolution."""

    label: str
    p: float = Field(description="Probability of the label, 0 to 1")


class WorkItem(Record):
    """An example that waits for the owner."""

    example_id: Id
    context: Values
    input: Values
    claimed: Value | None
    resolution: Resolution | None
    kinds: tuple[WorkKind, ...]
    votes: tuple[OptionCount, ...] = Field(description="The votes that count, the most frequent answer first")
    posterior: PosteriorAnswer | None
    appealed_at: datetime | None
    oldest_at: datetime = Field(description="Since when it waits")


class WorkAnswer(Page[WorkItem]):
    """A page of the owner's queue, the longest waiting first."""


class ExamplesWaiting(Record):
    """Numbers of waiting examples of a round."""

    disputed: int
    flagged: int
    appealed: int
    low_posterior: int
    pending: int = Field(description="Examples that wait for votes")
    oldest_pending_at: datetime | None = Field(description="When the oldest of them was created")
    leases_out: int = Field(description="Leases that people hold right now")


class WorkCountsAnswer(ExamplesWaiting):
    """Work that waits in a round."""

    pause_appeals: int = Field(
        default=0, description="Paused validators of the task whose appeal waits for its owner"
    )


class RoundWorkCounts(ExamplesWaiting):
    """Work that waits in one of several rounds."""

    round_id: Id


class RoundsWorkCountsAnswer(Record):
    """Work that waits in each of the rounds; rounds that are not known here yet are left out."""

    items: tuple[RoundWorkCounts, ...]


class RequeueAnswer(Record):
    """The number of examples that wait again."""

    requeued: int = Field(description="Those left out were withdrawn, or wait for their first vote still")


class RoundExample(Record):
    """An example of a round, for those who look after it."""

    example_id: Id
    author_id: Id
    created_at: datetime
    context: Values = Field(description="Empty once the example was taken back")
    input: Values = Field(description="Empty once the example was taken back")
    verdict: Verdict | None = Field(description="Null while the caller holds it, or may answer otherwise")
    tags: tuple[str, ...] = Field(description="Those of the context")
    is_hidden: bool = Field(
        description="True if you may still vote on it: then it seems to wait, and claim and votes are left out"
    )
    became: Became
    claimed: Value | None
    votes: tuple[OptionCount, ...] = Field(description="The votes that count, the most frequent answer first")


class RoundExamplesAnswer(Page[RoundExample]):
    """A page of a round's examples, the newest first."""
