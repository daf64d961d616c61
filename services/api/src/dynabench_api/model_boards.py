"""Boards of models, saved weights, frozen boards and proposed targets."""

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
    trained_on: bool = Field(description="True if the model's card names this data as training data")


class LeadAnswer(Record):
    """A model's lead over the next one, on the dataset where the fewest items would reverse it."""

    over: str = Field(description="The next model")
    dataset: str
    items: int = Field(
        description="Number of right answers that would have to become wrong to reverse the order"
    )
    n: int = Field(description="Number of items of the dataset")
    difference: int = Field(
        description="n10 - n01: items that only this model gets right, minus items that only the other gets right"
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
    external: bool = Field(description="True if its scores or figures were measured outside the platform")
    submissions: int = Field(description="Number of submissions by its submitter to the task")
    rank: int | None
    rank_interval: Places | None = Field(
        description="Range of places for this model alone, from pairwise differences at 97.5 %, unadjusted"
    )
    rank_set: Places | None = Field(
        description="Range of places that holds for the whole board at once with 95 % confidence"
    )
    tie_group: int | None
    score: float | None
    interval: Ends | None
    z_score: float | None = Field(description="Σ w (u - mean) / SD / Σ w over the ranked; classic mode alone")
    n: int
    values: dict[str, float] = Field(description="Mean over datasets by dimension, in the metric's unit")
    target_of: tuple[int, ...] = Field(
        description="Rounds that had this model as a target, so that their examples were selected against it"
    )
    is_constant: bool = Field(description="True if it gave the same answer to over 99 % of a dataset's items")
    primary: tuple[float | None, ...] = Field(
        description="Performance on each dataset of the board, in their order; null if there is none"
    )
    lead: LeadAnswer | None = Field(
        description="Lead over the next model; null unless the metric counts right answers"
    )
    best_of_gain: float | None = Field(
        description="Upper bound, in points, of the gain by luck of the best among as many equal models as its "
        "submitter sent"
    )
    faster: Ends | None = Field(
        description="For the fastest model tied for first place: its speed divided by the next fastest's and by "
        "the slowest's"
    )
    widened_on: tuple[str, ...] = Field(
        default_factory=tuple,
        description="Datasets where the linear form of a metric is a poor approximation. The wider interval of "
        "the score (bootstrap or Wilson) is used there",
    )
    no_interval: str = Field(
        default="", description="Reason why a ranked model has no interval; then it ties with all others"
    )
    datasets: dict[str, ModelOnDatasetAnswer] = Field(description="Results by dataset; empty if scores=false")
    reason: str


class DimensionAnswer(Record):
    """A column of the board."""

    name: str
    metric: str
    unit: str
    direction: str = Field(description="higher or lower: which is better")
    weight: float
    share: float = Field(description="Of all weights that count, 0 to 1")
    price: float | None = Field(description="Points of the score for one unit of utility")
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
    least_difference: float = Field(
        description="Smallest difference between two models, in points, that it detects with 80 % power"
    )
    note: str


class ModelBoardAnswer(Record):
    """The board of a task's models."""

    task_slug: str
    mode: Mode
    external: bool = Field(description="True if it ranks the models that were measured outside the platform")
    external_models: int = Field(description="Number of models that were measured outside the platform")
    gamma: float
    as_of: datetime
    digest: str = Field(
        description="Digest of this board with these weights; equal content has the same digest"
    )
    dimensions: tuple[DimensionAnswer, ...]
    datasets: tuple[BoardDatasetAnswer, ...]
    rows: tuple[ModelRowAnswer, ...]
    problem: str = Field(description="Reason why no model is ranked; else empty")


class MovingDimension(Record):
    """A dimension that can have a weight, with its price."""

    name: str
    price: float


class MovingModel(Record):
    """A ranked model."""

    model: str
    utilities: dict[str, float] = Field(
        description="Mean utility over datasets by dimension, before weight and price"
    )
    variances: dict[str, float] = Field(description="Covariance V in points² by `first:second` dimension")


class MovingPartsAnswer(Record):
    """Parts of a score: Σ share × price × utility over dimensions. Its variance is Σ f f V with f = share × price."""

    dimensions: tuple[MovingDimension, ...]
    models: tuple[MovingModel, ...] = Field(
        description="Empty for the classic rule, because its scores depend on which models are ranked"
    )


class ProposedTargetAnswer(Record):
    """A proposed target, with its place on the board under the task's own weights."""

    model: str
    rank: int
    rank_set: Places
    score: float
    interval: Ends | None
    no_interval: str = Field(default="", description="Reason for a missing interval; else empty")
    n: int = Field(description="Number of items that it is ranked by")
    is_baseline: bool
    trained_on: tuple[str, ...] = Field(description="Training data named by its card; empty if it names none")
    alike: dict[str, float] = Field(
        description="Correlation of its right and wrong answers with those of each target before it"
    )


class PassedOverAnswer(Record):
    """A model of the board that is not proposed, with the reason."""

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
        description="Models with unfinished evaluations; the proposal may change"
    )
    scored_rounds: tuple[int, ...] = Field(description="Rounds that the models are ranked on")
    problem: str = Field(description="Reason why no model is ranked; else empty")


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
    """A frozen board without its content."""

    snapshot_id: Id
    task_slug: str
    created_at: datetime
    as_of: datetime
    sha256: str = Field(description="SHA-256 of the UTF-8 document")


class SnapshotAnswer(SnapshotSummary):
    """A frozen board with its content."""

    board: dict[str, Any] = Field(description="The board as an anonymous visitor sees it, with scores=false")


class SnapshotsAnswer(Page[SnapshotSummary]):
    """A page of frozen boards, the newest first."""
