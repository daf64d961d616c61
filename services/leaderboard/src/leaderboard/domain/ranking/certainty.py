"""Certainty of an order: intervals of scores, and of ranks, from one covariance over models.

A model's score moves with its items by influences z_c, one per cluster. So `cov(i, j) = G / (G - 1) · Σ_c z_ic z_jc`,
summed over datasets. There are two statements about a model's rank. The paired one counts the models that differ from
it at 97.5 % each, and is true of that model alone. The simultaneous one is true of all models at once with 95 % (M.
Mogstad, J. Romano, A. Shaikh, D. Wilhelm, "Inference for Ranks", 2023). It counts differences whose ratio to their
standard error exceeds a threshold: the 95 % quantile of the largest such ratio among all pairs. That quantile is drawn
from normal errors with this covariance, always with the same draws.

With few clusters, a difference's standard error is estimated too, and is small just where chance makes the difference
large. So squares of a difference over clusters are taken around zero instead of around its mean, as in McNemar's test.
The ratio to their root has tails no heavier than a normal one's if the clusters' differences are symmetric (B. Efron,
1969). Student's t held less often in simulated boards (`tests/coverage`; 20 equal models on 60 items, 4,000 boards:
93.4 against 96.3 %).
"""

from dataclasses import dataclass
from functools import lru_cache
from math import inf

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.blas import strmm
from scipy.special import stdtrit

from leaderboard.domain.ranking.dynascore import Floats
from leaderboard.domain.ranking.largest_difference import Floats32, quantile_of_largest

NORMAL_QUANTILE = 1.959963984540054
CONFIDENCE = 0.95
NUMBERS = 500_000
FEWEST_DRAWS, MOST_DRAWS = 1_000, 10_000
"""So many normal numbers are drawn in all: a small board has many draws, a large one no fewer than these."""
ROUNDING = 1e-9
FREE = 20_000.0
"""From so many degrees of freedom on, errors of the covariance no longer show in four digits of a quantile."""
SEED = 20260101
TINY = 1e-12


@dataclass(frozen=True)
class Certainty:
    """Certainty by model: its score's standard error and half interval width, the paired rank interval, and the set.

    `separated[i, j]` says that i is above j for the whole board at once.
    """

    errors: Floats
    reach: Floats
    paired: list[tuple[int, int]]
    simultaneous: list[tuple[int, int]]
    separated: NDArray[np.bool_]
    critical: float

    def by(self, order: NDArray[np.intp]) -> "Certainty":
        """Return the same with the models in another order."""
        return Certainty(
            self.errors[order],
            self.reach[order],
            [self.paired[model] for model in order],
            [self.simultaneous[model] for model in order],
            self.separated[np.ix_(order, order)],
            self.critical,
        )


def covariance(first: Floats, second: Floats) -> Floats:
    """Return the covariance of two metrics over models; each holds influences on a dataset, models × clusters."""
    clusters = first.shape[1]
    found: Floats = clusters / (clusters - 1) * (first @ second.T)
    return found


def quantile(freedom: float) -> float:
    """Return the 97.5 % quantile of a ratio to a standard error that is estimated with so many degrees of freedom."""
    return NORMAL_QUANTILE if freedom >= FREE else float(stdtrit(freedom, 0.975))


def certainty(
    scores: Floats, cov: Floats, freedom: float = inf, unknown: NDArray[np.bool_] | None = None
) -> Certainty:
    """Return the certainty of these scores; `freedom` are the degrees of freedom of the covariance, at least 1.

    A model whose score has no known variance is `unknown`: it is tied with all others.
    """
    variance = np.clip(np.diag(cov), 0.0, None)
    own = np.sqrt(variance)
    variances = np.clip(variance[:, None] + variance[None, :] - 2 * cov, 0.0, None)
    errors = np.sqrt(variances)
    differences = scores[:, None] - scores[None, :]
    tiny = TINY * max(1.0, float(np.abs(scores).max(initial=0.0)))
    alone = quantile(freedom)
    critical = _critical(cov, variances, tiny)
    paired = differences > np.maximum(alone * errors, tiny)
    of_difference = 1 / (freedom + 1)
    around_zero = (1 - of_difference) * variances + of_difference * differences**2
    simultaneous = differences > np.maximum(critical * np.sqrt(around_zero), tiny)
    if unknown is not None:
        for above in (paired, simultaneous):
            above[unknown, :] = above[:, unknown] = False
    return Certainty(own, alone * own, _ranks(paired), _ranks(simultaneous), simultaneous, critical)


def tie_groups(separated: NDArray[np.bool_]) -> list[int]:
    """Return the group of each place, from 1: a model that is tied with the first of the group belongs to it.

    `separated` is by rank.
    """
    groups, first = list[int](), 0
    for place in range(len(separated)):
        if place == 0 or separated[first, place]:
            first = place
            groups.append((groups[-1] if groups else 0) + 1)
        else:
            groups.append(groups[-1])
    return groups


def _ranks(above: NDArray[np.bool_]) -> list[tuple[int, int]]:
    models = len(above)
    better, worse = above.sum(axis=0).tolist(), above.sum(axis=1).tolist()
    return [(1 + better[model], models - worse[model]) for model in range(models)]


def _critical(cov: Floats, variances: Floats, tiny: float) -> float:
    """Return the quantile of the largest standardised difference among all pairs.

    A little is added to each variance, so that the covariance has a root; pairs that do not differ at all are left out.
    """
    models = len(cov)
    counts = variances > max(tiny * tiny, ROUNDING * float(variances.max(initial=0.0)))
    np.fill_diagonal(counts, val=False)
    if not counts.any():
        return NORMAL_QUANTILE
    root, added = _root(cov)
    weights = (counts / np.sqrt((variances + 2 * added).astype(np.float32))).astype(np.float32, copy=False)
    draws = _times_root(_standard_draws(models), root)
    return quantile_of_largest(draws, weights, CONFIDENCE)


def _root(cov: Floats) -> tuple[Floats, float]:
    """Return a root of the covariance with as little as needed added to its diagonal, and how much that was."""
    scale = float(np.diag(cov).mean())
    added = ROUNDING * scale
    while True:
        try:
            root: Floats = np.asarray(np.linalg.cholesky(cov + added * np.eye(len(cov))), dtype=np.float64)
        except np.linalg.LinAlgError:
            added *= 10
        else:
            return root, added


def _times_root(draws: Floats32, root: Floats) -> Floats32:
    """Return `draws @ root.T` in half the time that takes: the root is a lower triangle."""
    found: Floats32 = strmm(1.0, root.T.astype(np.float32, order="F"), draws.T, trans_a=1).T
    return found


@lru_cache(maxsize=8)
def _standard_draws(models: int) -> Floats32:
    draws = min(max(NUMBERS // models, FEWEST_DRAWS), MOST_DRAWS)
    return np.random.default_rng(SEED).standard_normal((draws, models), dtype=np.float32)


def least_difference(items: int, *, spread: float = 1 / 9, noise: float = 1 / 6, power: float = 0.8) -> float:
    """Return the least difference of two models, as a share, that so many items show with 80 % (Miller, 2024, eq. 10).

    `spread` is the variance of the difference over items, `noise` that of each model's answer to one item.
    """
    quantiles = {0.8: 0.8416212335729143}
    reach = NORMAL_QUANTILE + quantiles[power]
    return float(reach * np.sqrt((spread + 2 * noise) / items))
