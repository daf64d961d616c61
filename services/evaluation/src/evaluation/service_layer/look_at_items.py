"""Look at single items of a dataset: samples with their variants, what models answer, labels that may be wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.adapters.prediction_files import StoredPrediction
from evaluation.domain.errors import EvaluationRefused, ItemUnknown
from evaluation.domain.evaluations import ScoredDataset
from evaluation.domain.items import ORIGINAL, Item, Request
from evaluation.domain.suspects import Suspects, suspects
from evaluation.domain.variants import chance
from evaluation.service_layer.dependencies import HttpDependencies

SAMPLED_REQUESTS = 20_480
"""Samples are drawn from the items to which the first requests of a dataset belong: none of it is read further."""


@dataclass(frozen=True)
class Sample:
    """An item with the variants that are made of it."""

    item: Item
    variants: Sequence[Request]


def hidden_items(dataset: ScoredDataset, app: HttpDependencies) -> frozenset[str]:
    """Return the ids of items that were hidden since the dataset was released."""
    return frozenset() if dataset.round_id is None else app.tasks.hidden_in(dataset.round_id)


def samples(dataset: ScoredDataset, number: int, seed: int, app: HttpDependencies) -> Sequence[Sample]:
    """Return items that have variants, in the dataset's order; the same seed draws the same ones.

    Raises EvaluationRefused, ObjectsUnavailable.
    """
    ensure_ready(dataset)
    kinds = app.files.first_kinds(dataset, SAMPLED_REQUESTS)
    begins: dict[int, int] = {}
    counts: dict[int, int] = {}
    for place, (item, rule) in enumerate(kinds):
        if rule == ORIGINAL:
            begins[item] = place
        else:
            counts[item] = counts.get(item, 0) + 1
    if len(kinds) == SAMPLED_REQUESTS:
        counts.pop(kinds[-1][0], None)
    having = sorted(counts)
    drawn = sorted(chance(f"samples:{seed}").sample(having, min(number, len(having))))
    items = app.files.first_items(dataset, drawn[-1] + 1) if drawn else ()
    hidden = hidden_items(dataset, app)
    return [
        Sample(items[each], app.files.requests(dataset, begins[each] + 1, counts[each]))
        for each in drawn
        if items[each].item_id not in hidden
    ]


def answered_item(
    dataset: ScoredDataset, item_id: str, keys: Mapping[str, str], app: HttpDependencies
) -> tuple[Item, Mapping[str, StoredPrediction]]:
    """Return an item, and its answers by name; `keys` maps each name to stored predictions.

    Raises EvaluationRefused, ItemUnknown, ObjectsUnavailable.
    """
    ensure_ready(dataset)
    item = app.files.item(dataset, item_id)
    if item is None or item.item_id in hidden_items(dataset, app):
        raise ItemUnknown
    found = {name: app.predictions.prediction(key, item_id) for name, key in keys.items()}
    return item, {name: each for name, each in found.items() if each is not None}


def suspect_labels(
    dataset: ScoredDataset, keys: Sequence[str], app: HttpDependencies
) -> tuple[Suspects | None, Mapping[int, Item]]:
    """Return the suspects among the items, and those items by place; None where too few models were scored.

    Raises EvaluationRefused, ObjectsUnavailable.
    """
    ensure_ready(dataset)
    found = suspects([app.predictions.right(key) for key in keys])
    if found is None or not found.items:
        return found, {}
    last = max(each.place for each in found.items)
    items = app.files.first_items(dataset, last + 1)
    return found, {each.place: items[each.place] for each in found.items}


def ensure_ready(dataset: ScoredDataset) -> None:
    """Raise EvaluationRefused for a dataset that models can't be scored on yet."""
    if dataset.state != "ready":
        raise EvaluationRefused(
            "dataset-not-ready",
            "dataset_id",
            "The dataset is still being prepared.",
            "Try again in a moment.",
        )
