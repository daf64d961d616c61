"""Kept sums, moved by differences: what examples add after a batch less what they added before it.

Whole numbers added in any order give the same sum, and an example's shares follow from its own facts, so sums
kept this way equal a recount whatever the order and the sizes of the batches were.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

from leaderboard.domain.counting_rule import CountingRule
from leaderboard.domain.facts import Example

Key = TypeVar("Key", bound=tuple[object, ...])
Counts = TypeVar("Counts", bound=tuple[int, ...])
Shares = Callable[[Example, CountingRule], Iterator[tuple[Key, Counts]]]


class Changes(Generic[Key, Counts]):
    """Collects the differences that a batch makes, per key."""

    def __init__(self, shares: Shares[Key, Counts], make: Callable[[Iterable[int]], Counts]) -> None:
        self._shares = shares
        self._make = make
        self._sums: dict[Key, list[int]] = {}

    def add(self, example: Example, rule: CountingRule, sign: int = 1) -> None:
        """Add the example's shares, or take them away with `sign` -1."""
        for key, counts in self._shares(example, rule):
            sums = self._sums.setdefault(key, [0] * len(counts))
            for position, count in enumerate(counts):
                if count:
                    sums[position] += sign * count

    def items(self) -> list[tuple[Key, Counts]]:
        """Return every difference that is not zero, in the order of the keys."""
        return [(key, self._make(self._sums[key])) for key in sorted(self._sums) if any(self._sums[key])]
