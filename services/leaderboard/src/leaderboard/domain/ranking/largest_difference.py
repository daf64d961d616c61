"""Quantile, over many draws, of the largest weighted difference between models, without examining most pairs.

Similar models are put into groups. In each draw, the pairs of two groups have an upper bound. It is the highest error
of one less the lowest of the other, times the largest weight of a pair of them. By that bound few pairs of groups can
reach the quantile. Only these are examined pair by pair, from the highest bound down, until no bound reaches the
quantile. So the result is that of all pairs.
"""

from dataclasses import dataclass
from math import floor
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats32: TypeAlias = NDArray[np.float32]
Places: TypeAlias = NDArray[np.intp]
GROUPS, FEWEST_MODELS = 24, 4
"""So many groups there are, or fewer, so that each has so many models."""
PAIRS_AT_ONCE, FEWEST_AT_ONCE = 500_000, 300
"""So many pairs of models are looked at before the quantile is found anew, and at least so many pairs of groups."""


def quantile_of_largest(draws: Floats32, weights: Floats32, share: float) -> float:
    """Return the quantile over draws of `max_ij (e_i - e_j) w_ij`; draws × models and models × models, symmetric."""
    grouped = _Grouped.of(draws, weights)
    bounds = grouped.bounds()
    rank = floor(share * (len(draws) - 1))
    highest = bounds.argmax(axis=1)
    every = np.arange(len(draws))
    largest = np.concatenate(
        [
            grouped.largest(every[start : start + grouped.at_once], highest[start : start + grouped.at_once])
            for start in range(0, len(draws), grouped.at_once)
        ]
    )
    bounds[every, highest] = 0.0
    flat = bounds.ravel()
    bar = np.partition(largest, rank)[rank]
    reaching = np.flatnonzero(flat >= bar)
    reaching = reaching[np.argsort(-flat[reaching])]
    for start in range(0, len(reaching), grouped.at_once):
        part = reaching[start : start + grouped.at_once]
        if flat[part[0]] < bar:
            break
        of_draws, pairs = np.divmod(part, bounds.shape[1])
        np.maximum.at(largest, of_draws, grouped.largest(of_draws, pairs))
        bar = np.partition(largest, rank)[rank]
    return float(np.quantile(largest, share))


@dataclass(frozen=True)
class _Grouped:
    """Draws × groups × models of a group, and the weights by pair of groups; the last model stands in for missing ones.

    A pair of groups is named by `first * groups + second`.
    """

    errors: Floats32
    weights: Floats32

    @classmethod
    def of(cls, draws: Floats32, weights: Floats32) -> "_Grouped":
        """Return draws and weights by group."""
        models = len(weights)
        size = -(-models // min(GROUPS, max(models // FEWEST_MODELS, 1)))
        groups = -(-models // size)
        order = _alike(weights, size)
        order = np.concatenate([order, np.repeat(order[-1:], groups * size - models)])
        by_group = weights[np.ix_(order, order)].reshape(groups, size, groups, size).transpose(0, 2, 1, 3)
        return cls(
            draws[:, order].reshape(len(draws), groups, size), by_group.reshape(groups * groups, size, size)
        )

    @property
    def at_once(self) -> int:
        """Return how many pairs of groups are looked at at once."""
        size: int = self.weights.shape[1]
        return max(PAIRS_AT_ONCE // (size * size), FEWEST_AT_ONCE)

    def bounds(self) -> Floats32:
        """Return by draw and pair of groups what their pairs of models are at most."""
        highest, lowest = self.errors.max(axis=2), self.errors.min(axis=2)
        gaps = highest[:, :, None] - lowest[:, None, :]
        found: Floats32 = gaps.reshape(len(gaps), -1) * self.weights.max(axis=(1, 2))
        return found

    def largest(self, of_draws: Places, pairs: Places) -> Floats32:
        """Return the largest weighted difference of a pair of groups in a draw, for each of these."""
        first, second = np.divmod(pairs, self.errors.shape[1])
        upper, lower = self.errors[of_draws, first], self.errors[of_draws, second]
        found: Floats32 = ((upper[:, :, None] - lower[:, None, :]) * self.weights[pairs]).max(axis=(1, 2))
        return found


def _alike(weights: Floats32, size: int) -> Places:
    """Return the models in an order in which each next so many are alike: one with great weights and its nearest."""
    rest = np.argsort(-weights.mean(axis=1))
    groups = []
    while len(rest) > size:
        distance = -weights[rest[0], rest]
        distance[0] = -np.inf
        is_near = np.zeros(len(rest), dtype=np.bool_)
        is_near[np.argpartition(distance, size - 1)[:size]] = True
        groups.append(rest[is_near])
        rest = rest[~is_near]
    return np.concatenate([*groups, rest])
