"""Contributions of each author to associations of words and labels.

An author counts once, however much they wrote. One author's examples resemble one another: both a word and a label may
be typical of the author without any link between the two. An association is therefore a sum over authors. Its
uncertainty is the variation between authors' contributions (K.-Y. Liang and S. Zeger, "Longitudinal data analysis using
generalized linear models", Biometrika 73, 1986). An example of an unknown author counts as an author of its own.

Memory: a few numbers for each author. Counts by author and label, and by author and word, are in tallies.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoring.dataset.measurements.reading import Batch
from scoring.dataset.measurements.tally import Numbers, Tally

Pair = tuple[int, str]
"""A word by its number, and a label."""
Counts = NDArray[np.float64]


class Weights(NamedTuple):
    """Contributions of an example to its author's part: `every` always, others if it has both, the word, the label."""

    both: float
    word: float
    label: float
    every: float


class AuthorSums:
    """Counts examples of each author by these pairs of a word, by its number, and a label.

    `authors` are the known ones by ascending number, with the `examples` that each made and the number of the `firsts`;
    the `unknown` examples are by nobody who is known.
    """

    def __init__(
        self, pairs: Iterable[Pair], authors: Numbers, examples: Numbers, firsts: Numbers, unknown: int
    ) -> None:
        self._authors = authors
        order = np.argsort(firsts)
        self._place = np.empty_like(order)
        self._place[order] = np.arange(len(order))
        self._nobody = len(authors)
        """The place that all unknown authors share; what is counted under it are single examples."""
        self._examples = np.append(examples[order], unknown)
        self._pairs = {
            pair: place for place, pair in enumerate(sorted(pairs, key=lambda pair: (pair[1], pair[0])))
        }
        self._words = np.unique(np.array([word for word, _ in self._pairs], dtype=np.int64))
        self._labels = {
            label: place for place, label in enumerate(sorted({label for _, label in self._pairs}))
        }
        self._pairs_of = {
            label: np.array([self._pairs.get((word, label), -1) for word in self._words.tolist()])
            for label in self._labels
        }
        """Under each label the number of the pair of each word, -1 for a pair that is not looked at."""
        self._of_words, self._of_labels, self._both = (
            Tally(low=0, high=rows * self._width)
            for rows in (len(self._words), len(self._labels), len(self._pairs))
        )
        self._held: dict[str, tuple[int, Counts]] = {}
        self.words: dict[int, str] = {}
        """The words themselves, by their number."""

    @property
    def _width(self) -> int:
        return self._nobody + 1

    def add(self, batch: Batch) -> None:
        """Count some more rows; one without a label tells nothing."""
        places = self._places_of(batch)
        tokens = np.searchsorted(self._words, batch.token_keys)
        tokens[tokens == len(self._words)] = 0
        is_asked = (self._words[tokens] == batch.token_keys) & batch.is_labelled[batch.token_rows]
        asked = np.flatnonzero(is_asked)
        rows, words = batch.token_rows[asked], tokens[asked]
        for word, first in zip(*np.unique(words, return_index=True), strict=True):
            self.words.setdefault(int(self._words[word]), batch.tokens[asked[first]])
        self._of_words.add(words * self._width + places[rows])
        for label, number in self._labels.items():
            if label not in batch.labels:
                continue
            stands = batch.labels[label]
            self._of_labels.add(number * self._width + places[stands])
            pairs = self._pairs_of[label][words]
            both = (pairs >= 0) & stands[rows]
            self._both.add(pairs[both] * self._width + places[rows[both]])

    def squares(self, pair: Pair, weights: Weights) -> float:
        """Return the sum over authors of the square of what their examples add up to.

        Cheap for one label after the other and its words by ascending number.
        """
        word, label = pair
        counts = (
            self._row("both", self._both, self._pairs[pair]),
            self._row("word", self._of_words, int(np.searchsorted(self._words, word))),
            self._row("label", self._of_labels, self._labels[label]),
            self._examples,
        )
        parts = sum(weight * each[: self._nobody] for weight, each in zip(weights, counts, strict=True))
        single = _single(weights, *(int(each[self._nobody]) for each in counts))
        return float(np.square(parts).sum()) + single

    def _places_of(self, batch: Batch) -> Numbers:
        """Return the place of each row's author, in the order of their first labelled examples."""
        found = np.full(len(batch), self._nobody)
        known = batch.has_author & batch.is_labelled
        found[known] = self._place[np.searchsorted(self._authors, batch.author_keys[known])]
        return found

    def _row(self, name: str, tally: Tally, number: int) -> Counts:
        """Return the counts of all authors in one row of a tally; the last one is kept."""
        if name not in self._held or self._held[name][0] != number:
            begin = number * self._width
            keys, counts = tally.between(begin, begin + self._width)
            row = np.zeros(self._width)
            row[keys - begin] = counts
            self._held[name] = number, row
        return self._held[name][1]


def _single(weights: Weights, both: int, word: int, label: int, every: int) -> float:
    """Return the sum of squares over single examples, of which so many have the word, the label, or both."""
    cells = (
        (both, sum(weights)),
        (word - both, weights.word + weights.every),
        (label - both, weights.label + weights.every),
        (every - word - label + both, weights.every),
    )
    return sum(count * value * value for count, value in cells)
