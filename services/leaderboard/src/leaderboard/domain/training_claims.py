"""Comparison of a model card's training data with the datasets of a board."""

import re
from collections.abc import Iterable

from leaderboard.domain.model_facts import RankedModel, ScoredDataset

CLAIM = re.compile(
    r"(?P<name>[^\s,:@]+) ?(?:(?:, ?version ?|@)(?P<version>\d{1,9}))?(?: ?: ?(?P<split>[\w-]+))?",
    re.IGNORECASE,
)
HELD_BACK = ("train", "dev")
"""Splits of a released round that nobody is scored on."""


def names(claims: Iterable[str], dataset: ScoredDataset) -> bool:
    """Return whether one of the claims names the items that a dataset is scored on.

    A claim is `NAME`, `NAME, version N` or `NAME@N`, with `: SPLIT` behind it where only a part was trained on. Of a
    released round the train and dev splits are not scored on; of other sets every part counts.
    """
    for claim in claims:
        found = CLAIM.fullmatch(" ".join(claim.split()))
        if found is None or found["name"].casefold() != dataset.name.casefold():
            continue
        if found["version"] is not None and int(found["version"]) != dataset.version:
            continue
        if dataset.round_number and (found["split"] or "").casefold() in HELD_BACK:
            continue
        return True
    return False


def was_trained_on(model: RankedModel, dataset: ScoredDataset) -> bool:
    """Return whether a model's card states training on the data of this dataset."""
    return names(model.trained_on, dataset)
