"""How far the scores of models move together, kept so that a board under any weights has its covariance at once.

A score is a weighted sum of metrics of items over datasets, and datasets share no items, so its covariance over models
is `Σ_d Σ_m Σ_m' c_dm c_dm' C_d,mm'`, where C_d,mm' is the covariance of two metrics on a dataset, from the influences
of its clusters. These blocks are worked out once per revision; those of (m, m') and (m', m) are added, so that each is
symmetric and its upper triangle holds it. A large board keeps them as 32-bit floats.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations_with_replacement

import numpy as np

from leaderboard.domain.ranking.certainty import covariance
from leaderboard.domain.ranking.dynascore import Floats

LARGE_BYTES = 32_000_000
Influences = Callable[[int, int, str], Floats | None]
"""Of a model on a dataset in a metric, by number, number and name."""
Variance = Callable[[int, int, str], float]
"""The same where there are no influences, from the interval; 0 where nothing is known."""


class PackedCovariance:
    """The blocks of one revision over all its models; those that are seen are chosen on reading."""

    def __init__(
        self,
        models: int,
        datasets: int,
        metrics: Sequence[str],
        influences: Influences,
        variance: Variance,
    ) -> None:
        self._models = models
        self._upper = np.triu_indices(models)
        pairs = list(combinations_with_replacement(range(len(metrics)), 2))
        size = len(pairs) * datasets * len(self._upper[0])
        kind = np.float32 if 4 * size > LARGE_BYTES else np.float64
        self._blocks = {
            (metrics[first], metrics[second]): np.zeros((datasets, len(self._upper[0])), dtype=kind)
            for first, second in pairs
        }
        for dataset in range(datasets):
            self._fill(dataset, metrics, influences, variance)

    def _fill(self, dataset: int, metrics: Sequence[str], influences: Influences, variance: Variance) -> None:
        matrices, alone = {}, {}
        for metric in metrics:
            found = [influences(model, dataset, metric) for model in range(self._models)]
            matrices[metric] = _together(found)
            alone[metric] = [
                0.0 if _has(matrices[metric], model) else _alone(each, variance(model, dataset, metric))
                for model, each in enumerate(found)
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


def _has(matrix: Floats, model: int) -> bool:
    return bool(np.any(matrix[model]))


def _together(found: Sequence[Floats | None]) -> Floats:
    """Return a row for each model; zeros for one whose clusters are not those of most, who is on its own."""
    lengths = Counter(len(each) for each in found if each is not None)
    usual = max(lengths, key=lambda length: (lengths[length], length), default=0)
    matrix = np.zeros((len(found), usual))
    for row, each in enumerate(found):
        if each is not None and len(each) == usual:
            matrix[row] = each
    return matrix


def _alone(influences: Floats | None, variance: float) -> float:
    """Return the variance of a model that shares no clusters with the others."""
    if influences is None or len(influences) < 2:
        return variance
    return float(covariance(influences[None], influences[None])[0, 0])
