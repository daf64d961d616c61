"""95 % intervals of scores, from the influence of each cluster of items.

A score s of G clusters has about the variance `V = G / (G - 1) · Σ φ_g²`, where φ_g is the sum of the influences of a
cluster's items. This is the linearised variance of a ratio (C.-E. Särndal, B. Swensson, J. Wretman, "Model Assisted
Survey Sampling", 1992, section 5.5). As a share, s is equivalent to `s (1 - s) / V` independent items. Its interval is
Wilson's on that number, with the t-quantile of G - 1 in place of the normal one.

A share of right answers to items of distinct contexts has Wilson's interval on the items themselves. If items share
contexts, the interval is the union of the jackknife over contexts and Wilson's
(`dynabench_tasks.statistics.intervals`).
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from dynabench_tasks.statistics.intervals import (
    FEWEST_PEOPLE,
    NoInterval,
    People,
    clustered_interval,
    wilson_bounds,
    wilson_interval,
)
from numpy.typing import NDArray
from scipy.special import stdtrit

Floats: TypeAlias = NDArray[np.float64]
CONTEXTS = People("context", "contexts", "holds", "items")
TAIL = 0.975
PERCENT = 100.0


class Ends(NamedTuple):
    """The ends of an interval in percent, or why there is none."""

    low: float = 0.0
    high: float = 0.0
    reason: str = ""


def numbered(clusters: Sequence[str]) -> NDArray[np.int64]:
    """Return the number of each item's cluster, in the order in which clusters come first."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(cluster, len(numbers)) for cluster in clusters], dtype=np.int64)


def by_cluster(values: Floats, clusters: NDArray[np.int64]) -> Floats:
    """Return the sums of an item's values by cluster."""
    sums: Floats = np.bincount(clusters, weights=values, minlength=int(clusters.max(initial=-1)) + 1).astype(
        np.float64
    )
    return sums


def share_interval(right: Floats, clusters: NDArray[np.int64]) -> Ends:
    """Return the interval of the share of right answers; `right` is 0 or 1 for each item."""
    if len(right) == clusters.max(initial=-1) + 1:
        return _percent(wilson_interval(float(right.mean()), len(right)))
    try:
        return _percent(
            clustered_interval(
                by_cluster(right, clusters), by_cluster(np.ones_like(right), clusters), CONTEXTS
            )
        )
    except NoInterval as err:
        return Ends(reason=str(err))


def influence_interval(share: float, influences: Floats) -> Ends:
    """Return the interval of a score, 0 to 1, from its clusters' influences."""
    moved = influences[influences != 0.0]
    clusters = len(influences)
    if clusters < FEWEST_PEOPLE:
        named = CONTEXTS.one if clusters == 1 else CONTEXTS.several
        return Ends(reason=f"no interval: {clusters} {named}, at least {FEWEST_PEOPLE} are needed")
    variance = clusters / (clusters - 1) * float(np.square(moved).sum())
    within = share * (1 - share)
    n = within / variance if variance > 0 and within > 0 else float(clusters)
    quantile = np.float64(stdtrit(clusters - 1.0, TAIL))
    low, high = wilson_bounds(np.float64(share), np.float64(n), quantile)
    return Ends(PERCENT * float(low), PERCENT * float(high))


def _percent(interval: tuple[float, float]) -> Ends:
    return Ends(PERCENT * interval[0], PERCENT * interval[1])
