"""Compare two models on a dataset, from their stored answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

import numpy as np
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.metrics import METRICS
from numpy.typing import NDArray

from evaluation.adapters.prediction_files import StoredPrediction, answer_of
from evaluation.domain.comparison import Comparison, compare, differences, holm
from evaluation.domain.diagnostics import is_suite
from evaluation.domain.evaluations import ScoredDataset
from evaluation.domain.intervals import numbered
from evaluation.domain.items import Item
from evaluation.domain.metrics import Answered
from evaluation.domain.resampling import Difference
from evaluation.service_layer.dependencies import HttpDependencies
from evaluation.service_layer.look_at_items import ensure_ready, hidden_items

MOST_ITEMS = 100
MOST_TAGS = 30


@dataclass(frozen=True)
class Compared:
    """A comparison whole, by metric, by tag, and the items where exactly one is right, without hidden ones.

    `undefined` says why other metrics of the task have no value.
    """

    whole: Comparison
    by_metric: Mapping[str, Difference]
    undefined: Mapping[str, str]
    holm_by_metric: Mapping[str, float]
    both_wrong_alike: int
    by_tag: Mapping[str, Comparison]
    holm_by_tag: Mapping[str, float]
    differing: Sequence[tuple[StoredPrediction, StoredPrediction]]


class Right(StrEnum):
    """The model that answers an item right, where two models differ."""

    FIRST = "first"
    SECOND = "second"
    NEITHER = "neither"


@dataclass(frozen=True)
class WantedItems:
    """The wanted items on which two models differ; `offset` counts only them."""

    right: Right | None
    label: str | None
    limit: int
    offset: int

    def has(self, item: Item, right: Right | None) -> bool:
        """Return whether an item on which this model is right is one of them."""
        is_labelled = self.label is None or any(
            self.label == gold or (isinstance(gold, list | tuple) and self.label in gold)
            for gold in item.golds
        )
        return right is not None and self.right in (None, right) and is_labelled


@dataclass(frozen=True)
class ComparedItem:
    """An item with the answers of both models."""

    item: Item
    first: StoredPrediction
    second: StoredPrediction


def compared_items(
    dataset: ScoredDataset, first_key: str, second_key: str, wanted: WantedItems, app: HttpDependencies
) -> tuple[int, Sequence[ComparedItem]]:
    """Return the number of all wanted items on which two models differ, and those of one page.

    Raises EvaluationRefused, ObjectsUnavailable.
    """
    ensure_ready(dataset)
    first, second = app.predictions.originals(first_key), app.predictions.originals(second_key)
    hidden = hidden_items(dataset, app)
    number, page = 0, []
    for item in app.files.items(dataset):
        if not item.is_judged or item.item_id in hidden:
            continue
        answers = first[item.item_id], second[item.item_id]
        if wanted.has(item, who_is_right(*answers)):
            if wanted.offset <= number < wanted.offset + wanted.limit:
                page.append(ComparedItem(item, *answers))
            number += 1
    return number, page


def who_is_right(first: StoredPrediction, second: StoredPrediction) -> Right | None:
    """Return which of two answers to an item is right; None if both are, or both are the same wrong one."""
    if bool(first.right) != bool(second.right):
        return Right.FIRST if first.right else Right.SECOND
    return None if first.right or first.answer == second.answer else Right.NEITHER


def compare_models(dataset_id: UUID, first_key: str, second_key: str, app: HttpDependencies) -> Compared:
    """Return the comparison of two stored lists of predictions on the items of a dataset.

    Raises DatasetUnknown, ObjectsUnavailable.
    """
    with app.unit_of_work() as uow:
        dataset = uow.datasets.get(dataset_id)
    items, task = app.files.items(dataset), app.tasks.of_task(dataset.task_slug)
    first, second = app.predictions.originals(first_key), app.predictions.originals(second_key)
    hidden = hidden_items(dataset, app)
    judged = [item for item in items if item.is_judged]
    pairs = [(first[item.item_id], second[item.item_id]) for item in judged]
    by_tag: dict[str, list[tuple[StoredPrediction, StoredPrediction]]] = {}
    for item, pair in zip(judged, pairs, strict=True):
        for tag in item.tags:
            by_tag.setdefault(tag, []).append(pair)
    most = sorted(by_tag.items(), key=lambda each: (-len(each[1]), each[0]))[:MOST_TAGS]
    tags = {tag: _comparison(found) for tag, found in most}
    clusters = numbered([item.cluster for item in judged])
    names = () if is_suite(items) else task.performance_metrics
    by_metric = _by_metric(pairs, judged, clusters, task, names)
    p_values = {metric: found.p for metric, found in by_metric.items() if found.p is not None}
    return Compared(
        _comparison(pairs, clusters),
        by_metric,
        {name: METRICS[name].undefined_reason for name in names if name not in by_metric},
        holm(p_values),
        sum(not a.right and not b.right and a.answer == b.answer for a, b in pairs),
        tags,
        holm({tag: found.mcnemar_p for tag, found in tags.items()}),
        [
            pair
            for pair in pairs
            if bool(pair[0].right) != bool(pair[1].right) and pair[0].item_id not in hidden
        ][:MOST_ITEMS],
    )


def _by_metric(
    pairs: Sequence[tuple[StoredPrediction, StoredPrediction]],
    items: Sequence[Item],
    clusters: NDArray[np.int64],
    task: TaskConfiguration,
    names: Sequence[str],
) -> Mapping[str, Difference]:
    kind = task.claimed_field.type_name
    first, second = (
        Answered(
            items, [answer_of(pair[place], kind) for pair in pairs], (), clusters, task.labels, task.languages
        )
        for place in (0, 1)
    )
    return differences(first, second, names)


def _comparison(
    pairs: Sequence[tuple[StoredPrediction, StoredPrediction]], clusters: NDArray[np.int64] | None = None
) -> Comparison:
    agree = sum(first.answer == second.answer for first, second in pairs)
    return compare([(bool(first.right), bool(second.right)) for first, second in pairs], agree, clusters)
