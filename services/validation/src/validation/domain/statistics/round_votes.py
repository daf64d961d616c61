"""All votes of a round as index arrays, with their evidence about truth, each voter and the average voter.

Voters without a known identity share one index. As one "average person" they have a meaningful matrix. Otherwise each
would be a voter with a single vote, from which the model could conclude anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from validation.domain.statistics.dawid_skene import Estimate, Indices, Probabilities, Votes, estimate

LEAN = 10.0
MOST_OPTIONS = 30


@dataclass(frozen=True)
class RoundVotes:
    """Votes on the examples of a round in the order of the examples, and within an example as they came.

    `is_basis` marks those that people may be compared by: under an adaptive policy the first two of each example.
    """

    votes: Votes
    is_basis: NDArray[np.bool_]
    example_ids: Sequence[UUID]
    voter_ids: Sequence[UUID]
    options: Sequence[str]


@dataclass(frozen=True)
class AverageVoter:
    """The shares of true options, and the average voter's confusion matrix: `confusion` is truth × answer."""

    options: tuple[str, ...]
    shares: tuple[float, ...]
    confusion: tuple[tuple[float, ...], ...]
    examples: int


class Evidence:
    """Evidence from the votes of a round; the model's parts are computed on demand."""

    def __init__(self, round_votes: RoundVotes) -> None:
        self.round_votes = round_votes
        self.estimate: Estimate = estimate(round_votes.votes, LEAN)

    @property
    def labels(self) -> Indices:
        """Return the most probable option of each example."""
        labels: Indices = self.estimate.posterior.argmax(axis=1)
        return labels

    @property
    def probabilities(self) -> Probabilities:
        """Return the probability of that option for each example."""
        highest: Probabilities = self.estimate.posterior.max(axis=1)
        return highest

    @cached_property
    def errors_by_voter(self) -> tuple[Probabilities, Probabilities]:
        """Return for each voter how many votes are expected to be wrong, and how many there are."""
        votes = self.round_votes.votes
        wrong = 1.0 - self.estimate.posterior[votes.examples, votes.chosen]
        voters = len(self.round_votes.voter_ids)
        errors = np.bincount(votes.voters, wrong, voters).astype(np.float64)
        counts = np.bincount(votes.voters, minlength=voters).astype(np.float64)
        return errors, counts

    @cached_property
    def average_confusion(self) -> Probabilities:
        """Return the confusion matrix, truth × answer, of all votes together."""
        votes = self.round_votes.votes
        matrix = np.zeros((votes.options, votes.options))
        for truth in range(votes.options):
            weights = self.estimate.posterior[votes.examples, truth]
            matrix[truth] = np.bincount(votes.chosen, weights, votes.options)
        totals = matrix.sum(axis=1, keepdims=True)
        average: Probabilities = np.divide(matrix, totals, out=np.eye(votes.options), where=totals > 0)
        return average

    @cached_property
    def confusion_by_voter(self) -> Probabilities:
        """Return every voter's matrix, voter × truth × answer; what a voter never answered leans on the average."""
        votes, voters = self.round_votes.votes, len(self.round_votes.voter_ids)
        answers = votes.voters * votes.options + votes.chosen
        weights = np.empty((voters, votes.options, votes.options))
        for truth in range(votes.options):
            given = np.bincount(
                answers, self.estimate.posterior[votes.examples, truth], voters * votes.options
            )
            weights[:, truth, :] = given.reshape(voters, votes.options)
        totals = weights.sum(axis=2, keepdims=True)
        matrices: Probabilities = (weights + LEAN * self.average_confusion) / (totals + LEAN)
        return matrices

    @property
    def average_voter(self) -> AverageVoter:
        """Return the shares and the confusion matrix of the average voter."""
        return AverageVoter(
            options=tuple(self.round_votes.options),
            shares=tuple(self.estimate.shares.tolist()),
            confusion=tuple(tuple(row) for row in self.average_confusion.tolist()),
            examples=len(self.round_votes.example_ids),
        )
