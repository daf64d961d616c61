"""Pairs of voters who agree more often than two people who answer independently.

Two good voters agree often, since both find the truth. So for each example that both voted on, the chance that they
agree is `Σ_t p_t Σ_k A_tk B_tk`. p is the truth's distribution by the *other* votes on the example. A and B are the two
voters' confusion matrices (`round_votes`). Hard examples make people agree or differ in ways that this does not know.
So a pair's expected disagreement is scaled by all pairs' observed disagreement relative to the expected one. A pair has
to stand out from the others.

The test is one-sided: the chance of that many agreements or more, binomial with the pair's mean chance. That is
conservative where chances differ between examples (W. Hoeffding, 1956). P-values are adjusted by Holm's method over all
pairs that share at least `FEWEST_SHARED` examples.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc

from validation.domain.statistics.dawid_skene import Indices, Probabilities
from validation.domain.statistics.round_votes import Evidence

FEWEST_SHARED = 5
SIGNIFICANT = 0.05
MOST_NUMBERS = 4_000_000


@dataclass(frozen=True, slots=True)
class AgreeingPair:
    """Voters `a` < `b`, by their index: on how many examples both voted, agreed, and were expected to agree."""

    a: int
    b: int
    examples: int
    agreed: int
    expected: float
    p_adjusted: float


@dataclass(frozen=True)
class _Tally:
    """Sums for each pair that shares an example."""

    pairs: Indices
    shared: Indices
    agreed: Indices
    expected: Probabilities


def agreeing_pairs(evidence: Evidence, unknown_voter: int | None) -> list[AgreeingPair]:
    """Return the pairs that agree beyond chance, the least probable first; nobody is paired with unknown voters."""
    voters = len(evidence.round_votes.voter_ids)
    tally = _tally(evidence, unknown_voter, voters)
    tested = tally.shared >= FEWEST_SHARED
    shared, agreed = tally.shared[tested], tally.agreed[tested]
    if not len(shared):
        return []
    disagreement = 1.0 - tally.expected[tested] / shared
    calibration = (shared - agreed).sum() / max(float((disagreement * shared).sum()), 1e-12)
    chance = 1.0 - np.clip(disagreement * calibration, 0.0, 1.0)
    tails = np.where(agreed > 0, bdtrc(np.maximum(agreed - 1, 0), shared, chance), 1.0)
    adjusted = holm(tails)
    order = np.lexsort((tally.pairs[tested], adjusted))
    return [
        AgreeingPair(
            a=int(tally.pairs[tested][i] // voters),
            b=int(tally.pairs[tested][i] % voters),
            examples=int(shared[i]),
            agreed=int(agreed[i]),
            expected=float(chance[i] * shared[i]),
            p_adjusted=float(adjusted[i]),
        )
        for i in order
        if adjusted[i] < SIGNIFICANT
    ]


def holm(p_values: Probabilities) -> Probabilities:
    """Return p-values adjusted for their number by Holm's step-down method."""
    order = np.argsort(p_values, kind="stable")
    factors = len(p_values) - np.arange(len(p_values))
    adjusted = np.empty_like(p_values)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(p_values[order] * factors))
    return adjusted


def _tally(evidence: Evidence, unknown_voter: int | None, voters: int) -> _Tally:
    keys, agreed, expected = [], [], []
    for one, other in _pairs_of_votes(evidence, unknown_voter):
        votes = evidence.round_votes.votes
        low = np.minimum(votes.voters[one], votes.voters[other])
        high = np.maximum(votes.voters[one], votes.voters[other])
        keys.append(low * voters + high)
        agreed.append(votes.chosen[one] == votes.chosen[other])
        expected.append(_expected(evidence, one, other))
    if not keys:
        nothing = np.zeros(0, dtype=np.int64)
        return _Tally(nothing, nothing, nothing, nothing.astype(np.float64))
    pairs, positions = np.unique(np.concatenate(keys), return_inverse=True)
    shared = np.bincount(positions)
    return _Tally(
        pairs,
        shared,
        np.bincount(positions, np.concatenate(agreed)).round().astype(np.int64),
        np.bincount(positions, np.concatenate(expected)).astype(np.float64),
    )


def _pairs_of_votes(evidence: Evidence, unknown_voter: int | None) -> Iterator[tuple[Indices, Indices]]:
    """Yield the pairs of votes on the same example: neighbours, next but one, and so on.

    They come in chunks whose confusion matrices fit in memory.
    """
    votes = evidence.round_votes.votes
    chunk = MOST_NUMBERS // votes.options**2
    usable = evidence.round_votes.is_basis.copy()
    if unknown_voter is not None:
        usable &= votes.voters != unknown_voter
    held = np.flatnonzero(usable)
    distance = 1
    while True:
        one, other = held[:-distance], held[distance:]
        together = votes.examples[one] == votes.examples[other]
        if not together.any():
            return
        one, other = one[together], other[together]
        for start in range(0, len(one), chunk):
            yield one[start : start + chunk], other[start : start + chunk]
        distance += 1


def _expected(evidence: Evidence, one: Indices, other: Indices) -> Probabilities:
    """Return the chance that two voters agree on an example, given the other votes on it."""
    votes, matrices = evidence.round_votes.votes, evidence.confusion_by_voter
    a, b = matrices[votes.voters[one]], matrices[votes.voters[other]]
    rows = np.arange(len(one))
    without = np.log(np.maximum(evidence.estimate.posterior[votes.examples[one]], 1e-300))
    for matrix, vote in ((a, one), (b, other)):
        without -= np.log(np.maximum(matrix[rows, :, votes.chosen[vote]], 1e-12))
    truth = np.exp(without - without.max(axis=1, keepdims=True))
    truth /= truth.sum(axis=1, keepdims=True)
    chance: NDArray[np.float64] = np.einsum("nt,ntk,ntk->n", truth, a, b)
    return chance
