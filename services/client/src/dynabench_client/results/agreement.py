"""Results about agreement among validators."""

from datetime import datetime
from typing import Any

from dynabench_client.results.base import Result
from dynabench_client.results.rates import Measure, Rate


class AgreementFigures(Result):
    """How far votes agree, over all `options` in use.

    `basis` says which votes count: all_votes, or first_two_votes under an adaptive policy. `vote_histogram` is
    examples by the size of their largest camp; `votes_equal_gold` counts votes that say what was agreed on; `voters` is
    None where none of them is known.
    """

    examples: int
    votes: int
    voters: int | None
    options: tuple[str, ...]
    basis: str
    raw: Measure
    fleiss_kappa: Measure
    krippendorff_alpha: Measure
    gwet_ac1: Measure
    vote_histogram: dict[str, int]
    votes_equal_gold: int
    gold: dict[str, int]


class AgreementGroup(AgreementFigures):
    """Agreement in one part of a round."""

    name: str


class Agreement(AgreementFigures):
    """Agreement in a round, and in its parts where a split was asked for.

    `behind` counts changed examples that are not in the figures yet.
    """

    round_id: str
    behind: int
    groups: tuple[AgreementGroup, ...]


class HumanEstimate(Result):
    """How often one validator says what most of the others say; not how often people are right."""

    agreement: Rate
    n_votes: int
    n_examples: int
    reason: str | None


class ValidatorPair(Result):
    """Two validators who agree more often than their labels make likely, on how many of how many examples."""

    a: str
    b: str
    examples: int
    agreed: int
    expected: float
    p_adjusted: float


class OneAuthorValidator(Result):
    """A validator of whose `confirmed` confirmations more than chance makes likely, `of_author`, are of one author."""

    voter_id: str
    author_id: str
    confirmed: int
    of_author: int
    expected: float
    p_adjusted: float


class ValidatorPairs(Result):
    """Pairs of validators who agree, and validators who confirm one author alone, beyond chance.

    `computed_at` is None while nobody has looked.
    """

    items: tuple[ValidatorPair, ...]
    one_author: tuple[OneAuthorValidator, ...]
    computed_at: datetime | None


class PolicySuggestion(Result):
    """A voting policy, the votes it would take per example, and the shares it would resolve wrongly or not at all."""

    policy: dict[str, Any]
    expected_votes: float
    resolution_error: float
    disputed: float


class VotesAdvice(Result):
    """How often validators err, what the current policy makes of it, and what others would, the cheapest first."""

    current: dict[str, Any]
    validator_error: Rate
    resolution_error_now: float | None
    expected_votes_now: float | None
    disputed_now: float | None
    suggestions: tuple[PolicySuggestion, ...]
    reason: str | None
    computed_at: datetime | None
