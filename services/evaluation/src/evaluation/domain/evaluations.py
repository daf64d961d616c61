"""Evaluations: one model on one version of a dataset, by one version of the metrics.

An evaluation is queued with its shards, runs while they are answered, is finishing once all are, and ends done, failed
or cancelled. One that failed or was cancelled can be queued again; what was answered stays.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from dynabench_events.score import (
    EvaluatedDataset,
    EvaluatedModel,
    EvaluationFailed,
    EvaluationRequested,
    Fault,
)

SHARD_REQUESTS = 256
FIGURE_UNITS = {"throughput": "examples/s", "memory": "GiB", "fairness": "%", "robustness": "%"}


class Kind(StrEnum):
    """The origin of a dataset's items; a diagnostic suite is uploaded too, and reported test by test."""

    ROUND = "round"
    STATIC = "static"
    DIAGNOSTIC = "diagnostic"


class Access(StrEnum):
    """The visibility of a dataset.

    Of `open` ones everything; of `scoring` ones scores and, by the task's owners, the items; of `hidden` ones scores,
    numbers and classes of failure alone.
    """

    OPEN = "open"
    SCORING = "scoring"
    HIDDEN = "hidden"


class EvaluationState(StrEnum):
    """States of an evaluation."""

    QUEUED = "queued"
    RUNNING = "running"
    FINISHING = "finishing"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class LogEvent(StrEnum):
    """Events of an evaluation's log."""

    REQUESTED = "requested"
    TAKEN_OVER = "taken_over"
    BEGUN = "begun"
    WAITS = "waits"
    GOES_ON = "goes_on"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


OPEN_STATES = (EvaluationState.QUEUED, EvaluationState.RUNNING, EvaluationState.FINISHING)
ENDED_STATES = (EvaluationState.DONE, EvaluationState.FAILED, EvaluationState.CANCELLED)


@dataclass(frozen=True, slots=True)
class External:
    """Figures measured elsewhere, in `FIGURE_UNITS`, and whether scores are given instead of answers."""

    are_scores: bool
    figures: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class LiveModel:
    """A model that is served, or one of which only predictions are known.

    `worker_peak_bytes` is the peak resident memory of its largest worker, None where nobody can tell.
    """

    name: str
    task_slug: str
    model_digest: str
    handler_digest: str
    submitted_by: UUID | None
    published: bool
    prediction_only: bool = False
    worker_peak_bytes: int | None = None
    external: External | None = None

    @property
    def evaluated(self) -> EvaluatedModel:
        """Return the model in the form that events contain."""
        return EvaluatedModel(
            self.name,
            self.model_digest,
            self.handler_digest,
            self.submitted_by,
            self.prediction_only,
            self.external is not None,
        )


@dataclass(frozen=True, slots=True)
class ScoredDataset:
    """A dataset that models are scored on; `requests` counts its items and their variants."""

    dataset_id: UUID
    name: str
    version: int
    title: str
    task_slug: str
    kind: Kind
    access: Access
    licence: str
    digest: str
    created_by: UUID
    requested_at: datetime
    round_id: UUID | None = None
    round_number: int | None = None
    items_key: str | None = None
    requests_key: str | None = None
    items: int | None = None
    clusters: int | None = None
    requests: int | None = None
    state: str = "preparing"
    error: Mapping[str, Any] | None = None

    @property
    def evaluated(self) -> EvaluatedDataset:
        """Return the dataset in the form that events contain."""
        return EvaluatedDataset(
            self.dataset_id,
            self.name,
            self.version,
            self.digest,
            self.kind,
            self.round_id,
            self.round_number or 0,
            self.access,
            self.items or 0,
        )


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An evaluation with its model and dataset; `waits_for` is the reason for a wait, if it waits."""

    evaluation_id: UUID
    model: LiveModel
    dataset: ScoredDataset
    metric_version: int
    state: EvaluationState
    event_version: int
    shards: int
    shards_done: int

    @property
    def isolated(self) -> UUID | None:
        """Return its id if not everybody may see the texts, so that no cache or batch shares them; else None."""
        return None if self.dataset.access is Access.OPEN else self.evaluation_id

    def requested(self, at: datetime) -> EvaluationRequested:
        """Return the event that the evaluation is queued."""
        return EvaluationRequested(
            evaluation_id=self.evaluation_id,
            task_slug=self.dataset.task_slug,
            model=self.model.evaluated,
            dataset=self.dataset.evaluated,
            metric_version=self.metric_version,
            requested_at=at,
        )

    def failed(self, fault: Fault, reason: str, at: datetime) -> EvaluationFailed:
        """Return the event that the evaluation ended without a score."""
        return EvaluationFailed(
            evaluation_id=self.evaluation_id,
            task_slug=self.dataset.task_slug,
            model=self.model.evaluated,
            dataset=self.dataset.evaluated,
            metric_version=self.metric_version,
            fault=fault,
            reason=reason,
            failed_at=at,
        )


@dataclass(frozen=True, slots=True)
class ShardWork:
    """A stretch of a dataset's requests to be answered by a model."""

    shard_id: UUID
    evaluation: Evaluation
    number: int
    first_request: int
    requests: int


@dataclass(frozen=True, slots=True)
class FinishedShard:
    """A finished shard: its number of requests, and its start and end times."""

    requests: int
    begun_at: datetime
    answered_at: datetime


@dataclass(frozen=True, slots=True)
class AnswerFailed:
    """Reason why a request has no usable answer."""

    reason: str


class EvaluationFailure(Exception):
    """An evaluation can't continue: the party at fault, and the reason."""

    def __init__(self, fault: Fault, reason: str) -> None:
        super().__init__(reason)
        self.fault = fault
        self.reason = reason


class ModelAway(Exception):
    """The model does not answer now; retry after `seconds`."""

    def __init__(self, reason: str, seconds: float) -> None:
        super().__init__(reason)
        self.reason = reason
        self.seconds = seconds


def shards_of(requests: int, size: int = SHARD_REQUESTS) -> Sequence[tuple[int, int]]:
    """Return the first request and the number of requests of each shard."""
    return [(first, min(size, requests - first)) for first in range(0, requests, size)]


def seconds_left(requests: int, finished: Sequence[FinishedShard]) -> float | None:
    """Return the estimated time for this number of requests, at the rate of these shards; None without a shard.

    The rate is their requests over the time in which at least one shard was in progress. Parallel shards count that
    time once. Gaps between shards, such as waits for the model, do not count.
    """
    busy, until = 0.0, None
    for shard in sorted(finished, key=lambda each: each.begun_at):
        begun = shard.begun_at if until is None else max(shard.begun_at, until)
        busy += max(0.0, (shard.answered_at - begun).total_seconds())
        until = shard.answered_at if until is None else max(shard.answered_at, until)
    answered = sum(shard.requests for shard in finished)
    return requests * busy / answered if busy > 0 and answered else None
