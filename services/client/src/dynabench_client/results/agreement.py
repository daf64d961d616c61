"""Results about agreement among validators."""

from datetime import datetime
from typing import Any

from pydantic import Field

from dynabench_client.results.base import Result
from dynabench_client.results.rates import Measure, Rate


class AgreementFigures(Result):
    """How far votes agree, over all `options` in use.

    `basis` says which votes count: all_votes, or first_two_votes under an adaptive policy. `vote_histogram` is
    examples by the size of their largest camp; `votes_equal_gold` counts votes that say what was agreed on; `voters` is
    None where none of them is known.
    """

    examples: int = 0
    votes: int = 0
    voters: int | None = None
    options: tuple[str, ...] = ()
    basis: str = "all_votes"
    raw: Measure = Measure()
    fleiss_kappa: Measure = Measure()
    krippendorff_alpha: Measure = Measure()
    gwet_ac1: Measure = Measure()
    vote_histogram: dict[str, int] = Field(default_factory=dict)
    votes_equal_gold: int | None = None
    gold: dict[str, int] = Field(default_factory=dict)


class AgreementGroup(AgreementFigures):
    """Agreement in one part of a round."""

    name: str = ""


class Agreement(AgreementFigures):
    """Agreement in a round, and in its parts where a split was asked for.

    `behind` counts changed examples that are not in the figures yet.
    """

    round_id: str = ""
    behind: int = 0
    groups: tuple[AgreementGroup, ...] = ()


class HumanEstimate(Result):
    """How often a validator, left out, says what the others agree on."""

    accuracy: Rate = Rate()
    n_votes: int = 0
    n_examples: int = 0
    reason: str | None = None


class ValidatorPair(Result):
    """Two validators who agree more often than their labels make likely, on how many of how many examples."""

    a: str = ""
    b: str = ""
    examples: int = 0
    agreed: int = 0
    expected: float | None = None
    p_adjusted: float | None = None


class PolicySuggestion(Result):
    """A voting policy, the votes it would take per example, and the shares it would resolve wrongly or not at all."""

    policy: dict[str, Any] = Field(default_factory=dict)
    expected_votes: float | None = None
    resolution_error: float | None = None
    disputed: float | None = None


class VotesAdvice(Result):
    """How often validators err, what the current policy makes of it, and what others would, the cheapest first."""

    current: dict[str, Any] = Field(default_factory=dict)
    validator_error: Rate = Rate()
    resolution_error_now: float | None = None
    expected_votes_now: float | None = None
    disputed_now: float | None = None
    suggestions: tuple[PolicySuggestion, ...] = ()
    reason: str | None = None
    computed_at: datetime | None = None
