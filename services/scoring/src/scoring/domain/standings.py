"""How the examples of a round stand, counted: what a release would hold and what stands in its way."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from scoring.dataset.splits import AuthorShare
from scoring.domain.eligibility import EXCLUDED, Standing


@dataclass(frozen=True, slots=True)
class AuthorGroup:
    """So many examples of one author that stand alike; of an unknown author each example is a group."""

    author: UUID
    standing: Standing
    has_claim: bool
    resolved: bool
    examples: int


@dataclass(frozen=True)
class Standings:
    """The counts of a round."""

    examples: int
    resolved: int
    pending: int
    unchecked: int
    unclaimed: int
    excluded: dict[str, int]
    shares: tuple[AuthorShare, ...]


def count(groups: Iterable[AuthorGroup]) -> Standings:
    """Add groups up. Unresolved examples without a claim have no label, so they are no one's share."""
    by_standing: Counter[Standing] = Counter()
    golds: dict[UUID, list[int]] = defaultdict(lambda: [0, 0])
    examples = resolved = unclaimed = 0
    for group in groups:
        examples += group.examples
        by_standing[group.standing] += group.examples
        resolved += group.examples if group.resolved else 0
        if group.standing is Standing.GOLD:
            golds[group.author][0] += group.examples
        elif group.standing.enters and group.has_claim:
            golds[group.author][1] += group.examples
        elif group.standing.enters:
            unclaimed += group.examples
    return Standings(
        examples=examples,
        resolved=resolved,
        pending=by_standing[Standing.PENDING],
        unchecked=by_standing[Standing.UNCHECKED],
        unclaimed=unclaimed,
        excluded={standing.value: by_standing[standing] for standing in EXCLUDED},
        shares=tuple(AuthorShare(author, *counts) for author, counts in sorted(golds.items())),
    )
