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
    address: str | None = Field(
        description="Where a model in a sandbox is served; null: the shared TorchServe"
    )
    submitted_by: str | None = Field(description="Who submitted it; null for those of the installation")
    worker_peak_bytes: int | None = Field(
        default=None, description="Peak resident memory of its largest worker; null where nobody can tell"
    )
    scorers: tuple[Scorer, ...] | None = Field(
        default=None, description="Sandboxes that answer one evaluation each; null: it needs none"
    )
    accepted: bool = Field(description="Whether it has passed its checks; until then these alone may ask it")
    published: bool = Field(description="Whether everybody may ask it, and rounds may take it as a target")


class ModelList(Record):
    """Every model that should be served; `problem` is what is wrong with the models file, if anything is."""

    models: tuple[Model, ...]
    problem: str | None


class WorkersStatus(Record):
    """The result of a request to start workers."""

    name: str
    state: str
