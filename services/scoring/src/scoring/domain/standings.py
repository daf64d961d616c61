"""Counts of a round's examples by state: ready for release, or preventing it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scoring.dataset.splits import AuthorShare
from scoring.domain.eligibility import EXCLUDED, Standing


@dataclass(frozen=True, slots=True)
class Alike:
    """Examples that stand alike, as numbers by the author's id as text.

    An example of an unknown author has an author of its own.
    """

    standing: Standing
    has_claim: bool
    resolved: bool
    by_author: Mapping[str, int]


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


def count(groups: Iterable[Alike]) -> Standings:
    """Add groups up. Unresolved examples without a claim have no label, so they are no one's share."""
    by_standing: Counter[Standing] = Counter()
    golds: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    examples = resolved = unclaimed = 0
    for group in groups:
        number = sum(group.by_author.values())
        examples += number
        by_standing[group.standing] += number
        resolved += number if group.resolved else 0
        if not group.standing.enters:
            continue
        is_gold = group.standing is Standing.GOLD
        if not is_gold and not group.has_claim:
            unclaimed += number
            continue
        for author, of_author in group.by_author.items():
            golds[author][0 if is_gold else 1] += of_author
    return Standings(
        examples=examples,
        resolved=resolved,
        pending=by_standing[Standing.PENDING],
        unchecked=by_standing[Standing.UNCHECKED],
        unclaimed=unclaimed,
        excluded={standing.value: by_standing[standing] for standing in EXCLUDED},
        shares=tuple(AuthorShare(author, *counts) for author, counts in golds.items()),
    )
