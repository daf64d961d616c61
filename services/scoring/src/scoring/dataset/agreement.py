"""How far votes on the same example agree: raw, and Krippendorff's alpha for names without an order.

Under an adaptive policy later votes exist only where the first two differ, so the first two of each example are
compared. Examples with the same votes are kept as one with their number, so memory is bounded by what votes can say.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

import krippendorff
import numpy as np

ONE_OPTION = "undefined: one option used"
NO_PAIRS = "undefined: no example has two votes"
TOO_MANY = "undefined: answers are no options of a list"
MOST_OPTIONS = 100


class Agreement:
    """Counts what the votes on each example say."""

    def __init__(self, *, first_two_only: bool) -> None:
        self._first_two_only = first_two_only
        self._patterns: Counter[tuple[tuple[str, int], ...]] = Counter()
        self._options: set[str] = set()

    def add(self, answers: Iterable[str]) -> None:
        """Take in the votes on one more example, in the order in which they were cast."""
        given = Counter(islice(answers, 2) if self._first_two_only else answers)
        if given.total() > 1 and len(self._options) <= MOST_OPTIONS:
            self._options.update(given)
            self._patterns[tuple(sorted(given.items()))] += 1

    def as_json(self) -> dict[str, Any]:
        """Return both measures, each None with the reason where it is undefined."""
        reason = self._reason()
        return {
            "basis": "first_two_votes" if self._first_two_only else "all_votes",
            "examples": self._patterns.total(),
            "raw": self._raw() if reason in (None, ONE_OPTION) else None,
            "krippendorff_alpha": self._alpha(sorted(self._options)) if reason is None else None,
            "reason": reason,
        }

    def _reason(self) -> str | None:
        if not self._patterns:
            return NO_PAIRS
        if len(self._options) > MOST_OPTIONS:
            return TOO_MANY
        return ONE_OPTION if len(self._options) == 1 else None

    def _raw(self) -> float:
        """Return the share of pairs of votes on one example that say the same."""
        same = every = 0
        for pattern, examples in self._patterns.items():
            votes = sum(number for _, number in pattern)
            every += examples * votes * (votes - 1)
            same += examples * sum(number * (number - 1) for _, number in pattern)
        return same / every

    def _alpha(self, options: Sequence[str]) -> float:
        position = {option: number for number, option in enumerate(options)}
        table = np.zeros((len(self._patterns), len(options)), dtype=np.int32)
        for row, pattern in enumerate(self._patterns):
            for option, number in pattern:
                table[row, position[option]] = number
        counts = np.repeat(table, list(self._patterns.values()), axis=0)
        return float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))
