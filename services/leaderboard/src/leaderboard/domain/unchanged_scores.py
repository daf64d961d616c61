"""Scores of a task that did not change in one revision, so that the next board recomputes only the others.

An unchanged score is the same object in both revisions, so no value is compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from leaderboard.domain.model_facts import ScoredDataset, TaskScores

Places: TypeAlias = NDArray[np.intp]
NEW = -1


@dataclass(frozen=True)
class Unchanged:
    """Comparison with the previous revision, by model: its previous row, and whether each score is unchanged.

    The row is NEW if the model had none. `datasets` gives the previous position of each dataset, None if a score on it
    was added, changed or removed.
    """

    rows: Places
    is_same: Sequence[bool]
    datasets: Sequence[int | None]

    @classmethod
    def between(
        cls,
        facts: TaskScores,
        datasets: Sequence[ScoredDataset],
        before: TaskScores,
        datasets_before: Sequence[ScoredDataset],
    ) -> "Unchanged":
        """Compare a revision with the one before."""
        place_of = {model.name: place for place, model in enumerate(before.models)}
        changed: set[str] = set()
        rows, is_same = [], []
        for model in facts.models:
            row = place_of.pop(model.name, NEW)
            old = {} if row == NEW else before.models[row].scores
            others = {name for name in (*model.scores, *old) if model.scores.get(name) is not old.get(name)}
            rows.append(row)
            is_same.append(row != NEW and not others)
            changed |= others
        for row in place_of.values():
            changed |= set(before.models[row].scores)
        known = {each: place for place, each in enumerate(datasets_before)}
        kept = [None if each.name in changed else known.get(each) for each in datasets]
        return cls(np.array(rows, dtype=np.intp), is_same, kept)
