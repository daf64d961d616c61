"""Processor time of the platform's parts, as the operating system counts it: other programs move it least."""

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping

import psutil
from dynabench_local.stack import INFRASTRUCTURE, Stack

from tests.figures import Figure, at_most, plain
from tests.own_platform import console

IDLE_SECONDS = 10
STORES = {*INFRASTRUCTURE, "edge"}
LEAST_MS = 0.05


class ProcessorTime:
    """Each part's processor time beyond that of an idle platform; models are not counted."""

    def __init__(self, stack: Stack) -> None:
        """Measure the idle stack for IDLE_SECONDS, then begin to count."""
        self._stack = stack
        began, before = time.monotonic(), self._used()
        time.sleep(IDLE_SECONDS)
        idled, after = time.monotonic() - began, self._used()
        self._idle = {part: (after[part] - before.get(part, 0.0)) / idled for part in after}
        self.restart()

    def restart(self) -> None:
        """Restart the count."""
        self._began, self._before = time.monotonic(), self._used()

    def spent(self) -> dict[str, float]:
        """Return each part's processor seconds since the start, less its idle use."""
        took, used = time.monotonic() - self._began, self._used()
        return {
            part: max(0.0, used[part] - self._before.get(part, 0.0) - took * self._idle.get(part, 0.0))
            for part in used
        }

    def _used(self) -> Mapping[str, float]:
        states = self._stack.supervisor.states().items()
        return {part: _of_tree(info["pid"]) for part, info in states if info["pid"] and part != "torchserve"}


def _of_tree(pid: int) -> float:
    """Return the seconds that a process and its living children have used."""
    used = 0.0
    for process in (psutil.Process(pid), *psutil.Process(pid).children(recursive=True)):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        used += times.user + times.system
    return used


class Cost:
    """Processor time of operations of one kind, with the work that they cause later.

    The services are all Python services and workers. PostgreSQL, Kafka, the object store and the edge are separate.
    """

    def __init__(self) -> None:
        self._operations = 0
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def add(self, spent: ProcessorTime, operations: int) -> None:
        """Add the cost of so many operations since the last restart."""
        self._operations += operations
        for part, seconds in spent.spent().items():
            self._seconds[part] += seconds

    def figures(self, name: str, bar: float) -> Iterator[Figure]:
        """Return milliseconds for one operation, and print those of each part; the limit applies to the services."""
        milliseconds = {
            part: 1000 * seconds / max(1, self._operations)
            for part, seconds in sorted(self._seconds.items(), key=lambda item: -item[1])
        }
        stores = sum(spent for part, spent in milliseconds.items() if part in STORES)
        services = sum(milliseconds.values()) - stores
        parts = ", ".join(f"{part} {spent:.1f}" for part, spent in milliseconds.items() if spent >= LEAST_MS)
        console.print(f"{name}, milliseconds of processor time by part: {parts}")
        yield plain(f"{name}: operations measured", self._operations, "operations")
        yield at_most(f"{name}: processor time of the services", services, "ms", bar)
        yield plain(f"{name}: processor time of stores and edge", stores, "ms")
