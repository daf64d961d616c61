"""What is certain of an order: intervals of scores, and of ranks, from one covariance over models.

A model's score moves with its items by influences z_c, one per cluster, so `cov(i, j) = G / (G - 1) · Σ_c z_ic z_jc`,
summed over datasets. Two statements are made of a model's rank. The paired one counts whom it differs from at 97.5 %
each, and is true of that model alone; the simultaneous one holds for all models at once with 95 % (M. Mogstad,
J. Romano, A. Shaikh, D. Wilhelm, "Inference for Ranks", 2023): differences count that exceed their standard errors by
the 95 % quantile of the largest such ratio among all pairs, drawn from normal errors with this covariance, always the
same draws.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from leaderboard.domain.ranking.dynascore import Floats

NORMAL_QUANTILE = 1.959963984540054
CONFIDENCE = 0.95
DRAWS = 1_000
PAIRS_AT_ONCE = 4_000_000
SEED = 20260101
TINY = 1e-12


@dataclass(frozen=True)
class Certainty:
    """By model: half the width of its score's interval, the paired rank interval, and the simultaneous rank set.

    `told_apart[i, j]` says that i is above j for the whole board at once.
    """

    reach: Floats
    paired: list[tuple[int, int]]
    simultaneous: list[tuple[int, int]]
    told_apart: "np.ndarray[tuple[int, int], np.dtype[np.bool_]]"
    critical: float


def covariance(influences: Iterable[Floats], models: int) -> Floats:
    """Return the covariance over models; each matrix holds a dataset's influences, models × clusters."""
    total = np.zeros((models, models))
    for matrix in influences:
        clusters = matrix.shape[1]
        if clusters > 1:
            total += clusters / (clusters - 1) * (matrix @ matrix.T)
    return total


def certainty(scores: Floats, cov: Floats) -> Certainty:
    """Return what can be said of these scores."""
    variance = np.clip(np.diag(cov), 0.0, None)
    errors = np.sqrt(np.clip(variance[:, None] + variance[None, :] - 2 * cov, 0.0, None))
    differences = scores[:, None] - scores[None, :]
    tiny = TINY * max(1.0, float(np.abs(scores).max(initial=0.0)))
    critical = _critical(cov, errors, tiny)
    paired = _above(differences, errors, NORMAL_QUANTILE, tiny)
    simultaneous = _above(differences, errors, critical, tiny)
    return Certainty(
        NORMAL_QUANTILE * np.sqrt(variance), _ranks(paired), _ranks(simultaneous), simultaneous, critical
    )


def tie_groups(order: list[int], told_apart: "np.ndarray[tuple[int, int], np.dtype[np.bool_]]") -> list[int]:
    """Return each place's group, from 1: who can't be told apart from the first of the group belongs to it."""
    groups, first = list[int](), -1
    for place, model in enumerate(order):
        if place == 0 or told_apart[first, model]:
            first = model
            groups.append((groups[-1] if groups else 0) + 1)
        else:
            groups.append(groups[-1])
    return groups


def _above(
    differences: Floats, errors: Floats, quantile: float, tiny: float
) -> "np.ndarray[tuple[int, int], np.dtype[np.bool_]]":
    """Tell of each pair whether the first is above the second; without any error a difference is one."""
    return differences > np.maximum(quantile * errors, tiny)


def _ranks(above: "np.ndarray[tuple[int, int], np.dtype[np.bool_]]") -> list[tuple[int, int]]:
    models = len(above)
    better, worse = above.sum(axis=0), above.sum(axis=1)
    return [(1 + int(better[model]), models - int(worse[model])) for model in range(models)]


def _critical(cov: Floats, errors: Floats, tiny: float) -> float:
    """Return the quantile of the largest standardised difference among all pairs."""
    models = len(cov)
    first, second = np.triu_indices(models, 1)
    spread = errors[first, second]
    counts = spread > tiny
    if not counts.any():
        return NORMAL_QUANTILE
    first, second, spread = first[counts], second[counts], spread[counts]
    values, vectors = np.linalg.eigh(cov)
    root = vectors * np.sqrt(np.clip(values, 0.0, None))
    draws = np.random.default_rng(SEED).standard_normal((DRAWS, models)) @ root.T
    largest = np.empty(DRAWS)
    step = max(1, PAIRS_AT_ONCE // len(first))
    for start in range(0, DRAWS, step):
        part = draws[start : start + step]
        largest[start : start + step] = (np.abs(part[:, first] - part[:, second]) / spread).max(axis=1)
    return float(np.quantile(largest, CONFIDENCE))


def least_difference(items: int, *, spread: float = 1 / 9, noise: float = 1 / 6, power: float = 0.8) -> float:
    """Return the least difference of two models, as a share, that so many items show with 80 % (Miller, 2024, eq. 10).

    `spread` is the variance of the difference over items, `noise` that of each model's answer to one item.
    """
    quantiles = {0.8: 0.8416212335729143}
    reach = NORMAL_QUANTILE + quantiles[power]
    return float(reach * np.sqrt((spread + 2 * noise) / items))
