"""Number of different words by author, and its growth with more examples (the curve of Heaps' law).

Exact. Memory: as in `tally`, for any number of different words.
"""

from array import array
from itertools import pairwise
from typing import Any

import numpy as np

from scoring.dataset.measurements.reading import Batch
from scoring.dataset.measurements.tally import MOST_HELD, Tally

EXAMPLES_PER_POINT = 1_000
MOST_POINTS = 100


class Vocabulary:
    """Counts words of inputs in the order of rows."""

    def __init__(self, held: int = MOST_HELD) -> None:
        self._firsts = Tally(held=held)
        self._tokens = 0
        self._examples = 0
        self._read = 0
        """Number of tokens read; a word counts once a row."""
        self._read_at = array("q")
        """The same after each EXAMPLES_PER_POINT rows."""

    def add(self, batch: Batch) -> None:
        """Count the words of some more rows."""
        self._tokens += sum(len(words) for reading in batch.readings for words in reading.input.values())
        keys = batch.token_keys
        self._firsts.add(keys, self._read + np.arange(len(keys)))
        first = EXAMPLES_PER_POINT - self._examples % EXAMPLES_PER_POINT
        marks = np.arange(first, len(batch) + 1, EXAMPLES_PER_POINT)
        self._read_at.extend((self._read + np.searchsorted(batch.token_rows, marks)).tolist())
        self._read += len(keys)
        self._examples += len(batch)

    def as_json(self) -> dict[str, Any]:
        """Return the counts; `new_per_1000` has the number of new words among the examples up to each point."""
        step = EXAMPLES_PER_POINT
        while self._examples // step >= MOST_POINTS:
            step *= 2
        ends = [
            (at, self._read_at[at // EXAMPLES_PER_POINT - 1]) for at in range(step, self._examples + 1, step)
        ]
        if self._examples % step:
            ends.append((self._examples, self._read))
        known = np.zeros(len(ends), dtype=np.int64)
        types = 0
        for _, _, firsts in self._firsts.parts():
            types += len(firsts)
            known += np.searchsorted(np.sort(firsts), [read for _, read in ends])
        points = [(0, 0), *zip((at for at, _ in ends), known.tolist(), strict=True)]
        return {
            "types": types,
            "tokens": self._tokens,
            "type_token_ratio": types / self._tokens if self._tokens else None,
            "new_per_1000": [
                {"examples": examples, "new": 1_000 * (types - known) / (examples - start)}
                for (start, known), (examples, types) in pairwise(points)
            ],
        }
