"""Covariance of models' scores, stored so that a board under any weights has it at once.

A score is a weighted sum of metrics of items over datasets, and datasets share no items. So its covariance over models
is `Σ_d Σ_m Σ_m' c_dm c_dm' C_d,mm'`, where C_d,mm' is the covariance of two metrics on a dataset, from the influences
of its clusters. These blocks are computed once per revision, on datasets where a score changed. Those of (m, m') and
(m', m) are added, so each is symmetric and its upper triangle is enough. A large board stores them as 32-bit floats.

Influences are the linear form of a metric. That form is poor for macro F1 with a rare label, or for a share near 0 or
1. There the interval of the score itself is wider: bootstrapped, or Wilson's. If it is wider by more than POOR, a
model's influences on the dataset are stretched to it. `is_poor` marks those.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import inf
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from leaderboard.domain.ranking.certainty import covariance
from leaderboard.domain.ranking.dynascore import Floats
from leaderboard.domain.unchanged_scores import NEW, Unchanged

LARGE_BYTES = 32_000_000
POOR = 1.25
Bools: TypeAlias = NDArray[np.bool_]
Influences = Callable[[int, int, str], NDArray[np.floating] | None]
"""Influences of a model on a dataset in a metric, by number, number and name."""
Variance = Callable[[int, int, str], float]
"""The same by the interval that the score came with; 0 where it has none."""


@dataclass(frozen=True)
class Before:
    """The blocks of the previous revision, and the parts that have not changed since."""

    kept: "PackedCovariance"
    unchanged: Unchanged


class PackedCovariance:
    """The blocks of one revision over all its models; a read selects the visible ones.

    `is_poor` marks, by model and dataset, a poor linear form of one of the metrics. `is_known` marks, by metric,
    model and dataset, a known variance: a single cluster of items alone gives none.
    """

    def __init__(
        self,
        models: int,
        datasets: int,
        metrics: Sequence[str],
        influences: Influences,
        variance: Variance,
        before: Before | None = None,
    ) -> None:
        self._models = models
        self._clusters = np.full(datasets, np.inf)
        self._upper = np.triu_indices(models)
        self.is_poor: Bools = np.zeros((models, datasets), dtype=np.bool_)
        self.is_known: Mapping[str, Bools] = {
            metric: np.zeros((models, datasets), dtype=np.bool_) for metric in metrics
        }
        pairs = list(combinations_with_replacement(range(len(metrics)), 2))
        size = len(pairs) * datasets * len(self._upper[0])
        kind = np.float32 if 4 * size > LARGE_BYTES else np.float64
        self._blocks = {
            (metrics[first], metrics[second]): np.zeros((datasets, len(self._upper[0])), dtype=kind)
            for first, second in pairs
        }
        taken = [] if before is None else self._take(before)
        for dataset in range(datasets):
            if dataset not in taken:
                self._fill(dataset, metrics, influences, variance)

    def _take(self, before: Before) -> Sequence[int]:
        """Copy the blocks of unchanged datasets, and return these datasets."""
        rows, kept = before.unchanged.rows, before.kept
        there = rows != NEW
        had = there[self._upper[0]] & there[self._upper[1]]
        first, second = rows[self._upper[0]][had], rows[self._upper[1]][had]
        low, high = np.minimum(first, second), np.maximum(first, second)
        places = low * kept._models - low * (low - 1) // 2 + high - low
        is_whole = len(rows) == kept._models and np.array_equal(rows, np.arange(len(rows)))
        taken = []
        for dataset, place in enumerate(before.unchanged.datasets):
            if place is None:
                continue
            taken.append(dataset)
            self._clusters[dataset] = kept._clusters[place]
            self.is_poor[there, dataset] = kept.is_poor[rows[there], place]
            for metric, known in self.is_known.items():
                known[there, dataset] = kept.is_known[metric][rows[there], place]
            for pair, blocks in self._blocks.items():
                if is_whole:
                    blocks[dataset] = kept._blocks[pair][place]
                else:
                    blocks[dataset, had] = kept._blocks[pair][place, places]
        return taken

    def _fill(self, dataset: int, metrics: Sequence[str], influences: Influences, variance: Variance) -> None:
        matrices, alone = {}, {}
        for metric in metrics:
            found = [influences(model, dataset, metric) for model in range(self._models)]
            variances = [variance(model, dataset, metric) for model in range(self._models)]
            matrix = _together(found)
            self.is_poor[:, dataset] |= _stretch(matrix, variances)
            clusters = matrix.shape[1]
            self._clusters[dataset] = min(self._clusters[dataset], clusters if clusters > 1 else np.inf)
            alone[metric] = [
                0.0 if _has(matrix, model) else _alone(each, variances[model])
                for model, each in enumerate(found)
            ]
            matrices[metric] = matrix
            self.is_known[metric][:, dataset] = [
                variance > 0 or _has(matrix, model) for model, variance in enumerate(alone[metric])
            ]
        for first, second in combinations_with_replacement(metrics, 2):
            one, other = matrices[first], matrices[second]
            block = np.zeros((self._models, self._models))
            if one.shape == other.shape and one.shape[1] > 1:
                block += covariance(one, other)
            if first == second:
                block[np.diag_indices(self._models)] += alone[first]
            else:
                block += block.T.copy()
            self._blocks[first, second][dataset] = block[self._upper]

    def of_scores(self, worth: Mapping[str, Floats], models: Sequence[int]) -> Floats:
        """Return the covariance of some models' scores.

        `worth` says by metric and dataset how many points of score a share of 1 moves; the answer has a row and a
        column for each of `models`.
        """
        upper = np.zeros(len(self._upper[0]))
        for (first, second), blocks in self._blocks.items():
            counted = worth.get(first, 0.0) * worth.get(second, np.zeros(len(blocks)))
            if np.any(counted):
                upper += counted.astype(blocks.dtype) @ blocks
        whole = np.empty((self._models, self._models))
        whole[self._upper] = upper
        whole.T[self._upper] = upper
        chosen = np.asarray(models, dtype=np.intp)
        found: Floats = whole if len(chosen) == self._models else whole[np.ix_(chosen, chosen)]
        return found

    def are_unknown(self, worth: Mapping[str, Floats], models: Sequence[int]) -> Bools:
        """Tell of each of these models whether what chance does to its score is not known, for want of clusters."""
        found: Bools = np.zeros(len(models), dtype=np.bool_)
        for metric, known in self.is_known.items():
            counts = worth.get(metric, np.zeros(known.shape[1])) != 0
            found |= ~known[np.ix_(np.asarray(models, dtype=np.intp), counts)].all(axis=1)
        return found

    def own(self, shares: Mapping[str, Floats], models: Sequence[int]) -> Mapping[tuple[str, str], Floats]:
        """Return for every two metrics with shares each model's own blocks, summed by both shares over datasets."""
        chosen = np.asarray(models, dtype=np.intp)
        return {
            (first, second): (shares[first] * shares[second]) @ found[:, chosen]
            for (first, second), found in self._of_each.items()
            if first in shares and second in shares
        }

    @cached_property
    def _of_each(self) -> Mapping[tuple[str, str], Floats]:
        """Return the blocks of models with themselves, datasets × models."""
        places = np.flatnonzero(self._upper[0] == self._upper[1])
        return {pair: blocks[:, places].astype(np.float64) for pair, blocks in self._blocks.items()}

    def freedom(self, worth: Mapping[str, Floats], models: Sequence[int]) -> float:
        """Return the degrees of freedom of some models' covariance; infinity without clusters to estimate it from.

        Those of a sum over datasets follow F. Satterthwaite, 1946, from the mean variance on each.
        """
        chosen = np.asarray(models, dtype=np.intp)
        parts = np.zeros(len(self._clusters))
        for (first, second), found in self._of_each.items():
            counted = worth.get(first, 0.0) * worth.get(second, np.zeros(len(found)))
            if np.any(counted):
                parts += counted * found[:, chosen].sum(axis=1)
        parts = np.clip(parts, 0.0, None)
        lost = float((parts**2 / (self._clusters - 1)).sum())
        return float(parts.sum() ** 2 / lost) if lost > 0 else inf


def _has(matrix: Floats, model: int) -> bool:
    """Return whether a model's clusters say what chance does; one alone holds nothing but what rounding left."""
    return matrix.shape[1] > 1 and bool(np.any(matrix[model]))


def _together(found: Sequence[NDArray[np.floating] | None]) -> Floats:
    """Return a row for each model; zeros for a model whose clusters differ from those of most models."""
    lengths = Counter(len(each) for each in found if each is not None)
    usual = max(lengths, key=lambda length: (lengths[length], length), default=0)
    matrix = np.zeros((len(found), usual))
    for row, each in enumerate(found):
        if each is not None and len(each) == usual:
            matrix[row] = each
    return matrix


def _stretch(matrix: Floats, variances: Sequence[float]) -> Bools:
    """Stretch the influences of models whose given variance is far larger; return a mask of them."""
    clusters = matrix.shape[1]
    linear = (matrix**2).sum(axis=1) * clusters / (clusters - 1) if clusters > 1 else np.zeros(len(matrix))
    wider = np.sqrt(np.divide(variances, linear, out=np.ones(len(matrix)), where=linear > 0))
    poor: Bools = wider > POOR
    matrix[poor] *= wider[poor][:, None]
    return poor


def _alone(influences: NDArray[np.floating] | None, variance: float) -> float:
    """Return the variance of a model that shares no clusters with the others."""
    if influences is None or len(influences) < 2:
        return variance
    own = influences[None].astype(np.float64)
    return max(variance, float(covariance(own, own)[0, 0]))
