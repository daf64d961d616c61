"""Comparison of two models on the same items: where only one is right, and whether that may be chance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from dynabench_tasks.statistics.intervals import NORMAL_QUANTILE
from numpy.typing import NDArray
from scipy.stats import binomtest

from evaluation.domain.intervals import PERCENT
from evaluation.domain.metrics import ITEM_METRICS, Answered
from evaluation.domain.resampling import Difference, mean_of, paired_difference


@dataclass(frozen=True)
class Comparison:
    """Counts of items by which of two models is right; `agree` counts equal answers.

    `difference` is accuracy of the first less that of the second, in percent, with its 95 % interval; the items are of
    so many `contexts`. `items_to_lose` is how many items would have to change for the leader to lose its place.
    """

    n: int
    both: int
    only_first: int
    only_second: int
    neither: int
    agree: int
    mcnemar_p: float
    difference: float
    low: float
    high: float
    contexts: int

    @property
    def items_to_lose(self) -> int:
        """Return n10 - n01 of the leader."""
        return abs(self.only_first - self.only_second)


def compare(
    pairs: Sequence[tuple[bool, bool]], agree: int, clusters: NDArray[np.int64] | None = None
) -> Comparison:
    """Return the comparison; a pair tells whether the first and the second model are right.

    `clusters` are the numbers of the items' contexts; without them every item has a context of its own.

    p is McNemar's, exact: two-sided binomial on the items where exactly one is right (Q. McNemar, 1947). The interval
    is that of a difference of paired shares (Agresti and Min, 2005: Wald's with half an item added to each of the four
    counts), which keeps its coverage where few items differ. Where items share contexts, it is the hull of that one and
    of the one by drawing contexts (`resampling`), which alone has no width where no item differs; of fewer than five
    contexts it is the whole scale. McNemar's p takes items for independent, so there it may be too small.
    """
    n = len(pairs)
    both = sum(first and second for first, second in pairs)
    only_first = sum(first and not second for first, second in pairs)
    only_second = sum(second and not first for first, second in pairs)
    differing = only_first + only_second
    p = float(binomtest(only_first, differing).pvalue) if differing else 1.0
    low, high = _interval(only_first, only_second, n)
    contexts = n if clusters is None else int(clusters.max(initial=-1)) + 1
    if clusters is not None and contexts < n:
        first, second = (np.array([float(pair[place]) for pair in pairs]) for place in (0, 1))
        ends = paired_difference(mean_of(first), mean_of(second), clusters).ends
        drawn = (-PERCENT, PERCENT) if ends.reason else (ends.low, ends.high)
        low, high = min(low, drawn[0]), max(high, drawn[1])
    return Comparison(
        n,
        both,
        only_first,
        only_second,
        n - both - differing,
        agree,
        p,
        PERCENT * (only_first - only_second) / n if n else 0.0,
        low,
        high,
        contexts,
    )


def _interval(only_first: int, only_second: int, n: int) -> tuple[float, float]:
    b, c, total = only_first + 0.5, only_second + 0.5, n + 2.0
    difference = (b - c) / total
    reach = NORMAL_QUANTILE * sqrt((b + c) - (b - c) ** 2 / total) / total
    return max(-PERCENT, PERCENT * (difference - reach)), min(PERCENT, PERCENT * (difference + reach))


def holm(p_values: Mapping[str, float]) -> Mapping[str, float]:
    """Return p-values adjusted for being looked at together (S. Holm, 1979)."""
    adjusted: dict[str, float] = {}
    largest = 0.0
    for rank, (name, p) in enumerate(sorted(p_values.items(), key=lambda pair: pair[1])):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p))
        adjusted[name] = largest
    return adjusted


def differences(first: Answered, second: Answered, names: Sequence[str]) -> Mapping[str, Difference]:
    """Return the difference in each of these metrics that is defined for both, the items being the same."""
    found: dict[str, Difference] = {}
    for name in names:
        ratios = ITEM_METRICS[name].ratios if name in ITEM_METRICS else None
        if ratios is None:
            continue
        one, other = ratios(first), ratios(second)
        if one is not None and other is not None:
            found[name] = paired_difference(one, other, first.clusters)
    return found
