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

    def begin(self, asker: str) -> bool:
        """Count one more, unless that would be too many."""
        with self._lock:
            if self._of.total() >= self._most or self._of[asker] >= self._most_of_one:
                return False
            self._of[asker] += 1
            return True

    def end(self, asker: str) -> None:
        """Count one less."""
        with self._lock:
            self._of[asker] -= 1
            if not self._of[asker]:
                del self._of[asker]
