"""Models that the registry declares, for the gateway."""

from pydantic import Field

from dynabench_api.base import Record


class Explainer(Record):
    """A model's explanations: stopped, starting, ready or failed."""

    serving_name: str
    state: str
    reason: str | None
    start: str
    max_in_flight: int
    max_characters: int
    response_timeout_seconds: int


class Scorer(Record):
    """A sandbox that answers one evaluation: stopped, starting, ready or failed."""

    serving_name: str
    state: str
    reason: str | None
    address: str | None


class Model(Record):
    """A declared model: stopped, starting, ready or failed."""

    name: str
    version: str
    task: str
    task_type: str
    fields: tuple[str, ...]
    labels: tuple[str, ...]
    model_digest: str
    handler_digest: str
    state: str
    reason: str | None
    serving_name: str
    workers: int
    start: str
    idle_seconds: float
    max_in_flight: int
    max_characters: int
    response_timeout_seconds: int
    explain: Explainer | None
    address: str | None = Field(description="Address of the model's sandbox; null for the shared TorchServe")
    submitted_by: str | None = Field(description="Id of the submitter; null for models of the installation")
    worker_peak_bytes: int | None = Field(
        default=None, description="Peak resident memory of its largest worker in bytes; null if unknown"
    )
    scorers: tuple[Scorer, ...] | None = Field(
        default=None, description="Sandboxes that answer one evaluation each; null if the model needs none"
    )
    accepted: bool = Field(
        description="True after the model has passed its checks; before, only the checks may ask it"
    )
    published: bool = Field(description="True if everybody may ask it and rounds may use it as a target")
    private: bool = Field(
        default=False,
        description="True if its task is private: only people who see the task may ask the model",
    )


class ModelList(Record):
    """All declared models. `problem` describes an error in the models file; null if there is none."""

    models: tuple[Model, ...]
    problem: str | None


class WorkersStatus(Record):
    """The result of a request to start workers."""

    name: str
    state: str
