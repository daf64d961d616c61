"""How far votes agree, how well people do the task, and how many votes would be enough."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynabench_client.results.agreement import Agreement, AgreementFigures, HumanEstimate, VotesAdvice
from dynabench_client.results.rates import Measure

from web.kit.numbers import RateView, count, decimal, percent, plural, rate
from web.kit.words import AGREEMENT_BASES, voting_policy_words

COEFFICIENTS = (
    ("Raw agreement", "raw", "share of pairs of votes that say the same"),
    ("Fleiss' kappa", "fleiss_kappa", "beyond chance; needs equal numbers of votes"),
    ("Krippendorff's alpha", "krippendorff_alpha", "beyond chance; takes any number of votes"),
    ("Gwet's AC1", "gwet_ac1", "beyond chance; steady where one label is rare"),
)


@dataclass(frozen=True)
class CoefficientRow:
    """One measure of agreement; `note` says why it has no value, or what it is."""

    name: str
    value: str
    n: str
    note: str


@dataclass(frozen=True)
class AgreementRow:
    """Agreement in one part of a round."""

    name: str
    examples: str
    values: list[str]


@dataclass(frozen=True)
class AgreementView:
    """How far votes agree in a round."""

    coefficients: list[CoefficientRow]
    basis: str
    votes: str
    camps: list[tuple[str, str]]
    votes_equal_gold: str
    behind: int
    groups: list[AgreementRow]
    has_votes: bool


@dataclass(frozen=True)
class PolicyRow:
    """A voting policy and what it comes to."""

    policy: str
    votes: str
    error: str
    disputed: str


@dataclass(frozen=True)
class AdviceView:
    """The voting policy in force beside those that would hold the error."""

    current: PolicyRow
    validator_error: RateView
    suggestions: list[PolicyRow]
    reason: str


def agreement_view(found: Agreement, segments: Mapping[str, str]) -> AgreementView:
    """Return agreement in print; `segments` names those of the round by id."""
    return AgreementView(
        coefficients=[
            _coefficient(name, getattr(found, field), meaning) for name, field, meaning in COEFFICIENTS
        ],
        basis=AGREEMENT_BASES.get(found.basis, found.basis.replace("_", " ")),
        votes=_votes_line(found),
        camps=[(f"{size} the same", count(number)) for size, number in sorted(found.vote_histogram.items())],
        votes_equal_gold=count(found.votes_equal_gold),
        behind=found.behind,
        groups=[
            AgreementRow(segments.get(group.name, group.name), count(group.examples), _values(group))
            for group in found.groups
        ],
        has_votes=found.votes > 0,
    )


def estimate_sentence(found: HumanEstimate) -> str:
    """Return how well one person does the task, or why that can't be said."""
    accuracy = rate(found.accuracy)
    if not accuracy.has_value:
        return found.reason or found.accuracy.reason or "There are too few votes to tell."
    among = f"on {plural(found.n_votes, 'vote')} and {plural(found.n_examples, 'example')}"
    band = f" ({accuracy.interval})" if accuracy.interval else ""
    return f"One person says what the others say in {accuracy.value}{band}, {among}."


def advice_view(found: VotesAdvice) -> AdviceView:
    """Return the advice in print."""
    return AdviceView(
        current=_policy(
            found.current, found.expected_votes_now, found.resolution_error_now, found.disputed_now
        ),
        validator_error=rate(found.validator_error),
        suggestions=[
            _policy(each.policy, each.expected_votes, each.resolution_error, each.disputed)
            for each in found.suggestions
        ],
        reason=found.reason or "",
    )


def _policy(
    policy: Mapping[str, Any], votes: float | None, error: float | None, disputed: float | None
) -> PolicyRow:
    return PolicyRow(voting_policy_words(policy), decimal(votes, 2), percent(error), percent(disputed))


def _coefficient(name: str, measure: Measure, meaning: str) -> CoefficientRow:
    note = meaning if measure.value is not None else measure.reason or "not known"
    return CoefficientRow(name, decimal(measure.value, 3), count(measure.n), note)


def _values(found: AgreementFigures) -> list[str]:
    measures: Sequence[Measure] = [getattr(found, field) for _, field, _ in COEFFICIENTS]
    return [decimal(measure.value, 3) for measure in measures]


def _votes_line(found: AgreementFigures) -> str:
    by = "" if found.voters is None else f" by {plural(found.voters, 'person', 'people')}"
    return f"{plural(found.votes, 'vote')}{by} on {plural(found.examples, 'example')}"
