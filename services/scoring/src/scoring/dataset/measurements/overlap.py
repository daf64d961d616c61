"""Overlap of an input with its context: the share of the input's words that occur in the context.

Shares are rounded to a thousandth, so memory is bounded.
"""

from collections import Counter
from typing import Any

from scoring.dataset.measurements.distribution import spread
from scoring.dataset.measurements.reading import Batch

STEPS = 1_000
TENTHS = range(0, STEPS + 1, STEPS // 10)


class Overlap:
    """Counts the shares of rows with words on both sides."""

    def __init__(self) -> None:
        self._shares: Counter[int] = Counter()

    def add(self, batch: Batch) -> None:
        """Count some more rows."""
        for reading in batch.readings:
            if not reading.context:
                continue
            known, written = frozenset(reading.context_words), reading.input_words
            if known and written:
                shared = sum(map(known.__contains__, written))
                self._shares[round(STEPS * shared / len(written))] += 1

    def as_json(self) -> dict[str, Any] | None:
        """Return the spread of shares; None if no row has a context text."""
        return spread(self._shares, unit=1 / STEPS, bins=TENTHS) if self._shares else None
