"""Frequency of each label, as gold and as the author's claim. Memory: a count for each label."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from scoring.dataset.measurements.reading import Batch, labels_of


class LabelBalance:
    """Counts labels; those of the task stand in it even if no example has them.

    A row of several labels counts for each. Answers that are no labels, such as spans, are not counted.
    """

    def __init__(self, labels: Iterable[str]) -> None:
        self._gold: Counter[str] = Counter(dict.fromkeys(labels, 0))
        self._claimed = Counter(self._gold)

    def add(self, batch: Batch) -> None:
        """Count some more rows."""
        for reading in batch.readings:
            if not reading.labels:
                continue
            for label in reading.labels if reading.row.golds else ():
                self._gold[label] += 1
            for label in labels_of(reading.row.claimed):
                self._claimed[label] += 1

    def as_json(self) -> dict[str, Any]:
        """Return the counts by label."""
        return {"gold": dict(sorted(self._gold.items())), "claimed": dict(sorted(self._claimed.items()))}
