"""Which words give a label away: pointwise mutual information of words and labels over examples.

`pmi = log2(n · n_wl / (n_w · n_l))`, where `n_wl` of `n` examples hold the word under the label. Half an example is
added to each of the four cells (Haldane 1940; Anscombe 1956), so a word that never meets a label has a finite value.
The interval of 95 % is normal on the log scale, with the delta method's variance for multinomial counts (Agresti,
Categorical Data Analysis, 2013, §16.1): `1/n_wl - 1/n_w - 1/n_l + 2 n_wl / (n_w n_l) - 1/n`. It covers
each word for itself. One author's examples resemble one another, so where the variance over authors
(`author_sums`) is larger, the interval goes by that.

Which words are named is decided by Holm's procedure at 5 % over all pairs looked at. A pair has two p-values, of which
the larger counts. One takes examples for independent: the hypergeometric mean and variance of `n_wl` with a continuity
correction. The other counts authors: with `u_a` what author a adds to `n_wl - n_w n_l / n`, it is that of
`Σ u_a / √(Σ u_a²)`, normal at most if no author leans to either side by more than chance (B. Efron, "Student's t-test
under symmetry conditions", 1969). It never exceeds the root of the number of authors, so of few authors nothing is
named, however much they wrote. `make coverage` simulates how often words that tell nothing are named.

Memory: a count for each word under each label; of at most MOST_CANDIDATES pairs what `author_sums` says. The words of
one input count once.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

from scoring.dataset.measurements.author_sums import AuthorSums, Weights
from scoring.dataset.measurements.reading import Reading

LEAST_OCCURRENCES = 10
STRONGEST = 20
LEVEL = 0.05
MOST_LABELS = 100
MOST_CANDIDATES = 1_000
TWO_SIDED_95 = NormalDist().inv_cdf(0.975)
ADDED = 0.5
CONTINUITY = 0.5


@dataclass(frozen=True, slots=True)
class Association:
    """How a word goes with a label; `count` examples hold it under that label, `p` is of no association."""

    token: str
    label: str
    pmi: float
    low: float
    high: float
    count: int
    p: float

    def as_json(self) -> dict[str, Any]:
        """Return what is told of it."""
        return {
            "token": self.token,
            "label": self.label,
            "pmi": self.pmi,
            "low": self.low,
            "high": self.high,
            "count": self.count,
        }


class Associations:
    """Counts words by label in one pass over the rows, and their authors in another."""

    def __init__(self) -> None:
        self._examples = 0
        self._words: Counter[str] = Counter()
        self._labels: Counter[str] = Counter()
        self._together: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._authors: set[str] = set()
        self._unknown = 0

    def add(self, reading: Reading) -> None:
        """Count one more row; without a label it tells nothing."""
        if not reading.labels:
            return
        words = set(reading.input_words)
        self._examples += 1
        self._words.update(words)
        if reading.row.author is None:
            self._unknown += 1
        else:
            self._authors.add(reading.row.author)
        for label in reading.labels:
            self._labels[label] += 1
            self._together[label].update(words)

    def reason(self) -> str | None:
        """Return why no word can be named: too few authors, or no word that is there often enough; else None."""
        authors, pairs = len(self._authors) + self._unknown, len(self._frequent) * len(self._commonest)
        if not self._examples:
            return "not measured: no example has a label"
        if not pairs:
            return f"not measured: no word stands in {LEAST_OCCURRENCES} examples"
        needed = math.ceil(NormalDist().inv_cdf(LEVEL / pairs / 2) ** 2)
        if authors >= needed:
            return None
        return f"not measured: {authors} people wrote, at least {needed} are needed to tell a habit from a pattern"

    def compare(self, readings: Iterable[Reading]) -> list[dict[str, Any]]:
        """Return the strongest words of each label, those that go with it before those that avoid it.

        Strength is the end of the interval that is nearer to nothing. Reads the same rows again.
        """
        if self.reason() is not None:
            return []
        pairs = list(self._all())
        candidates = holm(pairs, LEVEL)[:MOST_CANDIDATES]
        if not candidates:
            return []
        sums = AuthorSums((one.token, one.label) for one in candidates)
        for reading in readings:
            sums.add(reading)
        named = holm((self._of_authors(one, sums) for one in candidates), LEVEL, looked_at=len(pairs))
        found: list[Association] = []
        for label in sorted(self._labels):
            own = [one for one in named if one.label == label]
            found += sorted((one for one in own if one.pmi > 0), key=lambda one: (-one.low, one.token))[
                :STRONGEST
            ]
            found += sorted((one for one in own if one.pmi < 0), key=lambda one: (one.high, one.token))[
                :STRONGEST
            ]
        return [one.as_json() for one in found]

    def _of_authors(self, one: Association, sums: AuthorSums) -> Association:
        """Return the association as it stands when each author counts once."""
        pair, n, authors = (one.token, one.label), self._examples, len(self._authors) + self._unknown
        word, label = self._words[one.token], self._labels[one.label]
        of_word, of_label = word / n, label / n
        spread = math.sqrt(sums.squares(pair, Weights(1.0, -of_label, -of_word, of_word * of_label)))
        distance = abs(one.count - word * label / n)
        p = 2 * NormalDist().cdf(-distance / spread) if spread > 0 else 1.0
        of_logarithm = Weights(1 / (one.count + ADDED), -1 / word, -1 / label, 1 / n)
        error = math.sqrt(sums.squares(pair, of_logarithm) * authors / (authors - 1)) / math.log(2)
        half = max(one.high - one.pmi, TWO_SIDED_95 * error)
        return replace(one, low=one.pmi - half, high=one.pmi + half, p=max(one.p, p))

    @property
    def _frequent(self) -> list[str]:
        return [word for word, count in self._words.items() if count >= LEAST_OCCURRENCES]

    @property
    def _commonest(self) -> list[str]:
        return [label for label, _ in self._labels.most_common(MOST_LABELS)]

    def _all(self) -> Iterator[Association]:
        words = self._frequent
        for label in self._commonest:
            for word in words:
                yield associate(
                    word,
                    label,
                    together=self._together[label][word],
                    with_word=self._words[word],
                    with_label=self._labels[label],
                    examples=self._examples,
                )


def associate(
    token: str, label: str, *, together: int, with_word: int, with_label: int, examples: int
) -> Association:
    """Return the association that these counts of examples speak of."""
    both, word, own, every = (
        together + ADDED,
        with_word + 2 * ADDED,
        with_label + 2 * ADDED,
        examples + 4 * ADDED,
    )
    log_ratio = math.log(every * both / (word * own))
    variance = 1 / both - 1 / word - 1 / own + 2 * both / (word * own) - 1 / every
    error = math.sqrt(max(variance, 0.0))
    low, high = log_ratio - TWO_SIDED_95 * error, log_ratio + TWO_SIDED_95 * error
    p = _p_of_chance(together, with_word, with_label, examples)
    bit = math.log(2)
    return Association(token, label, log_ratio / bit, low / bit, high / bit, together, p)


def _p_of_chance(together: int, with_word: int, with_label: int, examples: int) -> float:
    expected = with_word * with_label / examples
    spread = expected * (examples - with_word) * (examples - with_label) / (examples * max(examples - 1, 1))
    distance = abs(together - expected) - CONTINUITY
    return 2 * NormalDist().cdf(-distance / math.sqrt(spread)) if spread > 0 and distance > 0 else 1.0


def holm(found: Iterable[Association], level: float, looked_at: int = 0) -> list[Association]:
    """Return those that Holm's procedure (1979) keeps, the least probable first.

    The chance of naming any false one is below `level` if each p-value is one; those that were `looked_at` beyond the
    `found` count as not kept.
    """
    ordered = sorted(found, key=lambda one: one.p)
    kept: list[Association] = []
    for position, one in enumerate(ordered):
        if one.p > level / (max(looked_at, len(ordered)) - position):
            break
        kept.append(one)
    return kept
