"""Dawid and Skene's model of votes: the probable truth, and the errors of each voter.

Every example has one true option, drawn from class shares; every voter has a confusion matrix, the probability of
each answer for each truth; votes are independent given the truth. Expectation-maximisation finds shares, matrices
and the probabilities of each example's truth together (A. P. Dawid and A. M. Skene, "Maximum likelihood estimation of
observer error-rates using the EM algorithm", Applied Statistics 28, 1979). It starts from the vote shares, so the
same votes always give the same result.

A voter with few votes gives a matrix that is mostly chance: with 14 votes each, in simulation, the plain model is
right less often than the majority and far too sure of itself, while one matrix for all is right more often. So each
voter's matrix may lean on the one that all voters share, which counts as much as `lean` votes of the voter's own for
each truth. With `lean` 0 the model is the plain one.

Votes are three index arrays of equal length. A confusion matrix has a row only for an answer that its voter gave, so
memory is that of examples × options and of (voters and their answers) × options, never of their product.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LEAST_PROBABILITY = 1e-10
TOLERANCE = 1e-6
MOST_ROUNDS = 200

Indices = NDArray[np.int64]
Probabilities = NDArray[np.float64]


@dataclass(frozen=True)
class Votes:
    """Vote i: voter `voters[i]` chose option `chosen[i]` on example `examples[i]`. Indices count from 0 without gaps.

    Several votes of one voter on one example are allowed: voters that nobody knows share an index.
    """

    examples: Indices
    voters: Indices
    chosen: Indices
    options: int

    def __len__(self) -> int:
        """Return how many votes there are."""
        return len(self.chosen)


@dataclass(frozen=True)
class Estimate:
    """The model's estimates from the votes.

    `posterior` is examples × options; `shares` the class shares; row u of `confusion` is, for each truth, the
    probability that voter `row_voters[u]` answers `row_chosen[u]`. `has_converged` is False if the rounds ran out.
    """

    posterior: Probabilities
    shares: Probabilities
    confusion: Probabilities
    row_voters: Indices
    row_chosen: Indices
    rounds: int
    has_converged: bool


def estimate(
    votes: Votes, lean: float = 0.0, tolerance: float = TOLERANCE, most_rounds: int = MOST_ROUNDS
) -> Estimate:
    """Return the model that fits the votes best; there must be at least one.

    It ends when the log-likelihood grows by less than `tolerance` for each vote, after `most_rounds` at the latest.
    """
    matrix = _Confusion(votes, lean)
    posterior = _vote_shares(votes)
    before, rounds, has_converged = -np.inf, 0, False
    while rounds < most_rounds and not has_converged:
        shares, confusion = posterior.mean(axis=0), matrix.fitted(posterior)
        posterior, likelihood = matrix.expected(shares, confusion)
        rounds, has_converged = rounds + 1, likelihood - before < tolerance * len(votes)
        before = likelihood
    return Estimate(
        posterior=posterior,
        shares=posterior.mean(axis=0),
        confusion=matrix.fitted(posterior),
        row_voters=matrix.row_voters,
        row_chosen=matrix.row_chosen,
        rounds=rounds,
        has_converged=has_converged,
    )


def _vote_shares(votes: Votes) -> Probabilities:
    counts = np.zeros((int(votes.examples.max()) + 1, votes.options))
    np.add.at(counts, (votes.examples, votes.chosen), 1.0)
    shares: Probabilities = counts / counts.sum(axis=1, keepdims=True)
    return shares


class _Confusion:
    """The matrices' sparse rows: one for each voter and answer that they gave."""

    def __init__(self, votes: Votes, lean: float) -> None:
        self._lean = lean
        self._examples = votes.examples
        self._options = votes.options
        given = votes.voters * votes.options + votes.chosen
        rows, self._rows = np.unique(given, return_inverse=True)
        self.row_voters, self.row_chosen = rows // votes.options, rows % votes.options
        self._voters = int(votes.voters.max()) + 1
        self._example_count = int(votes.examples.max()) + 1

    def fitted(self, posterior: Probabilities) -> Probabilities:
        """Return the rows that fit the posterior best."""
        weights = np.empty((len(self.row_voters), self._options))
        for truth in range(self._options):
            held = np.bincount(self._rows, posterior[self._examples, truth], len(self.row_voters))
            held = np.maximum(held, LEAST_PROBABILITY)
            totals = np.bincount(self.row_voters, held, self._voters)[self.row_voters]
            shared = np.bincount(self.row_chosen, held, self._options)
            leant = self._lean * (shared / shared.sum())[self.row_chosen]
            weights[:, truth] = (held + leant) / (totals + self._lean)
        return weights

    def expected(self, shares: Probabilities, confusion: Probabilities) -> tuple[Probabilities, float]:
        """Return the posterior under shares and rows, and the log-likelihood of the votes under them."""
        logarithms = np.log(np.maximum(confusion, np.finfo(np.float64).tiny))
        joint = np.empty((self._example_count, self._options))
        for truth in range(self._options):
            given = logarithms[self._rows, truth]
            joint[:, truth] = np.bincount(self._examples, given, self._example_count)
        joint += np.log(np.maximum(shares, LEAST_PROBABILITY))
        highest = joint.max(axis=1, keepdims=True)
        scaled = np.exp(joint - highest)
        totals = scaled.sum(axis=1, keepdims=True)
        return scaled / totals, float((highest + np.log(totals)).sum())
