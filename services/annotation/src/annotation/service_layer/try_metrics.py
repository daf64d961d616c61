"""Time to a verdict for Prometheus, by task, origin and result."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

from dynabench_common.http.idempotency import ConcurrentReplay, IdempotencyKeyReused
from dynabench_common.telemetry.metrics import KnownNames
from dynabench_tasks.fields import InputRefused
from prometheus_client import Histogram

from annotation.domain.assignment import ContextNotAssigned, QuotaReached
from annotation.domain.errors import TargetRefusesInput
from annotation.domain.round import RoundNotOpen
from annotation.service_layer.predictions import Undecidable

VERDICT_SECONDS = Histogram(
    "dynabench_verdict_seconds",
    "Time from a try whose input is in order to its stored verdict, or to why there is none",
    ("task", "origin", "result"),
    buckets=(0.05, 0.1, 0.15, 0.25, 0.4, 0.6, 1.0, 2.0, 3.0, 5.0),
)
KNOWN_TASKS = KnownNames()
REFUSALS = (
    ContextNotAssigned,
    QuotaReached,
    RoundNotOpen,
    InputRefused,
    TargetRefusesInput,
    IdempotencyKeyReused,
    ConcurrentReplay,
)


class Origin(StrEnum):
    """The maker of a try: a person, or the platform, which stores nothing of it."""

    PERSON = "person"
    SYNTHETIC = "synthetic"


@dataclass
class Outcome:
    """The result of a try unless it raises; the try's code sets it to the verdict."""

    result: str = "failed"


@contextmanager
def timed_try(task_slug: str, origin: Origin) -> Iterator[Outcome]:
    """Time a try by its result: a verdict, `undecidable` (too few targets answered), `refused` or `failed`."""
    outcome, started = Outcome(), time.perf_counter()
    task = KNOWN_TASKS(task_slug)
    for failure in (
        "undecidable",
        "failed",
    ):  # a series that begins with its first failure would hide that one
        VERDICT_SECONDS.labels(task, origin, failure)
    try:
        yield outcome
    except Undecidable:
        outcome.result = "undecidable"
        raise
    except REFUSALS:
        outcome.result = "refused"
        raise
    finally:
        VERDICT_SECONDS.labels(task, origin, outcome.result).observe(time.perf_counter() - started)
