"""Compare two models on a dataset, from what was stored of their answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.evaluation.comparison import Comparison, compare, holm
from scoring.evaluation.items import ORIGINAL, Item
from scoring.evaluation.prediction_files import StoredPrediction, read_predictions
from scoring.service_layer.ports import ObjectStore
from scoring.service_layer.working_folder import working_folder

MOST_ITEMS = 100
MOST_TAGS = 30


@dataclass(frozen=True)
class Compared:
    """A comparison whole, by tag, and the items where exactly one is right."""

    whole: Comparison
    both_wrong_alike: int
    by_tag: Mapping[str, Comparison]
    holm_by_tag: Mapping[str, float]
    differing: Sequence[tuple[StoredPrediction, StoredPrediction]]


def compare_models(first_key: str, second_key: str, items: Sequence[Item], store: ObjectStore) -> Compared:
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
    return Compared(
        _comparison(pairs),
        sum(not a.right and not b.right and a.answer == b.answer for a, b in pairs),
        tags,
        holm({tag: found.mcnemar_p for tag, found in tags.items()}),
        [pair for pair in pairs if bool(pair[0].right) != bool(pair[1].right)][:MOST_ITEMS],
    )


def _comparison(pairs: Sequence[tuple[StoredPrediction, StoredPrediction]]) -> Comparison:
    agree = sum(first.answer == second.answer for first, second in pairs)
    return compare([(bool(first.right), bool(second.right)) for first, second in pairs], agree)


def _originals(key: str, store: ObjectStore) -> Mapping[str, StoredPrediction]:
    with working_folder() as folder:
        store.fetch(key, folder / "predictions")
        found = read_predictions(folder / "predictions")
        return {each.item_id: each for each in found if each.rule == ORIGINAL}
