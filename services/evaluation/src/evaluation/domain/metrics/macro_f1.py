"""The mean F1 over labels.

Its interval joins three, because each alone misses where the others hold (0002-intervals-of-macro-f1.md): the
linearised one of `intervals`; one made of each label's own (G. Y. Zou and A. Donner, "Construction of confidence
limits about effect measures", 2008), where a label's F1 is 2 J / (1 + J) and J, the share of right items among those
with the label in gold or answer, has Wilson's interval; and, where a label has fewer than five golds, that of samples
drawn anew.
"""

from dataclasses import replace

import numpy as np
from dynabench_tasks.statistics.intervals import NORMAL_QUANTILE, wilson_bounds
from dynabench_tasks.values import Value

from evaluation.domain.intervals import PERCENT, Ends, Floats, by_cluster, influence_interval
from evaluation.domain.metrics import ITEM_METRICS, Answered, ItemMetric, Measured, MetricCard
from evaluation.domain.resampling import Ratios, resampled_ends

FEW_GOLDS = 5
DRAWS = 400
CARD = MetricCard(
    "For each label the F1 of finding its items, 2 TP / (2 TP + FP + FN); the mean over all labels that stand in golds "
    "or answers.",
    "0 to 100 %, higher is better",
    "Undefined where all golds are one label. A rare label weighs as much as a common one: with fewer than five golds "
    "of a label the interval is wide, and comparisons are careful.",
    "Opitz and Burst, 2019 (mean of F1); interval from linearised means, each label's own, and samples drawn anew "
    "where golds are few.",
)


def ratios(answered: Answered) -> Ratios | None:
    """Return hits 2 TP and sizes 2 TP + FP + FN of each item and each label; None where all golds are one label."""
    golds, answers = _marked(answered)
    return Ratios(2 * golds * answers, golds + answers) if _are_several(golds) else None


def measure(answered: Answered) -> Measured | None:
    """Return the mean F1 over labels that stand in golds or answers; None where all golds are one label."""
    golds, answers = _marked(answered)
    if not _are_several(golds):
        return None
    seen = (golds + answers).sum(axis=0) > 0
    golds, answers = golds[:, seen], answers[:, seen]
    parts = Ratios(2 * golds * answers, golds + answers)
    sizes = parts.sizes.sum(axis=0)
    values = parts.hits.sum(axis=0) / sizes
    mean = float(values.mean())
    influences: Floats = ((parts.hits - values * parts.sizes) / sizes).mean(axis=1)
    summed = by_cluster(influences, answered.clusters)
    measured = Measured(PERCENT * mean, len(influences), influence_interval(mean, summed), summed)
    if measured.ends.reason:
        return measured
    joined = _joined(measured.ends, _label_by_label(parts, values, _worth(influences, summed)))
    counts = golds.sum(axis=0)
    if counts[counts > 0].min() >= FEW_GOLDS:
        return replace(measured, ends=joined)
    joined = _joined(joined, resampled_ends(parts, answered.clusters, DRAWS))
    return replace(measured, ends=joined, influences=summed * _stretch(measured.ends, joined))


def _are_several(golds: Floats) -> bool:
    return bool((golds.sum(axis=0) > 0).sum() > 1)


def _label_by_label(parts: Ratios, values: Floats, worth: float) -> Ends:
    """Return the interval of a mean of F1s from each label's own; `worth` is how many items one counts for."""
    right = parts.hits.sum(axis=0) / 2
    concerned = parts.sizes.sum(axis=0) - right
    bounds = wilson_bounds(right / concerned, concerned * worth, np.float64(NORMAL_QUANTILE))
    low, high = (2 * bound / (1 + bound) for bound in bounds)
    mean, labels = float(values.mean()), len(values)
    below = float(np.sqrt(np.square(values - low).sum())) / labels
    above = float(np.sqrt(np.square(high - values).sum())) / labels
    return Ends(PERCENT * max(0.0, mean - below), PERCENT * min(1.0, mean + above))


def _worth(influences: Floats, summed: Floats) -> float:
    """Return how many independent items one item is worth, at most 1: less where items of a context go together."""
    together = float(np.square(summed).sum())
    return min(1.0, float(np.square(influences).sum()) / together) if together > 0 else 1.0


def _joined(one: Ends, other: Ends) -> Ends:
    return Ends(min(one.low, other.low), max(one.high, other.high))


def _stretch(linear: Ends, joined: Ends) -> float:
    """Return how much wider the joined interval is than the linear one, for boards reckon with influences alone."""
    return (joined.high - joined.low) / (linear.high - linear.low) if linear.high > linear.low else 1.0


def _marked(answered: Answered) -> tuple[Floats, Floats]:
    """Return 1 for each item and label that is its gold, the first where it has several; and that is answered."""
    golds = [_labels(item.golds[0]) for item in answered.items]
    answers = [_labels(answer) for answer in answered.answers]
    golds_marked, answers_marked = (
        np.array([[label in one for label in answered.labels] for one in each], dtype=np.float64).reshape(
            len(each), len(answered.labels)
        )
        for each in (golds, answers)
    )
    return golds_marked, answers_marked


def _labels(value: Value | None) -> frozenset[str]:
    if value is None:
        return frozenset()
    return frozenset((value,)) if isinstance(value, str) else frozenset(map(str, value))


ITEM_METRICS.register("macro_f1")(ItemMetric("macro_f1", CARD, measure, ratios))
