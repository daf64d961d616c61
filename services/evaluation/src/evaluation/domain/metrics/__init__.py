"""Metrics of models on items. Each module here registers its metrics; to add one, add a module.

A metric takes a model's answers. It returns its value in percent, an interval, and the influence of each item. The
influence is roughly how far the value, as a share, would move without the item. Increase `VERSION` when a metric's
values or intervals change, or when a metric is added.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pkgutil import extend_path
from typing import NamedTuple

import numpy as np
from dynabench_tasks.registry import Registry, import_modules_of
from dynabench_tasks.values import Value, to_text
from numpy.typing import NDArray

from evaluation.domain.intervals import PERCENT, Ends, Floats, by_cluster, influence_interval
from evaluation.domain.items import Item
from evaluation.domain.resampling import Ratios

VERSION = 4


class VariantAnswer(NamedTuple):
    """Answer to a variant, None without a usable one; `kind` is fairness or robustness."""

    item: int
    kind: str
    rule: str
    answer: Value | None


@dataclass(frozen=True)
class Answered:
    """A model's answers to all items, None where there is none that can be used, and to their variants.

    `clusters` holds the number of each item's cluster, from 0. `labels` are the task's, in its order, and `languages`
    its language tags.
    """

    items: Sequence[Item]
    answers: Sequence[Value | None]
    variants: Sequence[VariantAnswer]
    clusters: NDArray[np.int64]
    labels: Sequence[str]
    languages: tuple[str, ...] = ()

    def answer_texts(self) -> list[str | None]:
        """Return the answers as value texts."""
        return [None if answer is None else to_text(answer) for answer in self.answers]

    def right(self) -> Floats:
        """Return 1 for each item whose answer is one of its golds, else 0."""
        golds = [{to_text(gold) for gold in item.golds} for item in self.items]
        return np.array(
            [float(text in known) for text, known in zip(self.answer_texts(), golds, strict=True)],
            dtype=np.float64,
        )


@dataclass(frozen=True)
class Measured:
    """A metric's value in percent over `n`, its interval, and the influence of each cluster as a share."""

    value: float
    n: int
    ends: Ends
    influences: Floats


@dataclass(frozen=True)
class MetricCard:
    """Description of a metric, for people who read its values."""

    definition: str
    range: str
    traps: str
    source: str


@dataclass(frozen=True)
class ItemMetric:
    """A metric over items; None from `measure` where it is not defined, as the share of nothing.

    `ratios` gives what two models are compared by; a metric without it is not compared.
    """

    name: str
    card: MetricCard
    measure: Callable[[Answered], Measured | None]
    ratios: Callable[[Answered], Ratios | None] | None = None


ITEM_METRICS: Registry[ItemMetric] = Registry()


def mean_of_items(scores: Floats, answered: Answered) -> Measured:
    """Return the mean of a score, 0 to 1, of each item."""
    mean = float(scores.mean())
    influences = by_cluster((scores - mean) / len(scores), answered.clusters)
    return Measured(PERCENT * mean, len(scores), influence_interval(mean, influences), influences)


def metrics_of(names: Sequence[str], answered: Answered) -> Mapping[str, Measured]:
    """Return the values of these metrics, of those that are defined."""
    found = {name: ITEM_METRICS[name].measure(answered) for name in names if name in ITEM_METRICS}
    return {name: measured for name, measured in found.items() if measured is not None}


__path__ = extend_path(__path__, __name__)
import_modules_of(__name__, __path__)
