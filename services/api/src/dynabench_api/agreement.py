"""Agreement among validators, and what votes say of voters."""

from datetime import datetime

from pydantic import Field

from dynabench_api.base import Id, Record
from dynabench_api.rates import Measure, RateAnswer


class CoefficientAnswer(Measure):
    """A coefficient of agreement; `n` counts examples with at least two votes."""


class AgreementFigures(Record):
    """Agreement of people on a set of examples, without retracted examples and votes that don't count."""

    examples: int = Field(description="Examples that have votes")
    votes: int
    voters: int | None = Field(description="Different voters who are known; null if none is")
    options: tuple[str, ...] = Field(
        description="Options that were used, `flag` among them; none where spans are marked"
    )
    basis: str = Field(
        description="`all_votes`, or `first_two_votes` of each example under an adaptive policy; "
        "the coefficients alone go by it"
    )
    raw: CoefficientAnswer
    fleiss_kappa: CoefficientAnswer
    krippendorff_alpha: CoefficientAnswer
    gwet_ac1: CoefficientAnswer
    vote_histogram: dict[str, int] = Field(
        description="Number of examples by the size of the largest camp among their votes"
    )
    votes_equal_gold: int = Field(description="Votes that say what became gold")
    gold: dict[str, int] = Field(description="Number of examples by their gold; empty where spans are marked")


class GroupAgreement(AgreementFigures):
    """The figures of one group."""

    name: str = Field(description="Id of a segment, name of another group, or ISO week such as 2026-W02")


class AgreementAnswer(AgreementFigures):
    """The figures of a round and of its groups."""

    round_id: Id
    behind: int = Field(description="Changed examples that are not counted yet; 0 but after large imports")
    groups: tuple[GroupAgreement, ...]


class HumanEstimateAnswer(Record):
    """Share of one validator's votes that equal most of the others'; it does not measure who is right."""

    agreement: RateAnswer = Field(
        description="Share of the votes that say it; half a vote where the others are split evenly and one of the "
        "largest camps says the same"
    )
    n_votes: int = Field(description="Votes that could be held against others'")
    n_examples: int
    reason: str | None = Field(description="What is missing, or what to know about the votes that were used")


class PairAnswer(Record):
    """Two people who agree beyond chance."""

    a: Id
    b: Id
    examples: int = Field(description="Examples that both voted on")
    agreed: int
    expected: float = Field(description="How often they would agree if each voted on their own")
    p_adjusted: float = Field(description="One-sided, adjusted by Holm over all pairs tested")


class OneAuthorAnswer(Record):
    """Somebody who confirms one author's tries, and hardly anybody else's, beyond chance."""

    voter_id: Id
    author_id: Id
    confirmed: int = Field(
        description="Votes that say what the author of the try claims, also those that don't count"
    )
    of_author: int = Field(description="Those of them on tries of this author")
    expected: float = Field(
        description="How many would be, if they fell on authors as those of the other voters do"
    )
    p_adjusted: float = Field(
        description="Chance of so many on whichever author, adjusted by Holm over all voters tested"
    )


class PairsAnswer(Record):
    """Pairs that agree beyond chance, and people who confirm one author alone, the least probable first."""

    items: tuple[PairAnswer, ...]
    one_author: tuple[OneAuthorAnswer, ...]
    computed_at: datetime | None = Field(description="When the worker looked last; null if it has not yet")


class SuggestedPolicy(Record):
    """The cost of a policy and the rate of its errors."""

    policy: dict[str, dict[str, int]]
    expected_votes: float = Field(description="Votes for each example, on average")
    resolution_error: float = Field(
        description="Share of wrong ones among the examples that would be resolved"
    )
    disputed: float = Field(description="Share of examples on which nothing would be agreed")


class VotesAdviceAnswer(Record):
    """The number of votes that would keep the error of resolutions under 5 %; it changes nothing.

    It assumes equally hard examples. If some are harder, more resolutions are wrong than it says.
    """

    current: dict[str, dict[str, int]]
    validator_error: RateAnswer = Field(description="Share of votes expected to be wrong")
    resolution_error_now: float | None
    expected_votes_now: float | None
    disputed_now: float | None
    suggestions: tuple[SuggestedPolicy, ...] = Field(description="Policies that hold it, the cheapest first")
    reason: str | None
    computed_at: datetime | None
