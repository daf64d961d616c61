"""Words that give a label away: pointwise mutual information of words and labels over examples.

`pmi = log2(n · n_wl / (n_w · n_l))`, where `n_wl` of `n` examples have the word under the label. Half an example is
added to each of the four cells (Haldane 1940; Anscombe 1956), so a word that never meets a label has a finite value.
The 95 % interval is normal on the log scale, with the delta method's variance for multinomial counts (Agresti,
Categorical Data Analysis, 2013, §16.1): `1/n_wl - 1/n_w - 1/n_l + 2 n_wl / (n_w n_l) - 1/n`. It is for each word by
itself. One author's examples resemble one another. So where the variance over authors (`author_sums`) is larger, the
interval uses that one.

Holm's procedure at 5 %, over all examined pairs, decides which words are named. A pair has two p-values; the larger one
counts. The first treats examples as independent. It uses the hypergeometric mean and variance of `n_wl` with a
continuity correction. The second counts authors. With `u_a` as author a's contribution to `n_wl - n_w n_l / n`, its
statistic is `Σ u_a / √(Σ u_a²)`. Its tails are at most normal if no author leans to either side by more than chance (B.
Efron, "Student's t-test under symmetry conditions", 1969). It never exceeds the root of the number of authors. So with
few authors no word is named, however much they wrote. `make coverage` simulates how often uninformative words are
named.

Memory: counts of words as in `tally`, three numbers for each author and for each frequent enough word, and the sums of
`author_sums` for at most MOST_CANDIDATES pairs. A word counts once per input.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from heapq import nsmallest
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.dataset.measurements.author_sums import AuthorSums, Weights
from scoring.dataset.measurements.reading import Batch
from scoring.dataset.measurements.tally import MOST_HELD, Columns, Numbers, Tally

LEAST_OCCURRENCES = 10
STRONGEST = 20
LEVEL = 0.05
MOST_LABELS = 100
MOST_CANDIDATES = 1_000
PAIRS_AT_ONCE = 2_000_000
SLACK = 0.1
"""Tolerance in standard deviations: pairs this much nearer to chance than the threshold are still examined."""
TWO_SIDED_95 = NormalDist().inv_cdf(0.975)
ADDED = 0.5
CONTINUITY = 0.5


@dataclass(frozen=True, slots=True)
class Association:
    """Association of a word with a label; `count` examples have it under that label, `p` is for no association."""

    token: str
    label: str
    pmi: float
    low: float
    high: float
    count: int
    p: float

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "token": self.token,
            "label": self.label,
            "pmi": self.pmi,
            "low": self.low,
            "high": self.high,
            "count": self.count,
        }


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A possible association of a word, by its number, with a label, and the inputs of `associate`."""

    key: int
    label: str
    together: int
    with_word: int


class Associations:
    """Counts words by label in one pass over the rows, and their authors in another.

    Between them `choose` finds what to look at in the other one; `is_asked` tells whether there is anything.
    """

    def __init__(self, held: int = MOST_HELD) -> None:
        self._examples = 0
        self._read = 0
        self._words = Tally(held=held)
        """Of each word, the number of labelled examples with it and the place of the first."""
        self._together = Tally(held=held)
        self._labels: Counter[str] = Counter()
        self._authors = Tally()
        """Of each known author, the number of labelled examples and the place of the first."""
        self._unknown = 0
        self._candidates: list[_Candidate] = []
        self._sums: AuthorSums | None = None

    def add(self, batch: Batch) -> None:
        """Count some more rows; one without a label tells nothing."""
        is_counted = batch.is_labelled[batch.token_rows]
        firsts = self._read + np.flatnonzero(is_counted)
        self._words.add(batch.token_keys[is_counted], firsts)
        self._read += len(batch.token_keys)
        for label, rows in batch.labels.items():
            self._labels[label] += int(rows.sum())
            self._together.add(batch.token_keys[rows[batch.token_rows]] ^ _mark(label))
        known = np.flatnonzero(batch.is_labelled & batch.has_author)
        self._authors.add(batch.author_keys[known], batch.first + known)
        labelled = int(batch.is_labelled.sum())
        self._examples += labelled
        self._unknown += labelled - len(known)

    @cached_property
    def _frequent(self) -> tuple[Numbers, Numbers]:
        """Return words that are there often enough, in the order of reading, and how often each is."""
        found = [np.stack(columns)[:, columns[1] >= LEAST_OCCURRENCES] for columns in self._words.parts()]
        keys, counts, firsts = np.concatenate(found, axis=1)
        order = np.argsort(firsts)
        return keys[order], counts[order]

    @cached_property
    def _known(self) -> Columns:
        """Return the known authors of labelled examples, how many each made, and the number of the first."""
        return self._authors.all()

    @cached_property
    def _commonest(self) -> list[str]:
        return [label for label, _ in self._labels.most_common(MOST_LABELS)]

    @property
    def _pairs(self) -> int:
        return len(self._frequent[0]) * len(self._commonest)

    @property
    def _people(self) -> int:
        return len(self._known[0]) + self._unknown

    def reason(self) -> str | None:
        """Return why no word can be named: too few authors, or no word that is there often enough; else None."""
        if not self._examples:
            return "not measured: no example has a label"
        if not self._pairs:
            return f"not measured: no word occurs in {LEAST_OCCURRENCES} examples"
        needed = math.ceil(NormalDist().inv_cdf(LEVEL / self._pairs / 2) ** 2)
        if self._people >= needed:
            return None
        return f"not measured: {self._people} people wrote, at least {needed} are needed to tell a habit from a pattern"

    def choose(self) -> None:
        """Find the pairs of a word and a label whose authors are to be looked at."""
        if self.reason() is not None:
            return
        found = nsmallest(MOST_CANDIDATES, self._improbable(), key=lambda one: one[0])
        kept = holm_count([p for p, _ in found], LEVEL, self._pairs)
        self._candidates = [candidate for _, candidate in found[:kept]]
        pairs = [(one.key, one.label) for one in self._candidates]
        self._sums = AuthorSums(pairs, *self._known, self._unknown) if pairs else None

    def _improbable(self) -> Iterator[tuple[float, _Candidate]]:
        """Yield all pairs that may be among those that Holm's procedure keeps, each with its p."""
        words, counts = self._frequent
        least = (
            NormalDist().inv_cdf(1 - LEVEL / (self._pairs - MOST_CANDIDATES) / 2) - SLACK
            if (self._pairs > 2 * MOST_CANDIDATES)
            else 0.0
        )
        at_once = max(PAIRS_AT_ONCE // len(words), 1)
        for first in range(0, len(self._commonest), at_once):
            labels = self._commonest[first : first + at_once]
            asked = np.concatenate([words ^ _mark(label) for label in labels])
            for label, together in zip(
                labels, self._together.of(asked).reshape(len(labels), -1), strict=True
            ):
                own = self._labels[label]
                for place in np.flatnonzero(
                    _deviations(together, counts, own, self._examples) >= least
                ).tolist():
                    both, word = int(together[place]), int(counts[place])
                    p = _p_of_chance(both, word, own, self._examples)
                    yield p, _Candidate(int(words[place]), label, both, word)

    @property
    def is_asked(self) -> bool:
        """Return whether the rows are to be read again."""
        return bool(self._candidates)

    def add_authors(self, batch: Batch) -> None:
        """Count the authors of some rows, which are read again."""
        if self._sums is not None:
            self._sums.add(batch)

    def as_json(self) -> list[dict[str, Any]]:
        """Return the strongest words of each label, those that go with it before those that avoid it.

        Strength is the end of the interval that is nearer to nothing.
        """
        named = holm(self._of_authors(), LEVEL, looked_at=self._pairs)
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

    def _of_authors(self) -> list[Association]:
        """Return the candidates as they stand when each author counts once."""
        sums, found = self._sums, dict.fromkeys(self._candidates)
        if sums is None:
            return []
        of = {one: self._of_one(one, sums) for one in sorted(found, key=lambda one: (one.label, one.key))}
        return [of[one] for one in found]

    def _of_one(self, candidate: _Candidate, sums: AuthorSums) -> Association:
        n, authors, label, word = (
            self._examples,
            self._people,
            self._labels[candidate.label],
            candidate.with_word,
        )
        pair = candidate.key, candidate.label
        one = associate(
            sums.words[candidate.key], candidate.label,
            together=candidate.together, with_word=word, with_label=label, examples=n,
        )  # fmt: skip
        of_word, of_label = word / n, label / n
        spread = math.sqrt(sums.squares(pair, Weights(1.0, -of_label, -of_word, of_word * of_label)))
        distance = abs(one.count - word * label / n)
        p = 2 * NormalDist().cdf(-distance / spread) if spread > 0 else 1.0
        of_logarithm = Weights(1 / (one.count + ADDED), -1 / word, -1 / label, 1 / n)
        error = math.sqrt(sums.squares(pair, of_logarithm) * authors / (authors - 1)) / math.log(2)
        half = max(one.high - one.pmi, TWO_SIDED_95 * error)
        return replace(one, low=one.pmi - half, high=one.pmi + half, p=max(one.p, p))


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


def _deviations(together: Numbers, with_word: Numbers, with_label: int, examples: int) -> NDArray[np.float64]:
    """Return how many standard deviations each count is from what chance makes of it, as `_p_of_chance` has them."""
    expected = with_word * with_label / examples
    spread = expected * (examples - with_word) * ((examples - with_label) / (examples * max(examples - 1, 1)))
    distance = np.maximum(np.abs(together - expected) - CONTINUITY, 0)
    return np.divide(distance, np.sqrt(spread), out=np.zeros_like(expected), where=spread > 0)


def _mark(label: str) -> np.int64:
    """Return the number that identifies a word under a label."""
    return np.int64(int.from_bytes(blake2b(label.encode(), digest_size=8).digest(), "little", signed=True))


def holm(found: Iterable[Association], level: float, looked_at: int = 0) -> list[Association]:
    """Return those that Holm's procedure (1979) keeps, the least probable first.

    The chance of naming any false one is below `level` if each p-value is one; those that were `looked_at` beyond the
    `found` count as not kept.
    """
    ordered = sorted(found, key=lambda one: one.p)
    return ordered[: holm_count([one.p for one in ordered], level, looked_at)]


def holm_count(ordered: Sequence[float], level: float, looked_at: int = 0) -> int:
    """Return how many of these ascending p-values Holm's procedure keeps."""
    for position, p in enumerate(ordered):
        if p > level / (max(looked_at, len(ordered)) - position):
            return position
    return len(ordered)
