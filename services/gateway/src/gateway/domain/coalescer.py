"""Which waiting texts go into the next call to a model.

A call costs the same whether it carries one text or several, up to what the model's own work adds. So while as
many calls are under way as the model has workers, texts wait; the next call takes all that fit. Nothing waits
for company: an idle model is called at once, and batches form only when callers outrun it.
"""

from collections import deque
from dataclasses import dataclass
from typing import Generic, TypeVar

from gateway.domain.requests import Instance


@dataclass(eq=False)
class Chunk:
    """Instances of one caller that travel together. `deadline` is in monotonic seconds."""

    instances: list[Instance]
    deadline: float
    request_id: str = ""
    shortened: bool = False


AnyChunk = TypeVar("AnyChunk", bound=Chunk)


class Coalescer(Generic[AnyChunk]):
    """First come, first served; a chunk is never split, and an expired one is dropped unsent."""

    def __init__(self, max_calls: int, max_instances: int) -> None:
        self.max_calls = max_calls
        self._max_instances = max_instances
        self._waiting: deque[AnyChunk] = deque()
        self._calls = 0

    @property
    def waiting(self) -> int:
        """Return how many chunks wait."""
        return len(self._waiting)

    def split(self, instances: list[Instance]) -> list[list[Instance]]:
        """Return the instances in parts that fit into one call each."""
        size = self._max_instances
        return [instances[start : start + size] for start in range(0, len(instances), size)]

    def offer(self, chunk: AnyChunk) -> None:
        """Let a chunk wait for its call."""
        self._waiting.append(chunk)

    def withdraw(self, chunk: AnyChunk) -> None:
        """Forget a chunk whose caller has left; one that is under way is left alone."""
        if chunk in self._waiting:
            self._waiting.remove(chunk)

    def begin_call(self, now: float) -> list[AnyChunk]:
        """Return the chunks of a call to make now, counted as under way; empty when there is none to make."""
        if self._calls >= self.max_calls:
            return []
        batch: list[AnyChunk] = []
        size = 0
        while self._waiting and size + len(self._waiting[0].instances) <= self._max_instances:
            chunk = self._waiting.popleft()
            if chunk.deadline > now:
                batch.append(chunk)
                size += len(chunk.instances)
        if batch:
            self._calls += 1
        return batch

    def end_call(self) -> None:
        """Count a call as over."""
        self._calls -= 1
