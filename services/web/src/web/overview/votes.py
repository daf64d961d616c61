"""Votes on a round: their agreement, overall, of one person with the others, and by the number of votes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynabench_client import Dynabench
from dynabench_client.results.leaderboard import Measure
from dynabench_client.results.validation import Agreement, AgreementFigures, HumanEstimate, VotesAdvice

from web.kit.language import N_, _, capitalised, ngettext
from web.kit.numbers import RateView, count, decimal, percent, rate
from web.kit.owned_round import OwnedRound
from web.kit.parallel import page_reads
from web.kit.service_words import service_words
from web.kit.words import AGREEMENT_BASES, voting_policy_words
from web.overview.figures import segment_names

COEFFICIENTS = (
    (N_("Raw agreement"), "raw", N_("share of pairs of votes that are equal")),
    (
        N_("Fleiss' kappa"),
        "fleiss_kappa",
        N_("agreement beyond chance; needs the same number of votes for each example"),
    ),
    (
        N_("Krippendorff's alpha"),
        "krippendorff_alpha",
        N_("agreement beyond chance, for any number of votes"),
    ),
    (N_("Gwet's AC1"), "gwet_ac1", N_("agreement beyond chance, stable where one label is rare")),
)


@dataclass(frozen=True)
class CoefficientRow:
    """One measure of agreement; `note` explains it, or a missing value."""

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
    """Agreement of votes in a round."""

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
    """A voting policy with its expected votes and errors."""

    policy: str
    votes: str
    error: str
    disputed: str


@dataclass(frozen=True)
class AdviceView:
    """The voting policy in force, and the policies that would keep the error within its limit."""

    current: PolicyRow
    validator_error: RateView
    suggestions: list[PolicyRow]
    reason: str


def read(client: Dynabench, owned: OwnedRound, by: str) -> dict[str, Any]:
    """Return the page's values, with agreement split `by`; nothing is read about a draft."""
    if owned.is_draft:
        return {}
    asked, round_id, reads = client.validation, owned.round_id, page_reads()
    agreed = reads.read(asked.agreement, round_id, by)
    estimated = reads.read(asked.human_estimate, round_id)
    advised = reads.read(asked.votes_advice, round_id)
    agreement = agreed.value()
    # Agreement names segments by their ids; one segment, or any other part, needs no names.
    has_segments = by == "segment" and agreement is not None and len(agreement.groups) > 1
    board = reads.read(client.leaderboard.round, round_id).value() if has_segments else None
    estimate, advice = estimated.value(), advised.value()
    return {
        "agreement": None if agreement is None else agreement_view(agreement, segment_names(board)),
        "estimate": None if estimate is None else estimate_sentence(estimate),
        "advice": None if advice is None else advice_view(advice),
    }


def agreement_view(found: Agreement, segments: Mapping[str, str]) -> AgreementView:
    """Return the view of agreement; `segments` has the names of the round's segments by id."""
    return AgreementView(
        coefficients=[
            _coefficient(name, getattr(found, field), meaning) for name, field, meaning in COEFFICIENTS
        ],
        basis=_basis(found.basis),
        votes=_votes_line(found),
        camps=[
            (_("Examples with %(number)s equal votes", number=size), count(number))
            for size, number in sorted(found.vote_histogram.items())
        ],
        votes_equal_gold=count(found.votes_equal_gold),
        behind=found.behind,
        groups=[
            AgreementRow(segments.get(group.name, group.name), count(group.examples), _values(group))
            for group in found.groups
        ],
        has_votes=found.votes > 0,
    )


def estimate_sentence(found: HumanEstimate) -> str:
    """Return the human estimate with its caveat, or the reason for a missing one."""
    agreement, reason = rate(found.agreement), service_words(found.reason or found.agreement.reason or "")
    if not agreement.has_value:
        return reason or _("There are too few votes yet.")
    sentence = _(
        "In %(share)s, one person agrees with most of the others (%(votes)s on %(examples)s). This "
        "measures agreement, not whether people are right.",
        share=f"{agreement.value} ({agreement.interval})" if agreement.interval else agreement.value,
        votes=_votes(found.n_votes),
        examples=_examples(found.n_examples),
    )
    return f"{sentence} {capitalised(reason)}." if reason else sentence


def advice_view(found: VotesAdvice) -> AdviceView:
    """Return the view of the advice."""
    return AdviceView(
        current=_policy(
            found.current, found.expected_votes_now, found.resolution_error_now, found.disputed_now
        ),
        validator_error=rate(found.validator_error),
        suggestions=[
            _policy(each.policy, each.expected_votes, each.resolution_error, each.disputed)
            for each in found.suggestions
        ],
        reason=service_words(found.reason or ""),
    )


def _policy(
    policy: Mapping[str, Any], votes: float | None, error: float | None, disputed: float | None
) -> PolicyRow:
    return PolicyRow(voting_policy_words(policy), decimal(votes, 2), percent(error), percent(disputed))


def _coefficient(name: str, measure: Measure, meaning: str) -> CoefficientRow:
    note = _(meaning) if measure.value is not None else service_words(measure.reason or "") or _("unknown")
    return CoefficientRow(_(name), decimal(measure.value, 3), count(measure.n), note)


def _values(found: AgreementFigures) -> list[str]:
    measures: Sequence[Measure] = [getattr(found, field) for _name, field, _meaning in COEFFICIENTS]
    return [decimal(measure.value, 3) for measure in measures]


def _votes_line(found: AgreementFigures) -> str:
    votes, examples = _votes(found.votes), _examples(found.examples)
    if found.voters is None:
        return _("%(votes)s on %(examples)s", votes=votes, examples=examples)
    people = ngettext(
        "%(shown)s\u00a0person", "%(shown)s\u00a0people", found.voters, shown=count(found.voters)
    )
    return _("%(votes)s by %(people)s on %(examples)s", votes=votes, people=people, examples=examples)


def _votes(number: int) -> str:
    return ngettext("%(shown)s\u00a0vote", "%(shown)s\u00a0votes", number, shown=count(number))


def _examples(number: int) -> str:
    return ngettext("%(shown)s\u00a0example", "%(shown)s\u00a0examples", number, shown=count(number))


def _basis(name: str) -> str:
    return _(AGREEMENT_BASES[name]) if name in AGREEMENT_BASES else name.replace("_", " ")
