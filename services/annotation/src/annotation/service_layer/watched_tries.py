"""Reports of how a try ends, for monitoring of the service."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from dynabench_common.idempotency import ConcurrentReplay, IdempotencyKeyReused
from dynabench_tasks.fields import InputRefused

from annotation.domain.assignment import ContextNotAssigned, QuotaReached
from annotation.domain.round import RoundNotOpen
from annotation.service_layer.ports import TargetRefusesInput
from annotation.service_layer.predictions import Undecidable
from annotation.service_layer.try_watch import Origin, TryWatch

REFUSALS = (
    ContextNotAssigned,
    QuotaReached,
    RoundNotOpen,
    InputRefused,
    TargetRefusesInput,
    IdempotencyKeyReused,
    ConcurrentReplay,
)


@dataclass
class Outcome:
    """The reported outcome of a try unless it raises; the try's code sets it to the verdict."""

    result: str = "failed"


@contextmanager
def watched(watch: TryWatch, task_slug: str, origin: Origin) -> Iterator[Outcome]:
    """Time a try and tell how it ended, whatever is raised inside."""
    outcome, started = Outcome(), time.perf_counter()
    try:
        yield outcome
    except Undecidable:
        outcome.result = "undecidable"
        raise
    except REFUSALS:
        outcome.result = "refused"
        raise
    finally:
        watch.ended(task_slug, origin, outcome.result, time.perf_counter() - started)
