"""A limit on one kind of slow work in a process, so that threads are left for everything else."""

import threading
from collections import Counter


class ConcurrencyLimit:
    """A limit in total and per caller: a person, or the address of an anonymous caller."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most = most
        self._most_of_one = most_of_one
        self._lock = threading.Lock()
        self._of: Counter[str] = Counter()

    def begin(self, caller: str) -> bool:
        """Count one more, unless that would be too many."""
        with self._lock:
            if self._of.total() >= self._most or self._of[caller] >= self._most_of_one:
                return False
            self._of[caller] += 1
            return True

    def end(self, caller: str) -> None:
        """Count one less."""
        with self._lock:
            self._of[caller] -= 1
            if not self._of[caller]:
                del self._of[caller]
