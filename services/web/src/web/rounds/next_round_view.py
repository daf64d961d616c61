"""View of proposed targets for the next round."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.leaderboard import ProposedTarget, TargetProposals
from dynabench_client.results.models import ModelComparison

from web.kit import isolation
from web.kit.language import _
from web.kit.numbers import count, decimal
from web.kit.service_words import service_words


@dataclass(frozen=True)
class Pair:
    """A comparison of a proposed model with a present target on a released round; None if it can't be read."""

    dataset: str
    old: str
    new: str
    found: ModelComparison | None


@dataclass(frozen=True)
class ProposalView:
    """A proposed model: its place, the score with interval and items, and the correlation of its errors."""

    name: str
    rank: str
    score: str
    interval: str
    no_interval: str
    n: str
    trained_on: str
    alike: Sequence[str]


@dataclass(frozen=True)
class PassedOverView:
    """A model that is not proposed, with the reason."""

    name: str
    reason: str


@dataclass(frozen=True)
class ForgettingView:
    """Changes of answers on a released round if one model replaces another."""

    dataset: str
    old: str
    new: str
    mended: str
    broken: str
    n: str
    difference: str
    interval: str
    says: str
    is_known: bool


@dataclass(frozen=True)
class ProposalsView:
    """Proposals of the board; `waiting` are models with unfinished evaluations."""

    proposed: Sequence[ProposalView]
    passed_over: Sequence[PassedOverView]
    waiting: Sequence[str]
    forgetting: Sequence[ForgettingView]
    problem: str


def proposals_view(found: TargetProposals, pairs: Sequence[Pair]) -> ProposalsView:
    """Return the view of proposals."""
    return ProposalsView(
        [_proposal(each) for each in found.proposed],
        [PassedOverView(each.model, service_words(each.reason)) for each in found.passed_over],
        found.waiting,
        [_forgetting(each) for each in pairs],
        service_words(found.problem),
    )


def _proposal(found: ProposedTarget) -> ProposalView:
    first, last = found.rank_set
    interval = found.interval and " – ".join(decimal(end) for end in found.interval)
    return ProposalView(
        found.model,
        str(first) if first == last else f"{first}–{last}",
        decimal(found.score),
        interval or _("no interval"),
        service_words(found.no_interval),
        count(found.n),
        isolation.names(found.trained_on) or _("not stated"),
        [
            _("%(correlation)s with %(name)s", correlation=decimal(value, 2), name=isolation.name(name))
            for name, value in found.alike.items()
        ],
    )


def _forgetting(pair: Pair) -> ForgettingView:
    found = pair.found
    if found is None:
        return ForgettingView(pair.dataset, pair.old, pair.new, "–", "–", "–", "–", "", "", is_known=False)
    low, high = found.interval
    if low > 0:
        says = _("better")
    elif high < 0:
        says = _("worse")
    else:
        says = _("no clear difference")
    return ForgettingView(
        pair.dataset,
        pair.old,
        pair.new,
        count(found.only_first),
        count(found.only_second),
        count(found.n),
        decimal(found.difference),
        f"{decimal(low)} – {decimal(high)}",
        says,
        is_known=True,
    )
