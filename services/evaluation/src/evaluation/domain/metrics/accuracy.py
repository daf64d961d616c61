"""The share of items answered right."""

from dataclasses import replace

from evaluation.domain.intervals import share_interval
from evaluation.domain.metrics import ITEM_METRICS, Answered, ItemMetric, Measured, MetricCard, mean_of_items
from evaluation.domain.resampling import Ratios, mean_of

CARD = MetricCard(
    "The share of items whose answer is one of the golds. A set of labels must be met exactly.",
    "0 to 100 %, higher is better",
    "Where one label is common, always answering it scores high: look at macro F1 beside it.",
    "Share of right answers; intervals: Wilson 1927, or by contexts where items share them.",
)


def measure(answered: Answered) -> Measured | None:
    """Return the share of right answers; an item without a usable answer is wrong."""
    if not answered.items:
        return None
    right = answered.right()
    return replace(mean_of_items(right, answered), ends=share_interval(right, answered.clusters))


def ratios(answered: Answered) -> Ratios | None:
    """Return the share of right answers as ratios."""
    return mean_of(answered.right()) if answered.items else None


ITEM_METRICS.register("accuracy")(ItemMetric("accuracy", CARD, measure, ratios))
