"""What each author adds to associations of words and labels, so that an author counts once, however much they wrote.

One author's examples resemble one another: a word may be theirs, and so may a label, without the word going with the
label. What an association rests on is therefore a sum over authors, and how sure it is shows in how their parts
differ (K.-Y. Liang and S. Zeger, "Longitudinal data analysis using generalized linear models", Biometrika 73, 1986).
An example of an unknown author counts as one of an author of its own.

Memory: a count for each author under each label, and two for each author of a word that is looked at.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoring.dataset.measurements.reading import Reading

Pair = tuple[str, str]
"""A word and a label."""


class Weights(NamedTuple):
    """What an example adds to its author's part: `every` always, the others if it has both, the word, the label."""

    both: float
    word: float
    label: float
    every: float


class AuthorSums:
    """Counts examples of each author by these pairs of a word and a label."""

    NOBODY = -1
    """The number that all unknown authors share; what is counted under it are single examples."""

    def __init__(self, pairs: Iterable[Pair]) -> None:
        self._labels_of: defaultdict[str, list[str]] = defaultdict(list)
        for word, label in pairs:
            self._labels_of[word].append(label)
        self._authors: dict[str, int] = {}
        self._examples: Counter[int] = Counter()
        self._labels: defaultdict[str, Counter[int]] = defaultdict(Counter)
        self._words: defaultdict[str, Counter[int]] = defaultdict(Counter)
        self._both: defaultdict[Pair, Counter[int]] = defaultdict(Counter)

    def add(self, reading: Reading) -> None:
        """Count one more row; without a label it tells nothing."""
        if not reading.labels:
            return
        name = reading.row.author
        author = self.NOBODY if name is None else self._authors.setdefault(name, len(self._authors))
        self._examples[author] += 1
        for label in reading.labels:
            self._labels[label][author] += 1
        for word in set(reading.input_words) & self._labels_of.keys():
            self._words[word][author] += 1
            for label in set(self._labels_of[word]).intersection(reading.labels):
                self._both[word, label][author] += 1

    def squares(self, pair: Pair, weights: Weights) -> float:
        """Return the sum over authors of the square of what their examples add up to."""
        word, label = pair
        counts = (self._both[pair], self._words[word], self._labels[label], self._examples)
        parts = sum(weight * self._dense(each) for weight, each in zip(weights, counts, strict=True))
        return float(np.square(parts).sum()) + _single(weights, *(each[self.NOBODY] for each in counts))

    def _dense(self, counts: Counter[int]) -> NDArray[np.float64]:
        held = np.zeros(len(self._authors))
        for author, count in counts.items():
            if author != self.NOBODY:
                held[author] = count
        return held


def _single(weights: Weights, both: int, word: int, label: int, every: int) -> float:
    """Return the sum of squares over single examples, of which so many have the word, the label, or both."""
    cells = (
        (both, sum(weights)),
        (word - both, weights.word + weights.every),
        (label - both, weights.label + weights.every),
        (every - word - label + both, weights.every),
    )
    return sum(count * value * value for count, value in cells)
