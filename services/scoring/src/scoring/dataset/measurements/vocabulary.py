"""How many different words authors use, and how that grows with more examples (the curve of Heaps' law).

Exact; memory grows with the number of different words, which grows more slowly than the examples.
"""

from typing import Any

from scoring.dataset.measurements.reading import Reading

EXAMPLES_PER_POINT = 1_000
MOST_POINTS = 100


class Vocabulary:
    """Counts words of inputs in the order of rows."""

    def __init__(self) -> None:
        self._types: set[str] = set()
        self._tokens = 0
        self._examples = 0
        self._step = EXAMPLES_PER_POINT
        self._points: list[tuple[int, int]] = []

    def add(self, reading: Reading) -> None:
        """Count one more row."""
        for words in reading.input.values():
            self._tokens += len(words)
            self._types.update(words)
        self._examples += 1
        if self._examples % self._step == 0:
            self._mark()

    def _mark(self) -> None:
        """Keep a point; of too many every second one goes."""
        self._points.append((self._examples, len(self._types)))
        if len(self._points) == MOST_POINTS:
            self._points = self._points[1::2]
            self._step *= 2

    def as_json(self) -> dict[str, Any]:
        """Return the counts; `new_per_1000` says, for the examples up to each point, how many words were new."""
        points = self._points
        if self._examples and (not points or points[-1][0] != self._examples):
            points = [*points, (self._examples, len(self._types))]
        before = [(0, 0), *points]
        return {
            "types": len(self._types),
            "tokens": self._tokens,
            "type_token_ratio": len(self._types) / self._tokens if self._tokens else None,
            "new_per_1000": [
                {"examples": examples, "new": 1_000 * (types - known) / (examples - start)}
                for (start, known), (examples, types) in zip(before, points, strict=False)
            ],
        }
