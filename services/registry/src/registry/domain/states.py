"""What is told about a model: can it be used, and if not, why."""

from enum import StrEnum

from registry.domain.records import Record
from registry.domain.serving import Registration, Served


class ModelState(StrEnum):
    """Whether a model predicts."""

    DEPLOYING = "deploying"
    READY = "ready"
    FAILED = "failed"


class ExplainerState(StrEnum):
    """Whether a model explains; `stopped` until somebody asks."""

    STOPPED = "stopped"
    STARTING = "starting"
    READY = "ready"
    FAILED = "failed"


def _is_ready(held: Served | None, record: Record) -> bool:
    return held is not None and held.ready_workers > 0 and record.is_answering


def model_state(wanted: Registration, held: Served | None, record: Record, now: float) -> ModelState:
    """Return a model's state."""
    if _is_ready(held, record):
        return ModelState.READY
    if record.pauses(now) or wanted.archive is None:
        return ModelState.FAILED
    return ModelState.DEPLOYING


def explainer_state(wanted: Registration, held: Served | None, record: Record, now: float) -> ExplainerState:
    """Return the state of a model's explanations."""
    if wanted.workers and _is_ready(held, record):
        return ExplainerState.READY
    if record.pauses(now) or wanted.archive is None:
        return ExplainerState.FAILED
    return ExplainerState.STARTING if wanted.workers else ExplainerState.STOPPED
