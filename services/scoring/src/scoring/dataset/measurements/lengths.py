"""Lengths of the texts of each field, in words and in characters (Unicode code points).

Exact; memory: a count for each length that occurs.
"""

from collections import Counter, defaultdict
from typing import Any

from scoring.dataset.measurements.distribution import spread
from scoring.dataset.measurements.reading import Batch


class Lengths:
    """Counts the lengths of texts; a blank text has none."""

    def __init__(self) -> None:
        self._words: defaultdict[str, Counter[int]] = defaultdict(Counter)
        self._characters: defaultdict[str, Counter[int]] = defaultdict(Counter)

    def add(self, batch: Batch) -> None:
        """Count some more rows."""
        for reading in batch.readings:
            for texts, fields in ((reading.row.context, reading.context), (reading.row.input, reading.input)):
                for name, words in fields.items():
                    self._words[name][len(words)] += 1
                    self._characters[name][len(texts[name])] += 1

    def as_json(self) -> dict[str, Any]:
        """Return the spread of each field."""
        return {
            name: {"words": spread(self._words[name]), "characters": spread(self._characters[name])}
            for name in self._words
        }
