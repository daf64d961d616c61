"""Response schemas of a model on a board: its rank, and its figures by dataset."""

from datetime import datetime
from typing import Annotated, Self
from uuid import UUID

from pydantic import BaseModel, Field

from leaderboard.domain.leads import Lead
from leaderboard.domain.model_board import HIDDEN, ModelBoard, Row, submitter_of
from leaderboard.domain.model_facts import ModelScore
from leaderboard.domain.training_claims import was_trained_on

Places = Annotated[list[int], Field(min_length=2, max_length=2)]
Ends = Annotated[list[float], Field(min_length=2, max_length=2)]


class MetricAnswer(BaseModel):
    """A metric's value on one dataset."""

    value: float
    n: int
    low: float | None
    high: float | None
    reason: str | None


class ModelOnDatasetAnswer(BaseModel):
    """A model on one dataset."""

    evaluation_id: UUID
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

    @classmethod
    def of(cls, found: ModelScore, *, is_hidden: bool, trained_on: bool) -> Self:
        """Return the answer about a score; of hidden datasets nothing that was answered."""
        metrics = {
            name: MetricAnswer(
                value=value.value,
                n=value.n,
                low=value.low,
                high=value.high,
                reason=value.no_interval or None,
            )
            for name, value in found.values.items()
        }
        return cls(
            evaluation_id=found.evaluation_id,
            state=found.state,
            fault=found.fault,
            reason=None if is_hidden else found.reason,
            at=found.happened_at,
            metrics=metrics,
            failed_items=found.failed_items,
            constant_answer=None if is_hidden else found.constant_answer or None,
            target_of_round=found.target_of_round,
            trained_on=trained_on,
        )


class LeadAnswer(BaseModel):
    """What a place hangs on, on the dataset where the fewest items turn it."""

    over: str = Field(description="The model below")
    dataset: str
    items: int = Field(description="Right answers of this dataset that would have to turn wrong")
    n: int = Field(description="Items of the dataset, which both answered")
    difference: int = Field(
        description="n10 - n01: items that this one alone gets right less those of the other"
    )

    @classmethod
    def of(cls, found: Lead) -> Self:
        """Return the answer about a lead."""
        return cls(
            over=found.over, dataset=found.dataset, items=found.items, n=found.n, difference=found.difference
        )


class ModelRowAnswer(BaseModel):
    """A model's row; `rank` is null without a score, and `reason` says why."""

    model: str
    model_digest: str
    submitted_by: UUID | None
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
    target_of: list[int] = Field(
        description="Rounds that it was a target of, and that were selected against it"
    )
    is_constant: bool = Field(description="Whether it gave one answer to over 99 % of a dataset's items")
    primary: list[float | None] = Field(
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
    widened_on: list[str] = Field(
        default_factory=list,
        description="Datasets that count on which the linear form of a metric is poor, so that the wider interval that "
        "the score came with (bootstrapped, or Wilson's) stands for it",
    )
    no_interval: str = Field(
        default="", description="Why a ranked model has no interval; it ties with all others then"
    )
    datasets: dict[str, ModelOnDatasetAnswer] = Field(description="Empty where scores=false")
    reason: str

    @classmethod
    def of(cls, row: Row, board: ModelBoard, person_id: UUID | None, *, scores: bool) -> Self:
        """Return the answer about a row; with `scores` all that is known dataset by dataset."""
        model = row.model
        table = board.table
        place = table.places[model.name]
        return cls(
            model=model.name,
            model_digest=model.model_digest,
            submitted_by=submitter_of(row),
            is_anonymous=model.is_anonymous,
            is_baseline=model.is_baseline,
            is_mine=person_id is not None and model.submitted_by == person_id,
            is_published=model.is_published,
            prediction_only=model.prediction_only,
            external=model.is_external,
            submissions=0 if model.is_anonymous else model.submissions,
            rank=row.rank,
            rank_interval=_listed(row.rank_interval),
            rank_set=_listed(row.rank_set),
            tie_group=row.tie_group,
            score=row.score,
            interval=None if row.interval is None else list(row.interval),
            z_score=row.z_score,
            n=row.n,
            values=dict(row.values),
            target_of=list(table.target_of[place]),
            is_constant=table.is_constant[place],
            primary=list(table.performance[place]),
            lead=None if row.lead is None else LeadAnswer.of(row.lead),
            best_of_gain=row.best_of_gain,
            faster=None if row.faster is None else list(row.faster),
            widened_on=[] if row.rank is None else board.widened_on[place],
            no_interval=row.no_interval,
            datasets=_on_datasets(row, board) if scores else {},
            reason=row.reason,
        )


def _on_datasets(row: Row, board: ModelBoard) -> dict[str, ModelOnDatasetAnswer]:
    known = board.facts.datasets
    return {
        name: ModelOnDatasetAnswer.of(
            found,
            is_hidden=known[name].access == HIDDEN,
            trained_on=was_trained_on(row.model, known[name]),
        )
        for name, found in sorted(row.model.scores.items())
    }


def _listed(places: tuple[int, int] | None) -> list[int] | None:
    return None if places is None else list(places)
