"""Results of the gateway (KServe V1)."""

from pydantic import Field

from dynabench_client.results.base import Result


class Breaker(Result):
    """Whether calls are let through: closed, open or half open."""

    state: str
    failures_in_a_row: int
    retry_after_seconds: float


class Explainer(Result):
    """The explanation workers of a model: stopped, starting, ready or failed."""

    state: str
    reason: str | None
    in_flight: int
    waiting: int
    max_in_flight: int
    max_characters: int
    breaker: Breaker


class ModelName(Result):
    """A served model of which only the name is told."""

    name: str


class Model(ModelName):
    """A served model; `fields` are the texts an instance must have, in order.

    One that is not `published` is shown to its submitter and the owners of its task. Services alone are told
    `submitted_by` and `worker_peak_bytes`, the peak resident memory of its largest worker.
    It has `in_flight` of at most `max_in_flight` instances in hand, and takes texts of `max_characters`.
    """

    ready: bool
    state: str
    start: str
    reason: str | None
    version: str
    task: str
    task_type: str
    fields: tuple[str, ...]
    labels: tuple[str, ...]
    model_digest: str
    handler_digest: str
    published: bool
    accepted: bool
    submitted_by: str | None
    worker_peak_bytes: int | None
    in_flight: int
    max_in_flight: int
    max_characters: int
    breaker: Breaker
    explain: Explainer | None


class ModelNames(Result):
    """The names of the served models."""

    models: tuple[str, ...]


class ModelStatuses(Result):
    """The served models by name."""

    models: tuple[Model, ...]


class ItemError(Result):
    """Why one instance of a batch has no answer."""

    type: str
    detail: str


class Prediction(Result):
    """A model's answer by its type, or the error of this one item.

    Classification gives `label`, several labels `labels`, question answering the span `start`, `end`, `text`
    (code points of the passage) with its `probability`. What a model of the type does not give is left out.
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

    predictions: tuple[Prediction, ...]
    model_digest: str
    handler_digest: str
