"""Served models and their answers, from the gateway (KServe V1)."""

from typing import Any

from pydantic import ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from dynabench_api.base import Record


class ModelList(Record):
    """Names of the served models."""

    models: tuple[str, ...]


class BreakerStatus(Record):
    """The state of a circuit breaker: closed, open or half open."""

    state: str
    failures_in_a_row: int
    retry_after_seconds: float


class ExplainStatus(Record):
    """Explanation workers: stopped, starting, ready or failed."""

    state: str
    reason: str | None
    in_flight: int
    waiting: int
    max_in_flight: int
    max_characters: int
    breaker: BreakerStatus


class ModelStatus(Record):
    """A served model. `state` is that of its prediction workers: stopped, starting, ready or failed.

    An instance holds exactly the texts that `fields` names. `start` is always or on_demand.
    """

    name: str
    ready: bool
    state: str
    reason: str | None
    version: str
    task: str
    task_type: str
    fields: tuple[str, ...]
    labels: tuple[str, ...]
    start: str
    model_digest: str
    handler_digest: str
    published: bool
    accepted: bool
    submitted_by: str | None = Field(description="Id of the submitter. Only services see it")
    worker_peak_bytes: int | None = Field(
        description="Peak resident memory of its largest worker in bytes. Only services see it"
    )
    in_flight: int
    max_in_flight: int
    max_characters: int
    breaker: BreakerStatus
    explain: ExplainStatus | None


class ModelStatusList(Record):
    """The served models with their states, ordered by name."""

    models: tuple[ModelStatus, ...]


class ItemError(Record):
    """The reason why one instance has no answer."""

    type: str
    detail: str


class Prediction(Record):
    """A model's answer, or the error of this one instance.

    Classification gives `label`, or `labels` for several. Question answering gives the span `start`, `end` (code
    points of the passage) and `text`, with its `probability`. Models of other task types have other members.
    """

    model_config = ConfigDict(extra="allow")

    label: str | SkipJsonSchema[None] = None
    labels: tuple[str, ...] | SkipJsonSchema[None] = None
    start: int | SkipJsonSchema[None] = None
    end: int | SkipJsonSchema[None] = None
    text: str | SkipJsonSchema[None] = None
    probability: float | SkipJsonSchema[None] = None
    probabilities: dict[str, float] = Field(default_factory=dict)
    error: ItemError | SkipJsonSchema[None] = None


class PredictionList(Record):
    """One entry per instance."""

    predictions: tuple[Prediction, ...]
    model_digest: str
    handler_digest: str


class ExplanationList(Record):
    """One entry per instance: an explanation, or `{"error": {"type", "detail"}}`."""

    explanations: tuple[dict[str, Any], ...]
    model_digest: str
    handler_digest: str
