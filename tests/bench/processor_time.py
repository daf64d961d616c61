"""Processor time of the platform's parts, as the operating system counts it: other programs move it least."""

import time
from collections.abc import Mapping

import psutil
from dynabench_local.stack import Stack

IDLE_SECONDS = 10


class ProcessorTime:
    """What each part uses beyond what it uses while nobody asks for anything; models are not counted."""

    def __init__(self, stack: Stack) -> None:
        """Watch the stack do nothing for IDLE_SECONDS, then begin to count."""
        self._stack = stack
        began, before = time.monotonic(), self._used()
        time.sleep(IDLE_SECONDS)
        idled, after = time.monotonic() - began, self._used()
        self._idle = {part: (after[part] - before.get(part, 0.0)) / idled for part in after}
        self._began, self._before = time.monotonic(), self._used()

    def spent(self) -> dict[str, float]:
        """Return the seconds that each part has used since the beginning, beyond its idle use."""
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
