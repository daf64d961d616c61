"""The mean F1 over labels."""

import numpy as np
from dynabench_tasks.values import Value

from scoring.evaluation.intervals import PERCENT, Floats, by_cluster, influence_interval
from scoring.evaluation.metrics import ITEM_METRICS, Answered, ItemMetric, Measured, MetricCard

CARD = MetricCard(
    "For each label the F1 of finding its items, 2 TP / (2 TP + FP + FN); the mean over all labels that stand in golds "
    "or answers.",
    "0 to 100 %, higher is better",
    "Undefined where all golds are one label. A rare label weighs as much as a common one.",
    "Opitz and Burst, 2019 (mean of F1); interval from the linearised means of each label.",
)


def measure(answered: Answered) -> Measured | None:
    """Return the mean F1; None where all golds are one label. The first gold stands where several do."""
    golds = [_labels(item.golds[0]) for item in answered.items]
    answers = [_labels(answer) for answer in answered.answers]
    if len({label for gold in golds for label in gold}) < 2:
        return None
    seen = [label for label in answered.labels if any(label in one for one in (*golds, *answers))]
    influences = np.zeros(len(golds))
    values = []
    for label in seen:
        value, moved = _of_label(label, golds, answers)
        values.append(value)
        influences += moved / len(seen)
    mean = float(np.mean(values))
    summed = by_cluster(influences, answered.clusters)
    return Measured(PERCENT * mean, len(golds), influence_interval(mean, summed), summed)


def _of_label(label: str, golds: list[frozenset[str]], answers: list[frozenset[str]]) -> tuple[float, Floats]:
    """Return the label's F1, and the influence of each item on it."""
    gold = np.array([label in one for one in golds], dtype=np.float64)
    answer = np.array([label in one for one in answers], dtype=np.float64)
    hits, sums = 2 * gold * answer, gold + answer
    value = float(hits.sum() / sums.sum())
    influence: Floats = (hits - value * sums) / sums.sum()
    return value, influence


def _labels(value: Value | None) -> frozenset[str]:
    if value is None:
        return frozenset()
    return frozenset((value,)) if isinstance(value, str) else frozenset(map(str, value))


ITEM_METRICS.register("macro_f1")(ItemMetric("macro_f1", CARD, measure))
