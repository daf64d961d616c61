"""Boards of models, with what people keep of them, and proposed targets."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from dynabench_api.base import Id, Page, Record
from dynabench_api.words import Mode

Places = Annotated[tuple[int, ...], Field(min_length=2, max_length=2)]


Ends = Annotated[tuple[float, ...], Field(min_length=2, max_length=2)]


class MetricAnswer(Record):
    """A metric's value on one dataset."""

    value: float
    n: int
    low: float | None
    high: float | None
    reason: str | None


class ModelOnDatasetAnswer(Record):
    """A model on one dataset."""

    evaluation_id: Id
    state: str = Field(description="waiting, done or failed")
    fault: str | None
    reason: str | None
    at: datetime
    metrics: dict[str, MetricAnswer]
    failed_items: int
    constant_answer: str | None
    target_of_round: bool
    trained_on: bool = Field(
        description="Whether its card says that it was trained on what this scores it on"
    )


class LeadAnswer(Record):
    """The lead of a place on the dataset where the fewest items reverse it."""

    over: str = Field(description="The model below")
    dataset: str
    items: int = Field(description="Right answers of this dataset that would have to turn wrong")
    n: int = Field(description="Items of the dataset, which both answered")
    difference: int = Field(
        description="n10 - n01: items that this one alone gets right less those of the other"
    )


class ModelRowAnswer(Record):
    """A model's row; `rank` is null without a score, and `reason` says why."""

    model: str
    model_digest: str
    submitted_by: Id | None
    is_anonymous: bool
    is_baseline: bool
    is_mine: bool
    is_published: bool
    prediction_only: bool
    external: bool = Field(description="Whether its scores or figures were measured elsewhere")
    submissions: int = Field(description="How many its submitter sent to the task")
    rank: int | None
    rank_interval: Places | None = Field(
        description="Of this model alone: whom it differs from at 97.5 % each, unadjusted"
    )
    rank_set: Places | None = Field(description="True for the whole board at once with 95 %")
    tie_group: int | None
    score: float | None
    interval: Ends | None
    z_score: float | None = Field(description="Σ w (u - mean) / SD / Σ w over the ranked; classic mode alone")
    n: int
    values: dict[str, float] = Field(description="Means over datasets by dimension, in the metric's unit")
    target_of: tuple[int, ...] = Field(
        description="Rounds that it was a target of, and that were selected against it"
    )
    is_constant: bool = Field(description="Whether it gave one answer to over 99 % of a dataset's items")
    primary: tuple[float | None, ...] = Field(
        description="Performance on each of the board's datasets, in their order; null where there is none"
    )
    lead: LeadAnswer | None = Field(description="Over the next model, where right answers are counted")
    best_of_gain: float | None = Field(
        description="Points that the best of as many equal models as its submitter sent gains by luck, at most"
    )
    faster: Ends | None = Field(
        description="Of the fastest of those tied for the first place: its speed over the next fastest's and over "
        "the slowest's"
    )
    widened_on: tuple[str, ...] = Field(
        default_factory=tuple,
        description="Datasets that count on which the linear form of a metric is poor, so that the wider interval that "
        "the score came with (bootstrapped, or Wilson's) stands for it",
    )
    no_interval: str = Field(
        default="", description="Why a ranked model has no interval; it ties with all others then"
    )
    datasets: dict[str, ModelOnDatasetAnswer] = Field(description="Empty where scores=false")
    reason: str


class DimensionAnswer(Record):
    """A column of the board."""

    name: str
    metric: str
    unit: str
    direction: str = Field(description="higher or lower: which is better")
    weight: float
    share: float = Field(description="Of all weights that count, 0 to 1")
    price: float | None = Field(description="Points of score for one unit of utility")
    price_in_words: str
    is_measured: bool
    note: str


class BoardDatasetAnswer(Record):
    """A dataset of the board."""

    dataset_id: Id
    name: str
    version: int
    kind: str
    round_number: int | None
    access: str
    items: int
    weight: float
    share: float
    least_difference: float = Field(description="Points between two models that it shows with 80 %")
    note: str


class ModelBoardAnswer(Record):
    """The board of a task's models."""

    task_slug: str
    mode: Mode
    external: bool = Field(description="Whether it ranks the models that were measured elsewhere")
    external_models: int = Field(description="How many models were measured elsewhere")
    gamma: float
    as_of: datetime
    digest: str = Field(description="Names this board with these weights; the same content has the same")
    dimensions: tuple[DimensionAnswer, ...]
    datasets: tuple[BoardDatasetAnswer, ...]
    rows: tuple[ModelRowAnswer, ...]
    problem: str = Field(description="Why nobody is ranked; empty otherwise")


class MovingDimension(Record):
    """A dimension that counts once it has a weight, and its price."""

    name: str
    price: float


class MovingModel(Record):
    """A ranked model."""

    model: str
    utilities: dict[str, float] = Field(
        description="Mean over datasets by dimension, before weight and price"
    )
    variances: dict[str, float] = Field(description="V in points² by first:second dimension")


class MovingPartsAnswer(Record):
    """A score is Σ share × price × utility over dimensions, its variance Σ f f V with f = share × price of each."""

    dimensions: tuple[MovingDimension, ...]
    models: tuple[MovingModel, ...] = Field(
        description="None under the classic rule, which depends on who is there"
    )


class ProposedTargetAnswer(Record):
    """A model to put into the loop, with its place on the board under the task's own weights."""

    model: str
    rank: int
    rank_set: Places
    score: float
    interval: Ends | None
    no_interval: str = Field(default="", description="Why it has no interval; empty if it has one")
    n: int = Field(description="Items that it is ranked by")
    is_baseline: bool
    trained_on: tuple[str, ...] = Field(description="What its card says; empty where it says nothing")
    alike: dict[str, float] = Field(
        description="How its right and wrong answers correlate with those of the targets before it"
    )


class PassedOverAnswer(Record):
    """A model of the board that is not proposed, and why."""

    model: str
    rank: int | None
    reason: str


class TargetProposalsAnswer(Record):
    """Targets for a task's next round, the best first."""

    task_slug: str
    as_of: datetime
    proposed: tuple[ProposedTargetAnswer, ...]
    passed_over: tuple[PassedOverAnswer, ...]
    waiting: tuple[str, ...] = Field(
        description="Models whose evaluations are not all done; the proposal may change"
    )
    scored_rounds: tuple[int, ...] = Field(description="Rounds whose items the models are ranked by")
    problem: str = Field(description="Why nobody is ranked; empty otherwise")


class ViewAnswer(Record):
    """Saved weights."""

    view_id: Id
    task_slug: str
    name: str
    weights: dict[str, float]
    datasets: dict[str, float]
    gamma: float
    mode: Mode
    created_at: datetime
    is_mine: bool


class ViewsAnswer(Page[ViewAnswer]):
    """A page of saved weights, the newest first."""


class SnapshotSummary(Record):
    """A frozen board without what is on it."""

    snapshot_id: Id
    task_slug: str
    created_at: datetime
    as_of: datetime
    sha256: str = Field(description="Of the document, in UTF-8")


class SnapshotAnswer(SnapshotSummary):
    """A frozen board whole."""

    board: dict[str, Any] = Field(
        description="What the board answered to somebody who is not signed in, with scores=false"
    )


class SnapshotsAnswer(Page[SnapshotSummary]):
    """A page of frozen boards, the newest first."""
