"""Compare two models on a dataset, from what was stored of their answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from dynabench_common.working_folders import working_folder
from dynabench_tasks.configuration.metric_choice import metrics_of
from dynabench_tasks.configuration.task_configuration import TaskConfiguration

from scoring.evaluation.by_metric import differences
from scoring.evaluation.comparison import Comparison, compare, holm
from scoring.evaluation.diagnostics import is_suite
from scoring.evaluation.intervals import PERCENT, numbered
from scoring.evaluation.items import ORIGINAL, Item
from scoring.evaluation.metrics import Answered
from scoring.evaluation.prediction_files import StoredPrediction, answer_of, read_predictions
from scoring.evaluation.resampling import Difference, mean_of, paired_difference
from scoring.service_layer.ports import ObjectStore

MOST_ITEMS = 100
MOST_TAGS = 30


@dataclass(frozen=True)
class Compared:
    """A comparison whole, by metric, by tag, and the items where exactly one is right.

    The items are of so many `contexts`. Where these are fewer than the items, the interval of the whole comparison is
    made by drawing contexts, and McNemar's p, which takes items as independent, may be too small.
    """

    whole: Comparison
    contexts: int
    by_metric: Mapping[str, Difference]
    holm_by_metric: Mapping[str, float]
    both_wrong_alike: int
    by_tag: Mapping[str, Comparison]
    holm_by_tag: Mapping[str, float]
    differing: Sequence[tuple[StoredPrediction, StoredPrediction]]


def compare_models(
    first_key: str, second_key: str, items: Sequence[Item], task: TaskConfiguration, store: ObjectStore
) -> Compared:
    """Return the comparison of two stored lists of predictions on these items. Raises ObjectsUnavailable."""
    first, second = _originals(first_key, store), _originals(second_key, store)
    judged = [item for item in items if item.is_judged]
    pairs = [(first[item.item_id], second[item.item_id]) for item in judged]
    by_tag: dict[str, list[tuple[StoredPrediction, StoredPrediction]]] = {}
    for item, pair in zip(judged, pairs, strict=True):
        for tag in item.tags:
            by_tag.setdefault(tag, []).append(pair)
    most = sorted(by_tag.items(), key=lambda each: (-len(each[1]), each[0]))[:MOST_TAGS]
    tags = {tag: _comparison(found) for tag, found in most}
    whole, contexts = _whole(pairs, judged)
    by_metric = {} if is_suite(items) else _by_metric(pairs, judged, task)
    p_values = {metric: found.p for metric, found in by_metric.items() if found.p is not None}
    return Compared(
        whole,
        contexts,
        by_metric,
        holm(p_values),
        sum(not a.right and not b.right and a.answer == b.answer for a, b in pairs),
        tags,
        holm({tag: found.mcnemar_p for tag, found in tags.items()}),
        [pair for pair in pairs if bool(pair[0].right) != bool(pair[1].right)][:MOST_ITEMS],
    )


def _whole(
    pairs: Sequence[tuple[StoredPrediction, StoredPrediction]], items: Sequence[Item]
) -> tuple[Comparison, int]:
    """Return the comparison of all items, and of how many contexts they are."""
    found, clusters = _comparison(pairs), numbered([item.cluster for item in items])
    contexts = int(clusters.max(initial=-1)) + 1
    if contexts == len(items):
        return found, contexts
    first, second = (np.array([float(bool(pair[place].right)) for pair in pairs]) for place in (0, 1))
    ends = paired_difference(mean_of(first), mean_of(second), clusters).ends
    low, high = (-PERCENT, PERCENT) if ends.reason else (ends.low, ends.high)
    return replace(found, low=min(found.low, low), high=max(found.high, high)), contexts


def _by_metric(
    pairs: Sequence[tuple[StoredPrediction, StoredPrediction]], items: Sequence[Item], task: TaskConfiguration
) -> Mapping[str, Difference]:
    kind = task.claimed_field.type_name
    clusters = numbered([item.cluster for item in items])
    first, second = (
        Answered(items, [answer_of(pair[place], kind) for pair in pairs], (), clusters, task.labels)
        for place in (0, 1)
    )
    return differences(first, second, metrics_of(kind))


def _comparison(pairs: Sequence[tuple[StoredPrediction, StoredPrediction]]) -> Comparison:
    agree = sum(first.answer == second.answer for first, second in pairs)
    return compare([(bool(first.right), bool(second.right)) for first, second in pairs], agree)


def _originals(key: str, store: ObjectStore) -> Mapping[str, StoredPrediction]:
    with working_folder() as folder:
        store.fetch(key, folder / "predictions")
        found = read_predictions(folder / "predictions")
        return {each.item_id: each for each in found if each.rule == ORIGINAL}
