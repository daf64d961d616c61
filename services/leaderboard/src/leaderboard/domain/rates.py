"""Figures of a round: counts, and MER, vMER, projected vMER and validity, each with its interval or why it has none.

While tries wait for votes, vMER so far is a lower bound, not an estimate. Its range shows the values that it can still
reach, and the projected rate the likely one.
"""

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from dynabench_tasks.statistics.intervals import NoInterval, clustered_interval
from dynabench_tasks.statistics.projection import Stratum, projected_interval
from dynabench_tasks.statistics.rates import Rate
from numpy.typing import NDArray

from leaderboard.domain.tally import Tally

HARVESTED = "not available: only the models' errors were kept"
UNKNOWN_AUTHORS = "no interval: authors unknown"


@dataclass(frozen=True, slots=True)
class Range:
    """Values that vMER can still reach: `low` if none of the `pending` tries is an error, `high` if all are.

    `pending` counts the tries that votes can still make an error. None without a rate.
    """

    low: float | None
    high: float | None
    pending: int


@dataclass(frozen=True, slots=True)
class ProjectedRate:
    """A projected rate; `not_checked` names the strata that have tries, none of them resolved."""

    rate: Rate
    not_checked: tuple[str, ...]


Counts: TypeAlias = NDArray[np.int64]


NOBODYS: Counts = np.zeros(0, dtype=np.int64)


class AuthorCounts(NamedTuple):
    """Per author what the intervals need; `are_known` is False if a counted try has no author."""

    decided: Counts
    fooled: Counts
    errors: Counts
    fooled_resolved: Counts
    fooled_correct: Counts
    stratum_fooled: Counts = NOBODYS
    stratum_fooled_resolved: Counts = NOBODYS
    stratum_fooled_errors: Counts = NOBODYS
    stratum_not_fooled: Counts = NOBODYS
    stratum_not_fooled_resolved: Counts = NOBODYS
    are_known: bool = True

    @property
    def strata(self) -> tuple[Stratum, Stratum]:
        """Return the tries that fooled and those that did not, by the round's verdict."""
        return (
            Stratum(self.stratum_fooled, self.stratum_fooled_resolved, self.stratum_fooled_errors),
            Stratum(
                self.stratum_not_fooled,
                self.stratum_not_fooled_resolved,
                self.errors - self.stratum_fooled_errors,
            ),
        )


NO_AUTHORS = AuthorCounts(NOBODYS, NOBODYS, NOBODYS, NOBODYS, NOBODYS)


def mer(total: Tally, authors: AuthorCounts) -> Rate:
    """Model error rate: fooled tries / tries; a retracted try stays below the line only."""
    return share(
        total.fooled, total.decided, authors.fooled, authors.decided, authors, without_verdict(total.tries)
    )


def vmer(total: Tally, authors: AuthorCounts) -> Rate:
    """Validated model error rate: validated errors / tries."""
    return share(
        total.errors, total.decided, authors.errors, authors.decided, authors, without_verdict(total.tries)
    )


def validity(total: Tally, authors: AuthorCounts) -> Rate:
    """Share of `correct` among the resolved tries that fooled and that somebody gave an answer on."""
    nothing = "no try that fooled is checked yet"
    if total.stratum_fooled_resolved or total.stratum_not_fooled_resolved:
        nothing = "no try that fooled has a clear answer yet"
    return share(
        total.fooled_correct,
        total.fooled_resolved,
        authors.fooled_correct,
        authors.fooled_resolved,
        authors,
        nothing,
    )


def vmer_range(total: Tally) -> Range:
    """Return the range of vMER over all outcomes of the missing votes; future tries are not considered."""
    if total.decided == 0:
        return Range(None, None, total.possible_errors)
    highest = total.errors + total.possible_errors
    return Range(total.errors / total.decided, highest / total.decided, total.possible_errors)


def vmer_projected(total: Tally, authors: AuthorCounts) -> ProjectedRate:
    """Project vMER from the resolved tries: over the strata, share of tries × errors / resolved.

    It assumes that waiting tries have the error rate of resolved ones in the same stratum. A stratum without
    resolved tries adds 0 and is named. Retracted tries form a third, error-free share.
    """
    strata = {
        "fooled": (total.stratum_fooled, total.stratum_fooled_errors, total.stratum_fooled_resolved),
        "not_fooled": (
            total.stratum_not_fooled,
            total.stratum_not_fooled_errors,
            total.stratum_not_fooled_resolved,
        ),
    }
    not_checked = tuple(name for name, (tries, _, resolved) in strata.items() if tries and not resolved)
    if total.decided == 0:
        return ProjectedRate(Rate(None, 0, reason=without_verdict(total.tries)), not_checked)
    value = sum(
        tries / total.decided * errors / resolved for tries, errors, resolved in strata.values() if resolved
    )
    return ProjectedRate(projected_rate(value, total.decided, authors), not_checked)


def projected_rate(value: float, tries: int, authors: AuthorCounts) -> Rate:
    """Return a projected share of tries with its interval over the authors."""
    if not authors.are_known:
        return Rate(value, tries, reason=UNKNOWN_AUTHORS)
    try:
        interval = projected_interval(authors.decided, authors.strata)
    except NoInterval as err:
        return Rate(value, tries, reason=str(err))
    return Rate(value, tries, interval.low, interval.high)


def withheld(origin: str) -> str | None:
    """Say why a round that came about so has no error rates; None if it has."""
    return HARVESTED if origin == "harvested" else None


def without_verdict(tries: int) -> str:
    """Say why there is nothing to divide by."""
    return "no tries yet" if tries == 0 else "no try has a verdict"


def share(
    hits: int, tries: int, author_hits: Counts, author_tries: Counts, authors: AuthorCounts, nothing: str
) -> Rate:
    """Return hits / tries with its interval over the authors, `nothing` being the reason where there are no tries."""
    if tries == 0:
        return Rate(None, 0, reason=nothing)
    value = hits / tries
    if not authors.are_known:
        return Rate(value, tries, reason=UNKNOWN_AUTHORS)
    try:
        interval = clustered_interval(author_hits, author_tries)
    except NoInterval as err:
        return Rate(value, tries, reason=str(err))
    return Rate(value, tries, interval.low, interval.high)


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts and rates of one subject."""

    total: Tally
    mer: Rate
    vmer: Rate
    vmer_range: Range
    vmer_projected: ProjectedRate
    validity: Rate

    @property
    def validated_errors(self) -> int:
        """Count validated errors, those of tries without a verdict among them."""
        return self.total.errors + self.total.apart_errors


def figures(total: Tally, authors: AuthorCounts, withheld: str | None = None) -> Figures:
    """Work the rates of one subject out; with `withheld` there are no error rates, for that reason."""
    if withheld is not None:
        nothing = Rate(None, total.decided, reason=withheld)
        projected = ProjectedRate(nothing, ())
        still_open = Range(None, None, total.possible_errors)
        return Figures(total, nothing, nothing, still_open, projected, validity(total, authors))
    return Figures(
        total,
        mer(total, authors),
        vmer(total, authors),
        vmer_range(total),
        vmer_projected(total, authors),
        validity(total, authors),
    )


NO_FIGURES = figures(Tally(), NO_AUTHORS)
