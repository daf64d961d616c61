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
    context: dict[str, Any]
    input: dict[str, Any]
    claim_to_judge: Value | None


class Question(Result):
    """What a validator is asked about an example.

    `answer_type` says what a vote's value is: multiclass (one of `options`), multilabel (some of them), span (of
    the text field `span_of`) or judgement (`correct` or `incorrect`). `metadata_fields` are asked beside it.
    """

    example: LeasedExample
    options: tuple[str, ...]
    vote: str
    answer_type: str
    span_of: str | None
    metadata_fields: tuple[dict[str, Any], ...]


class Lease(Result):
    """An example to validate until `expires_at`, with what is asked; or none, with the reason and when to ask again.

    With `can_go_back` there are votes of one's own to look at again. Without an example `state` is nothing_waits,
    only_own, all_answered, others_working, paused_you, round_takes_no_votes or, after a vote that had settled its
    example was taken back, another_is_asked; `reason` says it in words.
    """

    lease_id: str | None
    expires_at: datetime | None = None
    example: LeasedExample | None = None
    options: tuple[str, ...] = ()
    vote: str = ""
    answer_type: str = ""
    span_of: str | None = None
    metadata_fields: tuple[dict[str, Any], ...] = ()
    can_go_back: bool = False
    state: str | None = None
    reason: str | None = None
    retry_after_seconds: int | None = None


class LeaseRenewed(Result):
    """Until when a lease holds now."""

    lease_id: str
    expires_at: datetime


class Reveal(Result):
    """What the author claimed, shown once the vote is final."""

    claimed: Value | None
    explanation: str | None


class Notice(Result):
    """What a validator is told: that they are warned or paused for their gold answers, or answered too_fast."""

    kind: str
    text: str


class Vote(Result):
    """A vote as it was taken in. It can be undone until `undo_until`.

    `reveal`, and `resolution` if the example has one, are None until one asks for the reveal; then the vote is final.
    """

    vote_id: str
    counted: bool
    resolution: str | None
    reveal: Reveal | None
    undo_until: datetime | None
    notice: Notice | None
    replayed: bool = Field(default=False, exclude=True)


class RecentVote(Question):
    """A vote of one's own, and whether another answer may still take its place.

    What became of its example and the reveal are None until one asks for the reveal.
    """

    vote_id: str
    kind: str
    value: Value | None
    reason: str
    metadata: dict[str, Any]
    counted: bool
    resolution: str | None
    reveal: Reveal | None
    agrees: bool | None
    corrected: Value | None
    explanation: str | None
    cast_at: datetime
    undo_until: datetime | None
    can_change: bool


class WaitingRound(Result):
    """A round that takes votes, and how many of its examples one can be given."""

    round_id: str
    waiting: int


class CastVote(Result):
    """A vote as the task's owner and the example's author see it; `option` is its value as text.

    `voter_id` is for owners alone. A vote that is `set_aside` counted until its owner asked people anew. What the
    voter said after the reveal is in `agrees`, `corrected`, `explanation`.
    """

    vote_id: str
    voter_id: str | None
    kind: str
    option: str
    reason: str
    metadata: dict[str, Any]
    counted: bool
    set_aside: bool
    seconds: float
    cast_at: datetime
    agrees: bool | None
    corrected: Value | None
    explanation: str | None
    judged_at: datetime | None


class Judgement(Result):
    """What a validator says after the reveal, stored beside the vote."""

    vote_id: str
    agrees: bool | None
    corrected: Value | None
    explanation: str | None
    judged_at: datetime | None


class ValidationCounts(Result):
    """Examples and votes of a round as validation counts them."""

    round_id: str
    examples: int
    votes: int
    resolved: int
    correct: int
    incorrect: int
    flagged: int
    disputed: int
    pending: int
    pending_fooling: int
    not_asked: int
    no_claim: int
    leases_out: int


class Appeal(Result):
    """What a person asks the owner to look at again, and the `answer` once there is one (of a pause it is left out)."""

    reason: str
    at: datetime
    answer: str | None = None


class Pause(Result):
    """A pause one is under: why the owner wants it, if they said so, and one's own appeal against it."""

    reason: str | None
    appeal: Appeal | None


class MyVotes(Result):
    """One's own votes in a round, and how well they fit what others say and what is known.

    `agreement` is the share of the `agreement_votes` comparable ones that say what most others say; `gold` is the
    share of right gold answers; `state` is active, warned or paused, and `pause` is there while it is paused.
    """

    votes_today: int
    votes: int
    agreement: float | None
    agreement_low: float | None
    agreement_high: float | None
    agreement_votes: int
    gold: Rate
    state: str
    pause: Pause | None


class ExampleResolution(Result):
    """How an example was resolved, if it was.

    `golds` are the right answers agreed on: one label or set of labels, or every agreed span; none where the
    agreed option is no answer of the task.
    """

    example_id: str
    round_id: str
    resolution: str | None
    agreed_option: str | None
    golds: tuple[Value, ...]
    votes_counted: int
    pending: bool
    retracted: bool
    resolved_at: datetime | None


class Adjudication(Result):
    """An owner's decision, which stands alone."""

    resolution: str
    reason: str
    at: datetime


class ExampleVotes(ExampleResolution):
    """The votes on an example, in order, with its author's appeal and the owner's decision."""

    items: tuple[CastVote, ...]
    next_cursor: None
    appeal: Appeal | None
    adjudication: Adjudication | None
