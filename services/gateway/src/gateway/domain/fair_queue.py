"""A fair queue: slots shared between callers, and a queue for those without a free slot.

One caller gets at most half of the slots, so a heavy user leaves slots to others. Waiting work begins in turns, one
caller after the other. Both queue and share are short: work that waits longer than its caller is wasted.
"""

from collections import Counter, OrderedDict, deque
from typing import Generic, TypeVar

Work = TypeVar("Work")
MOST_WAITING = 16
MOST_WAITING_OF_ONE = 4


class FairQueue(Generic[Work]):
    """Counts running work and queues waiting work, by caller."""

    def __init__(self) -> None:
        self._running: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[Work]] = OrderedDict()

    @property
    def running(self) -> int:
        """Return how many run."""
        return self._running.total()

    @property
    def waiting(self) -> int:
        """Return how many wait."""
        return sum(map(len, self._waiting.values()))

    def begin(self, asker: str, places: int) -> bool:
        """Take a slot if one is free for the caller and no waiting caller could use it."""
        if not self._has_place(asker, places) or any(self._has_place(each, places) for each in self._waiting):
            return False
        self._running[asker] += 1
        return True

    def wait(self, asker: str, work: Work) -> bool:
        """Queue work, unless the queue is full."""
        queue = self._waiting.get(asker, deque())
        if self.waiting >= MOST_WAITING or len(queue) >= MOST_WAITING_OF_ONE:
            return False
        queue.append(work)
        self._waiting[asker] = queue
        return True

    def leave(self, asker: str, work: Work) -> bool:
        """Remove waiting work; return whether it waited."""
        queue = self._waiting.get(asker, deque())
        if work not in queue:
            return False
        queue.remove(work)
        if not queue:
            del self._waiting[asker]
        return True

    def end(self, asker: str) -> None:
        """Return a slot."""
        self._running[asker] -= 1
        if not self._running[asker]:
            del self._running[asker]

    def next(self, places: int) -> Work | None:
        """Return work that may begin, with its slot taken; its caller comes last the next time."""
        for asker, queue in self._waiting.items():
            if self._has_place(asker, places):
                work = queue.popleft()
                self._waiting.move_to_end(asker)
                if not queue:
                    del self._waiting[asker]
                self._running[asker] += 1
                return work
        return None

    def _has_place(self, asker: str, places: int) -> bool:
        return self.running < places and self._running[asker] < max(places // 2, 1)
