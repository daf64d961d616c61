"""Leases, votes, examples and an owner's work, from the validation service."""

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

    answer: str | None = Field(description="The owner's reply; null while the appeal is open")


class ExampleAnswer(Record):
    """An example as a validator sees it before voting."""

    example_id: Id
    context: Values
    input: Values
    claim_to_judge: Value | None = Field(
        description="The author's claim, for tasks that vote by judgement; null for blind votes"
    )


class QuestionAnswer(Record):
    """An example with its possible answers."""

    example: ExampleAnswer
    answer_type: str = Field(description="Type of an answer: the type of the claimed field, or judgement")
    options: tuple[str, ...] = Field(
        description="Possible answers, without `flag` and `unsure`; empty for a span"
    )
    span_of: str | None = Field(description="The text field to mark a span in; null for other types")
    metadata_fields: tuple[dict[str, Any], ...] = Field(
        description="Further questions of this round, as the task's configuration defines them"
    )
    vote: str = Field(description="The kind of an ordinary vote: label or judgement")


class RevealedAnswer(Record):
    """A model's answer on the example."""

    value: Value | None
    confidence: float | None = Field(
        description="The model's own probability of its answer; null if it gave none"
    )


class Reveal(Record):
    """The author's claim and reason, and the models' answers. They are shown after the vote is final."""

    claimed: Value | None
    explanation: str | None
    models: tuple[RevealedAnswer, ...] = Field(
        description="The models' answers, without names; they are shown for about half of the examples"
    )


class Notice(Record):
    """A warning to a voter about missed known items, or about an answer too fast to have read the text."""

    kind: Annotated[str, words("warned", "paused", "too_fast")]
    text: str


class StoredVoteAnswer(Record):
    """A stored vote."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    vote_id: Id
    counted: bool = Field(
        description="False for `unsure`, for votes after the resolution, and for answers too fast to have read "
        "the text"
    )
    resolution: Resolution | None = Field(
        description="The example's resolution, if there is one; null until the voter asks for the reveal"
    )
    undo_until: datetime | None = Field(
        default=None,
        description="End of the time to undo the vote, as long as nobody else acts on the example; null after the "
        "reveal",
    )
    reveal: Reveal | None = Field(
        description="The author's claim and the models' answers; null until the voter asks for them, which makes "
        "the vote final"
    )
    notice: Notice | None = None


class CountsAnswer(Record):
    """The progress of a round's validation."""

    round_id: Id
    examples: int
    votes: int = Field(description="Number of votes that count")
    resolved: int = Field(description="Number of resolved examples, without retracted ones")
    correct: int
    incorrect: int
    flagged: int
    disputed: int
    no_claim: int = Field(description="Examples with an agreed answer but no claim to compare it with")
    pending: int = Field(description="Examples that need more votes, without retracted ones")
    pending_fooling: int = Field(description="Pending examples that fooled the targets")
    not_asked: int = Field(
        description="Examples that get no votes, because their version of the configuration asks for none"
    )
    leases_out: int = Field(description="Number of leases in force")


class ExampleStateAnswer(Record):
    """The outcome of an example's votes."""

    example_id: Id
    round_id: Id
    resolution: Resolution | None
    agreed_option: str | None = Field(
        description="The agreed answer as a value text; for spans, the earliest agreed one"
    )
    golds: tuple[Value, ...] = Field(
        description="The gold answers: one label, one set of labels, or every agreed span"
    )
    votes_counted: int
    pending: bool
    retracted: bool
    resolved_at: datetime | None


class LeaseAnswer(QuestionAnswer):
    """An example to vote on, leased until `expires_at`."""

    lease_id: Id
    expires_at: datetime
    can_go_back: bool = Field(description="True if the caller has earlier votes in the round")


class NoLeaseAnswer(Record):
    """The reason why there is no example to vote on now."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    lease_id: None = None
    state: NoOfferState
    reason: str
    retry_after_seconds: int


class TakenBackAnswer(RootModel[LeaseAnswer | NoLeaseAnswer]):
    """The example to vote on again, or none if another person gets it."""


class RenewalAnswer(Record):
    """A lease with its new expiry time."""

    lease_id: Id
    expires_at: datetime


class JudgementAnswer(Record):
    """A voter's stored remarks on the author's claim."""

    vote_id: Id
    agrees: bool | None
    corrected: Value | None
    explanation: str | None
    judged_at: datetime | None


class OwnVoteAnswer(QuestionAnswer):
    """The caller's own vote with its question."""

    vote_id: Id
    kind: VoteKind
    value: Value | None = Field(description="The answer; null for `flag` and `unsure`")
    reason: str
    metadata: Values
    counted: bool
    agrees: bool | None
    corrected: Value | None
    explanation: str | None
    resolution: Resolution | None = Field(description="The example's resolution; null until the reveal")
    reveal: Reveal | None = Field(
        description="The author's claim and the models' answers; null until the reveal"
    )
    cast_at: datetime
    undo_until: datetime | None = Field(
        description="End of the time to undo the vote, as long as nobody else acts on the example; null after the "
        "reveal"
    )
    can_change: bool = Field(description="True if the caller may change the answer")


class WaitingRound(Record):
    """A round with examples that the caller can vote on."""

    round_id: Id
    waiting: int = Field(description="Examples by others that need votes and have none from the caller")


class WaitingAnswer(Record):
    """Rounds with examples that the caller can vote on, the ones with most examples first."""

    items: tuple[WaitingRound, ...]


class VoteCountAnswer(Record):
    """A person's votes in a round since a moment, or on assigned examples."""

    votes: int
    left: int | None = Field(
        description="Number of the assigned examples that still wait for the person's vote. Null if votes of a "
        "whole round are counted, or the assignment has not arrived yet"
    )


class OwnVotesAnswer(Record):
    """The caller's own votes in a round, the newest first."""

    items: tuple[OwnVoteAnswer, ...]


class VoteRecord(Record):
    """A vote as owners and authors see it."""

    vote_id: Id
    voter_id: Id | None = Field(description="Id of the voter; null if the example's author reads it")
    kind: VoteKind
    option: str = Field(description="The answer as a value text")
    reason: str
    metadata: Values = Field(description="Answers to further questions, by metadata field")
    counted: bool
    set_aside: bool = Field(
        description="True if the owner has since set this vote aside and asked for new votes"
    )
    seconds: float
    cast_at: datetime
    agrees: bool | None
    corrected: Value | None = Field(description="The right claim, in the voter's opinion after the reveal")
    explanation: str | None = Field(description="The voter's reason for the answer")
    judged_at: datetime | None


class AdjudicationRecord(Record):
    """The owner's decision."""

    resolution: Resolution
    reason: str
    at: datetime


class VotesAnswer(ExampleStateAnswer):
    """The votes on an example, the oldest first."""

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
    """The probability of a label from a model of all votes. It does not change the resolution."""

    label: str
    p: float = Field(description="Probability of the label, 0 to 1")


class WorkItem(Record):
    """An example that needs a decision of the owner."""

    example_id: Id
    context: Values
    input: Values
    claimed: Value | None
    resolution: Resolution | None
    kinds: tuple[WorkKind, ...]
    votes: tuple[OptionCount, ...] = Field(
        description="Votes that count, by answer; the most frequent answer first"
    )
    posterior: PosteriorAnswer | None
    appealed_at: datetime | None
    oldest_at: datetime = Field(description="Start of the wait")


class WorkAnswer(Page[WorkItem]):
    """A page of the owner's queue, the longest wait first."""


class ExamplesWaiting(Record):
    """Counts of a round's waiting examples."""

    disputed: int
    flagged: int
    appealed: int
    question: int = Field(description="Examples whose author waits for an answer to a message")
    low_posterior: int
    pending: int = Field(description="Examples that need more votes")
    oldest_pending_at: datetime | None = Field(description="Creation time of the oldest pending example")
    leases_out: int = Field(description="Number of leases in force")


class WorkCountsAnswer(ExamplesWaiting):
    """Counts of a round's open work."""

    pause_appeals: int = Field(
        default=0, description="Appeals of the task's paused validators without a reply"
    )


class RoundWorkCounts(ExamplesWaiting):
    """Counts of open work in one of several rounds."""

    round_id: Id


class RoundsWorkCountsAnswer(Record):
    """Counts of open work by round. Rounds that this service does not know yet are left out."""

    items: tuple[RoundWorkCounts, ...]


class RequeueAnswer(Record):
    """The number of examples that need votes again."""

    requeued: int = Field(
        description="Examples that need votes again. Retracted ones and ones without a vote are not counted"
    )


class RoundExample(Record):
    """An example of a round, for its owners."""

    example_id: Id
    author_id: Id
    created_at: datetime
    context: Values = Field(description="Empty if the example is retracted")
    input: Values = Field(description="Empty if the example is retracted")
    verdict: Verdict | None = Field(
        description="The verdict; null while the caller has a lease on the example or may change a vote on it"
    )
    tags: tuple[str, ...] = Field(description="Tags of the context")
    is_hidden: bool = Field(
        description="True if the caller may still vote on it. Then it is shown as waiting, without claim and "
        "votes"
    )
    became: Became
    claimed: Value | None
    votes: tuple[OptionCount, ...] = Field(
        description="Votes that count, by answer; the most frequent answer first"
    )


class RoundExamplesAnswer(Page[RoundExample]):
    """A page of a round's examples, the newest first."""


class MessageAnswer(Record):
    """A message about an example. No names are given, so that authors stay unknown to owners."""

    message_id: Id
    by_author: bool = Field(description="Whether the author wrote it; an owner of the task did otherwise")
    text: str
    written_at: datetime


class ThreadAnswer(Record):
    """The conversation of an example's author and the owners of its task, oldest first."""

    example_id: Id
    is_author: bool = Field(description="Whether you are the author")
    can_write: bool = Field(description="False while too many of your messages wait for an answer")
    items: tuple[MessageAnswer, ...]
    appeal: AppealRecord | None
