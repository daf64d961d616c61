"""States of a model's workers: usable or not, with the reason."""

from enum import StrEnum

from registry.domain.records import Record
from registry.domain.serving import Registration, Served


class WorkersState(StrEnum):
    """Whether a model predicts, or explains; those that start on demand are `stopped` until somebody asks."""

    STOPPED = "stopped"
    STARTING = "starting"
    READY = "ready"
    FAILED = "failed"


def workers_state(wanted: Registration, held: Served | None, record: Record, now: float) -> WorkersState:
    """Return the state of a registration's workers."""
    if wanted.workers and is_answering(held, record):
        return WorkersState.READY
    if record.pauses(now) or wanted.archive is None:
        return WorkersState.FAILED
    return WorkersState.STARTING if wanted.workers or wanted.waits else WorkersState.STOPPED


def is_answering(held: Served | None, record: Record) -> bool:
    """Tell whether a worker is there that has answered."""
    return held is not None and held.ready_workers > 0 and record.is_answering
