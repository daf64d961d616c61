"""Counts over one reading of the rows: labels, lengths, overlap with the context, authors."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.dataset.measurements.distribution import spread
from scoring.dataset.measurements.reading import Batch, labels_of
from scoring.dataset.measurements.tally import Tally

STEPS = 1_000
TENTHS = range(0, STEPS + 1, STEPS // 10)


class LabelBalance:
    """Frequency of each label, as gold and as the author's claim; labels of the task count 0 if no example has them.

    A row of several labels counts for each. Answers that are no labels, such as spans, are not counted.
    Memory: a count for each label.
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


class Lengths:
    """Lengths of the texts of each field, in words and in characters (Unicode code points); a blank text has none.

    Exact. Memory: a count for each length that occurs.
    """

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


class Overlap:
    """Share of the input's words that occur in the context, over rows with words on both sides.

    Shares are rounded to a thousandth, so memory is bounded.
    """

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


class Authors:
    """Distribution of examples over authors; those of unknown authors are left out.

    Memory: three numbers for each person.
    """

    def __init__(self) -> None:
        self._examples = Tally()

    def add(self, batch: Batch) -> None:
        """Count some more rows."""
        self._examples.add(batch.author_keys[batch.has_author])

    def as_json(self) -> dict[str, Any]:
        """Return the shares of the most active authors, and `hhi`, the sum of all squared shares (Herfindahl).

        Shares are of the `examples` by known authors.
        """
        _, counts, _ = self._examples.all()
        total = int(counts.sum())
        shares: NDArray[np.float64] = np.sort(counts)[::-1] / max(total, 1)
        return {
            "people": len(shares),
            "examples": total,
            "top1_share": float(shares[0]) if total else None,
            "top5_share": sum(shares[:5].tolist()) if total else None,
            "hhi": sum((shares * shares).tolist()) if total else None,
        }
