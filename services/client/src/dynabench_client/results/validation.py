"""Results of the validation service."""

from datetime import datetime
from typing import Any

from dynabench_tasks.values import Value
from pydantic import Field

from dynabench_client.results.base import Result
from dynabench_client.results.rates import Rate


class LeasedExample(Result):
    """An example as a validator sees it: without its author and verdict.

    `claim_to_judge` is what the author claims where the task votes by judgement; votes by label are blind.
    """

    example_id: str
    context: dict[str, Any] = Field(default_factory=dict)
    input: dict[str, Any] = Field(default_factory=dict)
    claim_to_judge: Value | None = None


class Question(Result):
    """What a validator is asked about an example.

    `answer_type` says what a vote's value is: multiclass (one of `options`), multilabel (some of them), span (of
    the text field `span_of`) or judgement (`correct` or `incorrect`). `metadata_fields` are asked beside it.
    """

    example: LeasedExample | None = None
    options: tuple[str, ...] = ()
    vote: str = "label"
    answer_type: str = "multiclass"
    span_of: str | None = None
    metadata_fields: tuple[dict[str, Any], ...] = ()


class Lease(Question):
    """An example to validate until `expires_at`; or none, with the reason and when to ask again.

    With `can_go_back` there are votes of one's own to look at again. Without an example `state` is nothing_waits,
    only_own, all_answered, others_working, paused_you or round_takes_no_votes, and `reason` says it in words.
    """

    lease_id: str | None = None
    expires_at: datetime | None = None
    can_go_back: bool = False
    state: str | None = None
    reason: str | None = None
    retry_after_seconds: float | None = None


class LeaseRenewed(Result):
    """Until when a lease holds now."""

    lease_id: str = ""
    expires_at: datetime | None = None


class Reveal(Result):
    """What the author claimed, shown once the vote is given."""

    claimed: Value | None = None
    explanation: str | None = None


class Notice(Result):
    """What a validator is told about their gold answers: that they are warned, or paused."""

    kind: str = ""
    text: str = ""


class Vote(Result):
    """A vote as it was taken in; `resolution` if it settled the example. It can be undone until `undo_until`."""

    vote_id: str
    counted: bool = True
    resolution: str | None = None
    reveal: Reveal = Reveal()
    undo_until: datetime | None = None
    notice: Notice | None = None
    replayed: bool = Field(default=False, exclude=True)


class RecentVote(Question):
    """A vote of one's own, what became of its example, and whether another answer may still take its place."""

    vote_id: str
    kind: str = ""
    value: Value | None = None
    reason: str = ""
    metadata: dict[str, Any] = Field(default_factory=dict)
    counted: bool = True
    resolution: str | None = None
    reveal: Reveal = Reveal()
    agrees: bool | None = None
    corrected: Value | None = None
    explanation: str = ""
    cast_at: datetime | None = None
    undo_until: datetime | None = None
    can_change: bool = False


class CastVote(Result):
    """A vote as the task's owner and the example's author see it; `option` is its value as text.

    `voter_id` is for owners alone. A vote that is `set_aside` counted until its owner asked people anew. What the
    voter said after the reveal is in `agrees`, `corrected`, `explanation`.
    """

    vote_id: str = ""
    voter_id: str = ""
    kind: str = ""
    option: str = ""
    reason: str = ""
    metadata: dict[str, Any] = Field(default_factory=dict)
    counted: bool = True
    set_aside: bool = False
    seconds: float | None = None
    cast_at: datetime | None = None
    agrees: bool | None = None
    corrected: Value | None = None
    explanation: str = ""
    judged_at: datetime | None = None


class Judgement(Result):
    """What a validator says after the reveal, stored beside the vote."""

    vote_id: str = ""
    agrees: bool | None = None
    corrected: Value | None = None
    explanation: str = ""
    judged_at: datetime | None = None


class ValidationCounts(Result):
    """Examples and votes of a round as validation counts them."""

    examples: int = 0
    votes: int = 0
    resolved: int = 0
    correct: int = 0
    incorrect: int = 0
    flagged: int = 0
    disputed: int = 0
    pending: int = 0
    pending_fooling: int = 0
    no_claim: int = 0
    leases_out: int = 0


class Appeal(Result):
    """What a person asks the owner to look at again, and the `answer` once there is one."""

    reason: str = ""
    at: datetime | None = None
    answer: str | None = None


class Pause(Result):
    """A pause one is under: why the owner wants it, if they said so, and one's own appeal against it."""

    reason: str | None = None
    appeal: Appeal | None = None


class MyVotes(Result):
    """One's own votes in a round, and how well they fit what others say and what is known.

    `agreement` is the share of the `agreement_votes` comparable ones that say what most others say; `gold` is the
    share of right gold answers; `state` is active, warned or paused, and `pause` is there while it is paused.
    """

    votes_today: int = 0
    votes: int = 0
    agreement: float | None = None
    agreement_low: float | None = None
    agreement_high: float | None = None
    agreement_votes: int = 0
    gold: Rate = Rate()
    state: str = "active"
    pause: Pause | None = None


class ExampleResolution(Result):
    """How an example was resolved, if it was.

    `golds` are the right answers agreed on: one label or set of labels, or every agreed span; none where the
    agreed option is no answer of the task.
    """

    resolution: str | None = None
    agreed_option: str | None = None
    golds: tuple[Value, ...] = ()
    votes_counted: int = 0
    pending: bool = False
    retracted: bool = False
    resolved_at: datetime | None = None


class Adjudication(Result):
    """An owner's decision, which stands alone."""

    resolution: str | None = None
    reason: str = ""
    at: datetime | None = None


class ExampleVotes(ExampleResolution):
    """The votes on an example, in order, with its author's appeal and the owner's decision."""

    items: tuple[CastVote, ...] = ()
    appeal: Appeal | None = None
    adjudication: Adjudication | None = None
