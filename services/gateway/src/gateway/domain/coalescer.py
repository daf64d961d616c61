"""Batching: the choice of waiting texts for the next call to a model.

There are two lanes. People's texts go first; evaluations get the rest. While somebody has asked within the last
seconds, evaluations get one call fewer at a time than the model has workers. A model with one worker gets one. Each
such call carries few texts, so that a person waits for little. When no people ask, evaluations get all of the workers.
Once nobody has asked for a while longer, one more evaluation call waits at the model, so that the model has no pause
between two calls. A person who returns then waits for that call too, once.

A call costs the same whether it carries one text or several, up to what the model's own work adds. So while as many
calls are under way as the model has workers, texts wait; the next call takes all that fit. No text waits for others: an
idle model is called at once, and batches form only when callers outrun it.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from gateway.domain.requests import Instance

EVALUATION_INSTANCES = 8
QUIET_SECONDS = 5.0
IDLE_SECONDS = 30.0


class Lane(StrEnum):
    """The lane of a request: people, or services on their behalf, and evaluations."""

    PEOPLE = "people"
    EVALUATION = "evaluation"


@dataclass(eq=False)
class Chunk:
    """Instances of one caller that travel together. `deadline` is in monotonic seconds."""

    instances: list[Instance]
    deadline: float
    request_id: str = ""
    shortened: bool = False
    lane: Lane = Lane.PEOPLE


AnyChunk = TypeVar("AnyChunk", bound=Chunk)


class Coalescer(Generic[AnyChunk]):
    """First come, first served in each lane; a chunk is never split, and an expired one is dropped unsent."""

    def __init__(
        self, max_calls: int, max_instances: int, evaluation_instances: int = EVALUATION_INSTANCES
    ) -> None:
        self.max_calls = max_calls
        self._max_instances = max_instances
        self._evaluation_instances = evaluation_instances
        self._lanes: dict[Lane, deque[AnyChunk]] = {lane: deque() for lane in Lane}
        self._calls = dict.fromkeys(Lane, 0)
        self._people_asked_at = -IDLE_SECONDS

    @property
    def waiting(self) -> int:
        """Return how many chunks wait."""
        return sum(map(len, self._lanes.values()))

    def split(self, instances: list[Instance], lane: Lane = Lane.PEOPLE) -> list[list[Instance]]:
        """Return the instances in parts that fit into one call each."""
        size = self._max_instances
        if lane is Lane.EVALUATION:
            size = min(size, self._evaluation_instances)
        return [instances[start : start + size] for start in range(0, len(instances), size)]

    def offer(self, chunk: AnyChunk) -> None:
        """Queue a chunk for its call."""
        self._lanes[chunk.lane].append(chunk)

    def withdraw(self, chunk: AnyChunk) -> None:
        """Remove a waiting chunk whose caller has left; one in a running call stays."""
        if chunk in self._lanes[chunk.lane]:
            self._lanes[chunk.lane].remove(chunk)

    def begin_call(self, now: float) -> list[AnyChunk]:
        """Return the chunks of a call to make now, counted as under way; empty when there is none to make."""
        under_way = sum(self._calls.values())
        if self._lanes[Lane.PEOPLE]:
            self._people_asked_at = now
            return self._batch(Lane.PEOPLE, self._max_instances, now) if under_way < self.max_calls else []
        quiet = now - self._people_asked_at
        if under_way >= self.max_calls + (quiet >= IDLE_SECONDS):
            return []
        if quiet >= QUIET_SECONDS:
            return self._batch(Lane.EVALUATION, self._max_instances, now)
        if self._calls[Lane.EVALUATION] < max(self.max_calls - 1, 1):
            return self._batch(Lane.EVALUATION, self._evaluation_instances, now)
        return []

    def end_call(self, batch: Sequence[AnyChunk]) -> None:
        """Count a call as over."""
        self._calls[batch[0].lane] -= 1

    def _batch(self, lane: Lane, most: int, now: float) -> list[AnyChunk]:
        waiting = self._lanes[lane]
        batch: list[AnyChunk] = []
        size = 0
        while waiting and size + len(waiting[0].instances) <= most:
            chunk = waiting.popleft()
            if chunk.deadline > now:
                batch.append(chunk)
                size += len(chunk.instances)
        if batch:
            self._calls[lane] += 1
        return batch
