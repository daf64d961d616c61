"""Changes of stored sums: the examples' contributions after a batch less those before it.

Whole numbers added in any order give the same sum, and an example's contribution follows from its own facts. So the
stored sums equal a recount, for any order and size of the batches.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

Item = TypeVar("Item")
Key = TypeVar("Key", bound=tuple[object, ...])
Counts = TypeVar("Counts", bound=tuple[int, ...])


class Changes(Generic[Item, Key, Counts]):
    """Collects the differences that a batch makes, per key; `shares` returns an item's contributions."""

    def __init__(
        self,
        shares: Callable[[Item], Iterator[tuple[Key, Counts]]],
        make: Callable[[Iterable[int]], Counts],
    ) -> None:
        self._shares = shares
        self._make = make
        self._sums: dict[Key, list[int]] = {}

    def replace(self, before: Item, after: Item) -> None:
        """Take what an item added before away and add what it adds now."""
        was, now = list(self._shares(before)), list(self._shares(after))
        if was != now:
            self._add(was, -1)
            self._add(now, 1)

    def _add(self, shares: Iterable[tuple[Key, Counts]], sign: int) -> None:
        for key, counts in shares:
            sums = self._sums.setdefault(key, [0] * len(counts))
            for position, count in enumerate(counts):
                if count:
                    sums[position] += sign * count

    def items(self) -> list[tuple[Key, Counts]]:
        """Return every difference that is not zero, in the order of the keys."""
        return [(key, self._make(self._sums[key])) for key in sorted(self._sums) if any(self._sums[key])]
