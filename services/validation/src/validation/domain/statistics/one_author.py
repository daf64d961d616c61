"""Voters who confirm the tries of one author and hardly anybody else's.

Tests of pairs need examples that both voted on. A person who votes for a friend, or for a second account, needs only
a few votes. The null hypothesis is that the author of a try does not matter to a voter. Then each of their n
confirmations falls on author `a` with the probability `s_a`. This is the author's share of the other voters'
confirmations, without those of this voter's own tries. The chance that k or more of n fall on any one author is at
most `Σ_a P(Binomial(n, s_a) ≥ k)` (Boole's inequality). P-values are adjusted by Holm's method over all voters with at
least `FEWEST_CONFIRMED` confirmations.

A result shows that a voter confirmed little else, but gives no cause. A voter active while only one author writes
meets little else, too.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from scipy.special import bdtrc

from validation.domain.statistics.agreeing_pairs import SIGNIFICANT, holm

FEWEST_CONFIRMED = 3
NEARLY_ONLY = 0.8


@dataclass(frozen=True, slots=True)
class OneAuthorVoter:
    """A voter who confirmed `confirmed` tries; `of_author` are by one author, where `expected` were likely."""

    voter_id: UUID
    author_id: UUID
    confirmed: int
    of_author: int
    expected: float
    p_adjusted: float


def one_author_voters(confirmed: Mapping[tuple[UUID, UUID], int]) -> list[OneAuthorVoter]:
    """Return the voters whose confirmations fall on one author beyond chance, the least probable first.

    `confirmed` counts the votes of a voter (first) that confirm an author's tries (second).
    """
    by_voter: dict[UUID, Counter[UUID]] = {}
    by_author: Counter[UUID] = Counter()
    for (voter_id, author_id), votes in confirmed.items():
        by_voter.setdefault(voter_id, Counter())[author_id] += votes
        by_author[author_id] += votes
    tested = {voter_id: own for voter_id, own in by_voter.items() if own.total() >= FEWEST_CONFIRMED}
    found = [_tested(voter_id, own, by_author) for voter_id, own in sorted(tested.items())]
    adjusted = holm(np.array([p for _, p in found], dtype=np.float64))
    rows = [
        OneAuthorVoter(
            voter_id=each.voter_id,
            author_id=each.author_id,
            confirmed=each.confirmed,
            of_author=each.of_author,
            expected=each.expected,
            p_adjusted=float(p),
        )
        for (each, _), p in zip(found, adjusted, strict=True)
        if p < SIGNIFICANT
    ]
    return sorted(rows, key=lambda row: row.p_adjusted)


def _tested(voter_id: UUID, own: Counter[UUID], by_author: Counter[UUID]) -> tuple[OneAuthorVoter, float]:
    """Return the voter with the author whom they confirm most, and the chance of it."""
    (author_id, of_author), confirmed = own.most_common(1)[0], own.total()
    if of_author < NEARLY_ONLY * confirmed:
        return OneAuthorVoter(voter_id, author_id, confirmed, of_author, 0.0, 1.0), 1.0
    others = Counter(by_author)
    others.subtract(own)
    del others[voter_id]
    all_others = others.total()
    share = others[author_id] / all_others if all_others else 1.0
    row = OneAuthorVoter(voter_id, author_id, confirmed, of_author, share * confirmed, 1.0)
    if not all_others:
        return row, 1.0
    shares = np.array([votes / all_others for votes in others.values()])
    return row, min(1.0, float(bdtrc(of_author - 1, confirmed, shares).sum()))
