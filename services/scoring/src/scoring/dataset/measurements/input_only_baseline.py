"""Input-only baseline: accuracy of a model that sees the input without its context, for tasks that have both.

The model is a logistic regression on words and word bigrams, hashed to 2^16 columns. It is measured by five-fold
cross-validation; no author is in two folds. If it beats the most frequent label, inputs give their labels away
(Gururangan et al. 2018; Poliak et al. 2018). The interval is Wilson's over all predictions, as if examples were
independent.

Large datasets are sampled by a hash of the example ids. Memory: about 1 KB for each sampled example.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import Any

import numpy as np
from dynabench_tasks.statistics.intervals import wilson_interval
from numpy.typing import NDArray

from scoring.dataset.measurements.reading import Batch, is_free_text
from scoring.dataset.rows import Field, Fields

COLUMNS = 2**16
FOLDS = 5
LEAST_EXAMPLES = 50
MOST_EXAMPLES = 50_000
MOST_ITERATIONS = 200
MOST_LABELS = 20
DRAWN_OF = 2**64


class InputOnlyBaseline:
    """Collects labelled inputs; `examples` is how many rows there are."""

    def __init__(self, fields: Fields, examples: int) -> None:
        self._is_pair = _has_text(fields.context) and _has_text(fields.input)
        self._is_single_label = fields.label.type_name == "multiclass"
        self._limit = DRAWN_OF * min(1.0, MOST_EXAMPLES / max(examples, 1))
        self._inputs: list[str] = []
        self._labels: list[str] = []
        self._authors: list[str] = []
        self._contexts = 0

    @property
    def is_asked(self) -> bool:
        """Return whether it needs any row."""
        return self._is_pair and self._is_single_label

    def add(self, batch: Batch) -> None:
        """Take what is drawn of some more rows; an unknown author counts as one of its own."""
        if not self.is_asked:
            return
        for position, row in enumerate(batch.rows):
            draw = int.from_bytes(blake2b(row.example_id.encode(), digest_size=8).digest(), "big")
            if draw >= self._limit:
                continue
            reading = batch.reading(position)
            if reading.labels and reading.input:
                self._inputs.append(" ".join(reading.input_words))
                self._labels.append(reading.labels[0])
                self._authors.append(row.author or row.example_id)
                self._contexts += bool(reading.context)

    def as_json(self) -> dict[str, Any]:
        """Return accuracy with its interval, and the share of the most frequent label; or the reason for none."""
        number = len(self._labels)
        counts = Counter(self._labels)
        majority = counts.most_common(1)[0][1] / number if number else None
        nothing = {"accuracy": None, "low": None, "high": None, "majority": majority, "n": number}
        reason = self._reason(counts)
        if reason is not None:
            return {**nothing, "reason": reason}
        accuracy = _correct(self._inputs, self._labels, self._authors) / number
        low, high = wilson_interval(accuracy, number)
        return {**nothing, "accuracy": accuracy, "low": low, "high": high, "reason": None}

    def _reason(self, counts: Counter[str]) -> str | None:
        if not self._is_single_label:
            return "not measured: answers are not one label each"
        if not self._is_pair or (counts and not self._contexts):
            return "not measured: inputs have no context text to leave out"
        if counts.total() < LEAST_EXAMPLES:
            return f"not measured: under {LEAST_EXAMPLES} examples with a label"
        if not 2 <= len(counts) <= MOST_LABELS:
            return f"not measured: {len(counts)} labels occur, 2 to {MOST_LABELS} can be told apart"
        if len(set(self._authors)) < FOLDS:
            return f"not measured: under {FOLDS} authors"
        return None


def _correct(inputs: Sequence[str], labels: Sequence[str], authors: Sequence[str]) -> int:
    """Return the number of correct guesses, each by a model learnt from other authors."""
    # Only a worker measures; the processes that serve need not load this.
    from sklearn.feature_extraction.text import HashingVectorizer  # type: ignore[import-untyped]
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]
    from sklearn.model_selection import GroupKFold  # type: ignore[import-untyped]

    hashed = HashingVectorizer(n_features=COLUMNS, analyzer=_n_grams, alternate_sign=False, dtype=np.float32)
    features, known = hashed.transform(inputs), np.array(labels)
    correct = 0
    for learnt, asked in GroupKFold(FOLDS).split(features, known, authors):
        if len(set(known[learnt])) == 1:
            guessed: NDArray[np.str_] = np.full(len(asked), known[learnt][0])
        else:
            model = LogisticRegression(max_iter=MOST_ITERATIONS, tol=1e-3)
            guessed = model.fit(features[learnt], known[learnt]).predict(features[asked])
        correct += int((guessed == known[asked]).sum())
    return correct


def _n_grams(text: str) -> Iterator[str]:
    words = text.split()
    yield from words
    for pair in pairwise(words):
        yield " ".join(pair)


def _has_text(fields: Iterable[Field]) -> bool:
    return any(map(is_free_text, fields))
