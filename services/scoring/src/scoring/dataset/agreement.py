"""How far votes on the same example agree: raw, and Krippendorff's alpha for names without an order.

Raw is the mean over examples of the share of their pairs of votes that say the same. Alpha (K. Krippendorff, "Content
Analysis", 1980) weighs pairs by 1 / (n - 1), so that each vote counts the same, and holds them against pairs drawn
without replacement: `1 - (N - 1) (N - Σ a / (n - 1)) / (N² - Σ N_k²)`, of N votes N_k say k, and a is the number of
ordered pairs of an example's n votes that say the same.

Under an adaptive policy later votes exist only where the first two differ, so the first two of each example are
compared. Examples with the same votes are kept as one with their number, so memory is bounded by what votes can say.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from math import fsum
from typing import Any, TypeAlias

ONE_OPTION = "undefined: one option used"
NO_PAIRS = "undefined: no example has two votes"
TOO_MANY = "undefined: answers are no options of a list"
MOST_OPTIONS = 100
Pattern: TypeAlias = tuple[tuple[str, int], ...]


class Agreement:
    """Counts what the votes on each example say."""

    def __init__(self, *, first_two_only: bool) -> None:
        self._first_two_only = first_two_only
        self._patterns: Counter[Pattern] = Counter()
        self._options: set[str] = set()

    def add(self, answers: Iterable[str]) -> None:
        """Take in the votes on one more example, in the order in which they were cast."""
        given = Counter(islice(answers, 2) if self._first_two_only else answers)
        if given.total() > 1 and len(self._options) <= MOST_OPTIONS:
            self._options.update(given)
            self._patterns[tuple(sorted(given.items()))] += 1

    def as_json(self) -> dict[str, Any]:
        """Return both measures, or None for both with the reason: with one option nothing could show disagreement."""
        reason = self._reason()
        return {
            "basis": "first_two_votes" if self._first_two_only else "all_votes",
            "examples": self._patterns.total(),
            "raw": self._raw() if reason is None else None,
            "krippendorff_alpha": self._alpha() if reason is None else None,
            "reason": reason,
        }

    def _reason(self) -> str | None:
        if not self._patterns:
            return NO_PAIRS
        if len(self._options) > MOST_OPTIONS:
            return TOO_MANY
        return ONE_OPTION if len(self._options) == 1 else None

    def _raw(self) -> float:
        shares = (
            examples * _agreeing(pattern) / (_votes(pattern) * (_votes(pattern) - 1))
            for pattern, examples in self._patterns.items()
        )
        return fsum(shares) / self._patterns.total()

    def _alpha(self) -> float:
        options: Counter[str] = Counter()
        for pattern, examples in self._patterns.items():
            for option, number in pattern:
                options[option] += examples * number
        total = options.total()
        agreeing = fsum(
            examples * _agreeing(pattern) / (_votes(pattern) - 1)
            for pattern, examples in self._patterns.items()
        )
        chance = total**2 - sum(number**2 for number in options.values())
        return 1 - (total - 1) * (total - agreeing) / chance


def _votes(pattern: Pattern) -> int:
    return sum(number for _, number in pattern)


def _agreeing(pattern: Pattern) -> int:
    """Return how many ordered pairs of an example's votes say the same."""
    return sum(number * (number - 1) for _, number in pattern)
