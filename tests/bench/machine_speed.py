"""The machine's present speed, measured by a task without the platform.

Targets in milliseconds or per second were set on one machine. On another machine, or while the host is busy, they are
scaled by the task's longer time. The result is a ratio of two times of the same run.
"""

import json
import statistics
import time
from collections.abc import Callable, Iterable

from tests.figures import Figure

REFERENCE_SECONDS = 0.3
"""The task's time on the machine of the targets: the median of quiet runs."""
DOCUMENTS = 10_000
RUNS = 5
DOCUMENT = {
    "round_id": "6f0c3a52-7a5e-4a0e-9f0b-0f4f1a3f7f10",
    "context": {"premise": "The committee met twice before the vote, and once after it. " * 4},
    "answers": [
        {"target": f"target-{number}", "label": "neutral", "score": number / 7} for number in range(8)
    ],
}


def slowness() -> float:
    """Return how many times longer the task takes now than on the reference machine; at least 1.

    A faster machine has the same limits: much of a wait is disks and timers, which it doesn't shorten.
    """
    return max(1.0, statistics.median(_seconds() for _ in range(RUNS)) / REFERENCE_SECONDS)


def at_its_speed(measure: Callable[[], Iterable[Figure]]) -> list[Figure]:
    """Return figures with the machine's speed while they were measured: the mean of right before and right after."""
    before = slowness()
    figures = list(measure())
    while_measured = (before + slowness()) / 2
    return [figure.on_machine(while_measured) for figure in figures]


def _seconds() -> float:
    """Return the processor time that it takes to write and read a document many times.

    It is processor time, so that the measured platform does not make the machine look slow.
    """
    began = time.process_time()
    for number in range(DOCUMENTS):
        json.loads(json.dumps({**DOCUMENT, "number": number}))
    return time.process_time() - began
