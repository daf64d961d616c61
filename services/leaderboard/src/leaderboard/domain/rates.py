"""The rates of a round: MER, vMER, projected vMER and validity, each with its interval or the reason for none."""

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from dynabench_tasks.statistics.intervals import NoInterval, clustered_interval
from dynabench_tasks.statistics.rates import Rate
from numpy.typing import NDArray

from leaderboard.domain.tally import Tally

HARVESTED = "no rate: of a harvested round only what the targets got wrong or were unsure of was kept"
NO_PROJECTED_INTERVAL = "no interval: none is defined for the projected rate"


@dataclass(frozen=True, slots=True)
class ProjectedRate:
    """A projected rate; `not_checked` names the strata that have tries, none of them resolved."""

    rate: Rate
    not_checked: tuple[str, ...]


Counts: TypeAlias = NDArray[np.int64]


class AuthorCounts(NamedTuple):
    """Per author what the intervals need; `are_known` is False if a counted try has no author."""

    decided: Counts
    fooled: Counts
    errors: Counts
    fooled_resolved: Counts
    fooled_correct: Counts
    are_known: bool = True


NOBODYS: Counts = np.zeros(0, dtype=np.int64)
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
    """Share of `correct` among the resolved tries that fooled."""
    return share(
        total.fooled_correct,
        total.fooled_resolved,
        authors.fooled_correct,
        authors.fooled_resolved,
        authors,
        "no fooling try is resolved yet",
    )


def vmer_projected(total: Tally) -> ProjectedRate:
    """Project vMER from what was checked: over the strata, share of tries × errors / resolved.

    A stratum that nobody checked adds 0 and is named. Retracted tries form a third, error-free share.
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
    return ProjectedRate(Rate(value, total.decided, reason=NO_PROJECTED_INTERVAL), not_checked)


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
        return Rate(value, tries, reason="no interval: authors unknown")
    try:
        interval = clustered_interval(author_hits, author_tries)
    except NoInterval as err:
        return Rate(value, tries, reason=str(err))
    return Rate(value, tries, interval.low, interval.high)
