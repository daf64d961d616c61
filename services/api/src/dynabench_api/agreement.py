"""Agreement among validators, and statistics of voters."""

from datetime import datetime

from pydantic import Field

from dynabench_api.base import Id, Record
from dynabench_api.rates import Measure, RateAnswer


class CoefficientAnswer(Measure):
    """A coefficient of agreement; `n` counts examples with at least two votes."""


class AgreementFigures(Record):
    """Agreement on a set of examples, without retracted examples and votes that do not count."""

    examples: int = Field(description="Number of examples with votes")
    votes: int
    voters: int | None = Field(description="Number of distinct known voters; null if none is known")
    options: tuple[str, ...] = Field(description="Options that were used, including `flag`; empty for spans")
    basis: str = Field(
        description="Votes that the coefficients use: `all_votes`, or `first_two_votes` of each example under an "
        "adaptive policy"
    )
    raw: CoefficientAnswer
    fleiss_kappa: CoefficientAnswer
    krippendorff_alpha: CoefficientAnswer
    gwet_ac1: CoefficientAnswer
    vote_histogram: dict[str, int] = Field(
        description="Number of examples by the number of votes for their most frequent answer"
    )
    votes_equal_gold: int = Field(description="Number of votes equal to the gold answer")
    gold: dict[str, int] = Field(description="Number of examples by gold answer; empty for spans")


class GroupAgreement(AgreementFigures):
    """The figures of one group."""

    name: str = Field(description="Id of a segment, name of another group, or ISO week such as 2026-W02")


class AgreementAnswer(AgreementFigures):
    """The figures of a round and of its groups."""

    round_id: Id
    behind: int = Field(
        description="Changed examples that are not counted yet; usually 0, except after large imports"
    )
    groups: tuple[GroupAgreement, ...]


class HumanEstimateAnswer(Record):
    """The share of one validator's votes that equal the majority of the others. It does not measure correctness."""

    agreement: RateAnswer = Field(
        description="Share of votes equal to the majority of the others. If the others are tied and the vote "
        "equals one of the tied answers, it counts half"
    )
    n_votes: int = Field(description="Number of votes that could be compared with others")
    n_examples: int
    reason: str | None = Field(description="Reason for a missing value, or a caveat about the votes used")


class PairAnswer(Record):
    """Two validators who agree more than chance explains."""

    a: Id
    b: Id
    examples: int = Field(description="Number of examples that both voted on")
    agreed: int
    expected: float = Field(description="Expected number of agreements if they voted independently")
    p_adjusted: float = Field(description="One-sided p-value, Holm-adjusted over all tested pairs")


class OneAuthorAnswer(Record):
    """A validator who confirms mostly one author's tries, more than chance explains."""

    voter_id: Id
    author_id: Id
    confirmed: int = Field(
        description="Number of votes equal to the author's claim, including votes that do not count"
    )
    of_author: int = Field(description="Number of these votes on tries of this author")
    expected: float = Field(
        description="Expected number on this author, if spread over authors as other voters' confirmations are"
    )
    p_adjusted: float = Field(
        description="Probability of at least this many on any author, Holm-adjusted over all tested voters"
    )


class PairsAnswer(Record):
    """Pairs with suspicious agreement, and validators who confirm one author; the least probable first."""

    items: tuple[PairAnswer, ...]
    one_author: tuple[OneAuthorAnswer, ...]
    computed_at: datetime | None = Field(
        description="Time of the worker's last check; null before the first one"
    )


class SuggestedPolicy(Record):
    """A voting policy with its expected votes and error rate."""

    policy: dict[str, dict[str, int]]
    expected_votes: float = Field(description="Expected number of votes per example")
    resolution_error: float = Field(description="Expected share of wrong resolutions among resolved examples")
    disputed: float = Field(description="Expected share of disputed examples")


class VotesAdviceAnswer(Record):
    """The number of votes that keeps the error of resolutions under 5 %. Nothing is changed.

    The estimate assumes equally hard examples. If some are harder, more resolutions are wrong than estimated.
    """

    current: dict[str, dict[str, int]]
    validator_error: RateAnswer = Field(description="Estimated share of wrong votes")
    resolution_error_now: float | None
    expected_votes_now: float | None
    disputed_now: float | None
    suggestions: tuple[SuggestedPolicy, ...] = Field(
        description="Policies that keep the error under 5 %, the cheapest first"
    )
    reason: str | None
    computed_at: datetime | None
