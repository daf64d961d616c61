"""Results of the validation service."""

from datetime import datetime
from typing import Any

from pydantic import Field

from dynabench_client.results.base import Result
from dynabench_client.values import Value


class LeasedExample(Result):
    """An example as a validator sees it: without its author and verdict.

    `claim_to_judge` is what the author claims where the task votes by judgement; votes by label are blind.
    """

    example_id: str
    context: dict[str, Any] = Field(default_factory=dict)
    input: dict[str, Any] = Field(default_factory=dict)
    claim_to_judge: Value | None = None


class Lease(Result):
    """An example to validate until `expires_at`; or none, with the reason and when to ask again.

    `answer_type` says what a vote's value is: multiclass (one of `options`), multilabel (some of them), span (of
    the text field `span_of`) or judgement (`correct` or `incorrect`). `metadata_fields` are asked beside it.
    """

    lease_id: str | None = None
    expires_at: datetime | None = None
    example: LeasedExample | None = None
    options: tuple[str, ...] = ()
    vote: str = "label"
    answer_type: str = "multiclass"
    span_of: str | None = None
    metadata_fields: tuple[dict[str, Any], ...] = ()
    reason: str | None = None
    retry_after_seconds: float | None = None


class Reveal(Result):
    """What the author claimed, shown once the vote is given."""

    claimed: Value | None = None
    explanation: str | None = None


class Vote(Result):
    """A vote as it was taken in; `resolution` if it settled the example."""

    vote_id: str
    counted: bool = True
    resolution: str | None = None
    reveal: Reveal = Reveal()
    replayed: bool = Field(default=False, exclude=True)


class CastVote(Result):
    """A vote as the task's owner sees it; `option` is its value as text."""

    vote_id: str = ""
    voter_id: str = ""
    kind: str = ""
    option: str = ""
    reason: str = ""
    metadata: dict[str, Any] = Field(default_factory=dict)
    counted: bool = True
    cast_at: datetime | None = None
    agrees: bool | None = None


class Judgement(Result):
    """Whether a validator agrees with the author, stored beside the vote."""

    vote_id: str = ""
    agrees: bool | None = None


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
    no_claim: int = 0


class MyVotes(Result):
    """One's own votes in a round, and the share of the comparable ones that say what most others say."""

    votes_today: int = 0
    votes: int = 0
    agreement: float | None = None
    agreement_votes: int = 0


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


class ExampleVotes(ExampleResolution):
    """The votes on an example, in order; its author sees none of them."""

    items: tuple[CastVote, ...] = ()
