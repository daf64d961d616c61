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

    def begin(self, caller: str, places: int) -> bool:
        """Take a slot if one is free for the caller and no waiting caller could use it."""
        if not self._has_place(caller, places) or any(
            self._has_place(each, places) for each in self._waiting
        ):
            return False
        self._running[caller] += 1
        return True

    def wait(self, caller: str, work: Work) -> bool:
        """Queue work, unless the queue is full."""
        queue = self._waiting.get(caller, deque())
        if self.waiting >= MOST_WAITING or len(queue) >= MOST_WAITING_OF_ONE:
            return False
        queue.append(work)
        self._waiting[caller] = queue
        return True

    def leave(self, caller: str, work: Work) -> bool:
        """Remove waiting work; return whether it waited."""
        queue = self._waiting.get(caller, deque())
        if work not in queue:
            return False
        queue.remove(work)
        if not queue:
            del self._waiting[caller]
        return True

    def end(self, caller: str) -> None:
        """Return a slot."""
        self._running[caller] -= 1
        if not self._running[caller]:
            del self._running[caller]

    def next(self, places: int) -> Work | None:
        """Return work that may begin, with its slot taken; its caller comes last the next time."""
        for caller, queue in self._waiting.items():
            if self._has_place(caller, places):
                work = queue.popleft()
                self._waiting.move_to_end(caller)
                if not queue:
                    del self._waiting[caller]
                self._running[caller] += 1
                return work
        return None

    def _has_place(self, caller: str, places: int) -> bool:
        return self.running < places and self._running[caller] < max(places // 2, 1)
