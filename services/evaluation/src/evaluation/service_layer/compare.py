"""Compare two models on a dataset, from what was stored of their answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from dynabench_common.working_folders import working_folder
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.metrics import METRICS
from numpy.typing import NDArray

from evaluation.adapters.prediction_files import StoredPrediction, answer_of, read_predictions
from evaluation.domain.comparison import Comparison, compare, differences, holm
from evaluation.domain.diagnostics import is_suite
from evaluation.domain.intervals import numbered
from evaluation.domain.items import ORIGINAL, Item
from evaluation.domain.metrics import Answered
from evaluation.domain.resampling import Difference
from evaluation.service_layer.dependencies import Dependencies, HttpDependencies

MOST_ITEMS = 100
MOST_TAGS = 30


@dataclass(frozen=True)
class Compared:
    """A comparison whole, by metric, by tag, and the items where exactly one is right.

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


def compare_models(dataset_id: UUID, first_key: str, second_key: str, app: HttpDependencies) -> Compared:
    """Return the comparison of two stored lists of predictions on the items of a dataset.

    Raises DatasetUnknown, ObjectsUnavailable.
    """
    with app.unit_of_work() as uow:
        dataset = uow.datasets.get(dataset_id)
    items, task = app.files.items(dataset), app.tasks.of_task(dataset.task_slug)
    first, second = _originals(first_key, app), _originals(second_key, app)
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
        [pair for pair in pairs if bool(pair[0].right) != bool(pair[1].right)][:MOST_ITEMS],
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


def _originals(key: str, app: Dependencies) -> Mapping[str, StoredPrediction]:
    with working_folder() as folder:
        app.store.fetch(key, folder / "predictions")
        found = read_predictions(folder / "predictions")
        return {each.item_id: each for each in found if each.rule == ORIGINAL}
