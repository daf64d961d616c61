"""Robustness metrics: answers that stay the same when a text changes and its meaning does not."""

from functools import partial

import numpy as np
from dynabench_tasks.token_f1 import token_f1
from dynabench_tasks.values import Value, to_text

from evaluation.domain.intervals import PERCENT, Ends, by_cluster, influence_interval
from evaluation.domain.metrics import ITEM_METRICS, Answered, ItemMetric, Measured, MetricCard
from evaluation.domain.metrics.token_overlap import text_of
from evaluation.domain.variants import FAIRNESS, ROBUSTNESS

NOTHING_RIGHT = "no interval: no item with a variant was answered right, so 0 is not measured"
TRAPS = (
    "Says nothing about a model that gives nearly always the same answer. Such a model is marked. A model without "
    "a right answer on items with variants has 0, over no items."
)
SOURCE = "Ma et al., Dynaboard, 2021; the rules that make variants are this platform's own."
CARDS = {
    FAIRNESS: MetricCard(
        "Of the items answered right that have a variant with other genders or names: the mean share of variants "
        "answered the same. For parts of texts the token F1 of both answers.",
        "0 to 100 %, higher is better",
        TRAPS,
        SOURCE,
    ),
    ROBUSTNESS: MetricCard(
        "Of the items answered right that have a variant with slips of typing or another writing: the mean share of "
        "variants answered the same. For parts of texts the token F1 of both answers.",
        "0 to 100 %, higher is better",
        TRAPS,
        SOURCE,
    ),
}


def measure(answered: Answered, kind: str) -> Measured | None:
    """Return the mean share of unchanged answers over items that were answered right; None without variants.

    Only the dataset decides whether there are variants, so it measures the metric of every model or of none. A model
    without a right answer to an item with a variant has 0 over no items, without an interval. One right answer can
    only raise that value.
    """
    right = answered.right() if not _are_spans(answered) else _nearly_right(answered)
    shares: dict[int, list[float]] = {}
    for variant in answered.variants:
        if variant.kind == kind and right[variant.item]:
            original = answered.answers[variant.item]
            shares.setdefault(variant.item, []).append(_sameness(original, variant.answer))
    if not any(variant.kind == kind for variant in answered.variants):
        return None
    if not shares:
        return Measured(
            0.0, 0, Ends(reason=NOTHING_RIGHT), by_cluster(np.zeros(len(right)), answered.clusters)
        )
    counts, sums = np.zeros(len(answered.items)), np.zeros(len(answered.items))
    for item, found in shares.items():
        counts[item], sums[item] = 1.0, float(np.mean(found))
    mean = float(sums.sum() / counts.sum())
    influences = by_cluster((sums - mean * counts) / counts.sum(), answered.clusters)
    concerned = by_cluster(counts, answered.clusters) > 0
    ends = influence_interval(mean, influences[concerned])
    return Measured(PERCENT * mean, int(counts.sum()), ends, influences)


def _are_spans(answered: Answered) -> bool:
    return any(isinstance(gold, dict) for item in answered.items for gold in item.golds[:1])


def _nearly_right(answered: Answered) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return 1 for items whose answer is a gold's text; its place in the passage does not count."""
    texts = [{text_of(gold) for gold in item.golds} for item in answered.items]
    return np.array(
        [
            float(answer is not None and text_of(answer) in known)
            for answer, known in zip(answered.answers, texts, strict=True)
        ]
    )


def _sameness(original: Value | None, variant: Value | None) -> float:
    if original is None or variant is None:
        return 0.0
    if isinstance(original, dict):
        return token_f1(text_of(variant), text_of(original))
    return float(to_text(original) == to_text(variant))


for _kind, _card in CARDS.items():
    ITEM_METRICS.register(_kind)(ItemMetric(_kind, _card, partial(measure, kind=_kind)))
