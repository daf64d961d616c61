"""Events about scores of models on datasets. Published by scoring."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from dynabench.score.v1 import score_pb2

from dynabench_events.codec import EventRecord, event

TOPIC = "dynabench.score.v1"


class Fault(StrEnum):
    """The side at fault for an evaluation without a result."""

    YOURS = "yours"
    OURS = "ours"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class EvaluatedModel:
    """A model, or one known only by its predictions; `submitted_by` is None for those of the installation.

    `external` ones state scores or figures measured by others.
    """

    name: str
    model_digest: str
    handler_digest: str = ""
    submitted_by: UUID | None = None
    prediction_only: bool = False
    external: bool = False


@dataclass(frozen=True, slots=True)
class EvaluatedDataset:
    """A version of a dataset; `kind` is round or static, `round_number` 0 where there is no round."""

    dataset_id: UUID
    name: str
    version: int
    digest: str
    kind: str
    round_id: UUID | None
    round_number: int
    access: str
    items: int


@event(score_pb2.EvaluationRequested, of="evaluation_id", at="requested_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationRequested(EventRecord):
    """A model waits to be evaluated on a dataset."""

    evaluation_id: UUID
    task_slug: str
    model: EvaluatedModel
    dataset: EvaluatedDataset
    metric_version: int
    requested_at: datetime


@dataclass(frozen=True, slots=True)
class MetricValue:
    """A metric's value in its unit, over `n`, with its 95 % interval; `no_interval` says why there is none."""

    metric: str
    value: float
    n: int
    low: float = 0.0
    high: float = 0.0
    no_interval: str = ""


@dataclass(frozen=True, slots=True)
class Influence:
    """The influence of each cluster of items on a metric's value: 32-bit floats, little-endian, one per cluster."""

    metric: str
    values: bytes


@event(score_pb2.ScoreComputed, of="evaluation_id", at="computed_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreComputed(EventRecord):
    """A model was evaluated on a dataset.

    `failed_items` had no usable prediction and count as wrong; `constant_answer` is the answer to over 99 % of the
    items, empty if there is none.
    """

    evaluation_id: UUID
    task_slug: str
    model: EvaluatedModel
    dataset: EvaluatedDataset
    metric_version: int
    values: tuple[MetricValue, ...]
    influences: tuple[Influence, ...]
    failed_items: int
    constant_answer: str
    target_of_round: bool
    computed_at: datetime


@event(score_pb2.EvaluationFailed, of="evaluation_id", at="failed_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationFailed(EventRecord):
    """A model could not be evaluated on a dataset; a retry is followed by other events."""

    evaluation_id: UUID
    task_slug: str
    model: EvaluatedModel
    dataset: EvaluatedDataset
    metric_version: int
    fault: Fault
    reason: str
    failed_at: datetime
