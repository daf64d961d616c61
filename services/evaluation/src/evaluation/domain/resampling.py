"""Bootstrap intervals over clusters of items (B. Efron, "Bootstrap methods", 1979), for one model and for two.

Each sample draws as many clusters as there are, with replacement, and takes their items whole. The ends of an interval
are the 2.5 % and 97.5 % quantiles q of the samples' values. Two models are drawn in pairs: a sample has the same items
for both.

The ends of their difference d are `d + f (q - d)`, within -100 and 100 points, with `f = t(0.975, G - 1) / z(0.975) ·
√(G / (G - 1))`. The factor f replaces the normal quantile by Student's, and makes the variance of few clusters
unbiased. G is the number of clusters, at least 5. For a metric over labels, it is the number of clusters of the rarest
label. So f is 1.58 for 5 clusters and 1.02 for 100. Draws are seeded, so that the same answers always have the same
interval.
"""

from collections.abc import Iterator
from math import sqrt
from typing import NamedTuple

import numpy as np
from dynabench_tasks.statistics.intervals import FEWEST_PEOPLE, NORMAL_QUANTILE
from numpy.typing import NDArray
from scipy.special import stdtrit

from evaluation.domain.intervals import CONTEXTS, PERCENT, Ends, Floats, by_cluster

SEED = 20_261_124
DRAWS = 2_000
DRAWS_AT_ONCE = 100
MOST_DRAWN = 2_000
"""Maximum number of clusters. Neighbours are joined beyond it, since a few independent clusters are a cluster too."""
QUANTILES = (0.025, 0.975)


class Ratios(NamedTuple):
    """A metric as the mean over columns of the sum of `hits` over the sum of `sizes`, both items × columns.

    A column without any size is left out of the mean.
    """

    hits: Floats
    sizes: Floats

    def value(self) -> float:
        """Return the metric's value, 0 to 1."""
        return float(_values(self.hits.sum(axis=0)[None], self.sizes.sum(axis=0)[None])[0])

    def summed(self, clusters: NDArray[np.int64]) -> "Ratios":
        """Return the sums by cluster, of at most 2,000 clusters or neighbours joined."""
        number = int(clusters.max(initial=-1)) + 1
        places = clusters * MOST_DRAWN // number if number > MOST_DRAWN else clusters
        return Ratios(_by_cluster(self.hits, places), _by_cluster(self.sizes, places))


class Difference(NamedTuple):
    """A metric of two models in percent, and the first's less the second's with its interval and two-sided p."""

    first: float
    second: float
    ends: Ends
    p: float | None

    @property
    def difference(self) -> float:
        """Return the first value less the second, in points."""
        return self.first - self.second


def mean_of(scores: Floats) -> Ratios:
    """Return the mean of a score of each item as ratios."""
    return Ratios(scores[:, None], np.ones((len(scores), 1)))


def resampled_ends(ratios: Ratios, clusters: NDArray[np.int64], draws: int = DRAWS) -> Ends:
    """Return the interval of a metric in percent."""
    parts = ratios.summed(clusters)
    drawn = np.concatenate(
        [_values(weights @ parts.hits, weights @ parts.sizes) for weights in _weights(len(parts.hits), draws)]
    )
    return _ends(drawn)


def paired_difference(first: Ratios, second: Ratios, clusters: NDArray[np.int64]) -> Difference:
    """Return the difference of two models on the same items.

    p is twice the share of samples in which the lead is level or turned, one more counted on both sides
    (A. C. Davison and D. V. Hinkley, "Bootstrap Methods and their Application", 1997, chapter 4).
    """
    one, other = first.summed(clusters), second.summed(clusters)
    values = PERCENT * first.value(), PERCENT * second.value()
    if len(one.hits) < FEWEST_PEOPLE:
        named = CONTEXTS.one if len(one.hits) == 1 else CONTEXTS.several
        reason = f"no interval: {len(one.hits)} {named}, at least {FEWEST_PEOPLE} are needed"
        return Difference(*values, Ends(reason=reason), None)
    drawn = np.concatenate(
        [
            _values(weights @ one.hits, weights @ one.sizes)
            - _values(weights @ other.hits, weights @ other.sizes)
            for weights in _weights(len(one.hits), DRAWS)
        ]
    )
    beyond = min(int((drawn <= 0).sum()), int((drawn >= 0).sum()))
    ends = _spread(_ends(drawn), values[0] - values[1], _fewest(one, other))
    return Difference(*values, ends, min(1.0, 2 * (beyond + 1) / (DRAWS + 1)))


def _weights(clusters: int, draws: int) -> Iterator[Floats]:
    """Yield how often each cluster is drawn: samples × clusters, a hundred samples at a time."""
    dice = np.random.default_rng(SEED)
    shares = np.full(clusters, 1 / clusters)
    for start in range(0, draws, DRAWS_AT_ONCE):
        number = min(DRAWS_AT_ONCE, draws - start)
        yield dice.multinomial(clusters, shares, size=number).astype(np.float64)


def _values(hits: Floats, sizes: Floats) -> Floats:
    """Return the value of each row of sums; 0 where no column has any size."""
    seen = sizes > 0
    shares = np.divide(hits, sizes, out=np.zeros_like(hits), where=seen)
    values: Floats = shares.sum(axis=1) / np.maximum(seen.sum(axis=1), 1)
    return values


def _ends(drawn: Floats) -> Ends:
    low, high = np.quantile(drawn, QUANTILES)
    return Ends(PERCENT * float(low), PERCENT * float(high))


def _fewest(one: Ratios, other: Ratios) -> int:
    """Return the number of clusters of the column that occurs in fewest, at least five."""
    numbers = [(each.sizes > 0).sum(axis=0) for each in (one, other)]
    seen = np.concatenate([number[number > 0] for number in numbers])
    return max(FEWEST_PEOPLE, int(seen.min()))


def _spread(ends: Ends, middle: float, clusters: int) -> Ends:
    """Return the ends moved away from the middle by the factor f, within -100 and 100."""
    farther = stdtrit(clusters - 1.0, QUANTILES[1]) / NORMAL_QUANTILE * sqrt(clusters / (clusters - 1))
    low, high = (middle + farther * (end - middle) for end in (ends.low, ends.high))
    return Ends(max(-PERCENT, float(low)), min(PERCENT, float(high)))


def _by_cluster(values: Floats, clusters: NDArray[np.int64]) -> Floats:
    return np.stack([by_cluster(column, clusters) for column in values.T], axis=1)
