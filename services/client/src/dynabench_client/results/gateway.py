"""Results of the gateway (KServe V1)."""

from typing import Any

from pydantic import Field, field_validator

from dynabench_client.results.base import Result


class Explainer(Result):
    """The explanation workers of a model: stopped, starting, ready or failed."""

    state: str = ""
    reason: str | None = None


class Model(Result):
    """A served model; `fields` are the texts an instance must have, in order."""

    name: str
    ready: bool = False
    state: str = ""
    start: str = "always"
    reason: str | None = None
    version: str = ""
    task: str = ""
    task_type: str = ""
    fields: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    model_digest: str = ""
    handler_digest: str = ""
    explain: Explainer | None = None


class Models(Result):
    """The served models; a name alone stands for a model of which nothing else is told."""

    models: tuple[Model, ...] = ()

    @field_validator("models", mode="before")
    @classmethod
    def _names_are_models(cls, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return [{"name": item} if isinstance(item, str) else item for item in value]


class ItemError(Result):
    """Why one instance of a batch has no answer."""

    type: str = ""
    detail: str = ""


class Prediction(Result):
    """A model's answer by its type, or the error of this one item.

    Classification gives `label`, several labels `labels`, question answering the span `start`, `end`, `text`
    (code points of the passage) with its `probability`.
    """

    label: str | None = None
    labels: tuple[str, ...] | None = None
    start: int | None = None
    end: int | None = None
    text: str | None = None
    probability: float | None = None
    probabilities: dict[str, float] = Field(default_factory=dict)
    error: ItemError | None = None


class Predictions(Result):
    """Predictions in the order of the instances."""

    predictions: tuple[Prediction, ...] = ()
    model_digest: str = ""
    handler_digest: str = ""


class Attributions(Result):
    """Explanations in the order of the instances, as the model's handler states them."""

    explanations: tuple[dict[str, Any], ...] = ()
    model_digest: str = ""
    handler_digest: str = ""
