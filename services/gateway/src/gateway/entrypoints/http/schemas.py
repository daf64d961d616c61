"""Shapes of the HTTP interface. Bodies are described here for readers and checked by hand in the domain."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema


class ModelPath(BaseModel):
    """Which model."""

    name: str = Field(max_length=200, description="Name of a served model")


class ModelList(BaseModel):
    """Names of the served models."""

    models: list[str]


class BreakerStatus(BaseModel):
    """Whether calls are let through: closed, open or half open."""

    state: str
    failures_in_a_row: int
    retry_after_seconds: float


class ExplainStatus(BaseModel):
    """Explanation workers: stopped, starting, ready or failed."""

    state: str
    reason: str | None
    in_flight: int
    waiting: int
    max_in_flight: int
    max_characters: int
    breaker: BreakerStatus


class ModelStatus(BaseModel):
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
    fields: list[str]
    labels: list[str]
    start: str
    model_digest: str
    handler_digest: str
    published: bool
    accepted: bool
    submitted_by: str | None = Field(description="Who submitted it, told to services alone")
    worker_peak_bytes: int | None = Field(
        description="Peak resident memory of its largest worker, told to services alone"
    )
    in_flight: int
    max_in_flight: int
    max_characters: int
    breaker: BreakerStatus
    explain: ExplainStatus | None


class ModelStatusList(BaseModel):
    """The served models by name, each with how it does."""

    models: list[ModelStatus]


class ItemError(BaseModel):
    """Why one instance has no answer."""

    type: str
    detail: str


class Prediction(BaseModel):
    """A model's answer, or the error of this one instance.

    Classification gives `label`, several labels `labels`, question answering the span `start`, `end`, `text` (code
    points of the passage) with its `probability`. Models of other task types have members of their own.
    """

    model_config = ConfigDict(extra="allow")

    label: str | SkipJsonSchema[None] = None
    labels: list[str] | SkipJsonSchema[None] = None
    start: int | SkipJsonSchema[None] = None
    end: int | SkipJsonSchema[None] = None
    text: str | SkipJsonSchema[None] = None
    probability: float | SkipJsonSchema[None] = None
    probabilities: dict[str, float] | SkipJsonSchema[None] = None
    error: ItemError | SkipJsonSchema[None] = None


class PredictionList(BaseModel):
    """One entry per instance."""

    predictions: list[Prediction]
    model_digest: str
    handler_digest: str


class ExplanationList(BaseModel):
    """One entry per instance: an explanation, or `{"error": {"type", "detail"}}`."""

    explanations: list[dict[str, Any]]
    model_digest: str
    handler_digest: str


def _body(properties: dict[str, Any]) -> dict[str, Any]:
    schema = {"type": "object", "required": ["instances"], "properties": properties}
    return {"required": True, "content": {"application/json": {"schema": schema}}}


TEXTS = {
    "type": "object",
    "description": "The model's `fields`, each a string; for example premise and hypothesis",
    "minProperties": 1,
    "additionalProperties": {"type": "string"},
}
POSITION = {"type": "integer", "minimum": 0, "maximum": 2**31 - 1}
PREDICT_BODY = _body({"instances": {"type": "array", "minItems": 1, "maxItems": 64, "items": TEXTS}})
EXPLAIN_BODY = _body(
    {
        "instances": {
            "type": "array",
            "minItems": 1,
            "maxItems": 8,
            "items": {
                **TEXTS,
                "properties": {
                    "label": {
                        "type": "string",
                        "description": "Default: the predicted one; of extractive-qa start or end, default start",
                    },
                    "answer": {
                        "type": "object",
                        "description": "Of extractive-qa: code points of the passage; default: the predicted ones",
                        "required": ["start", "end"],
                        "properties": {"start": POSITION, "end": POSITION},
                    },
                },
            },
        },
        "parameters": {
            "type": "object",
            "properties": {
                "n_steps": {"type": "integer", "minimum": 1, "maximum": 160},
                "tolerance": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
                "method": {"type": "string", "enum": ["layer_integrated_gradients"]},
                "baseline": {"type": "string", "enum": ["pad"]},
                "label": {"type": "string"},
            },
        },
    }
)
