"""What boards of models are asked with, and what they answer."""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Self
from uuid import UUID

from dynabench_common.problems import Problem
from dynabench_common.schemas import Input, Text
from dynabench_tasks.metrics import METRICS
from pydantic import BaseModel, Field

from leaderboard.domain.board_choice import EVERY_DIMENSION, Choice, Dimension, Mode, WeightedDataset
from leaderboard.domain.model_board import HIDDEN, ModelBoard, Row, submitter_of
from leaderboard.domain.model_facts import ModelScore
from leaderboard.domain.ranking.utility import PERFORMANCE, SIGNS
from leaderboard.domain.training_claims import was_trained_on

Places = Annotated[list[int], Field(min_length=2, max_length=2)]
Ends = Annotated[list[float], Field(min_length=2, max_length=2)]
LARGEST_WEIGHT = 1e6
NAMES = (*EVERY_DIMENSION, *(name for name in METRICS.names if name not in EVERY_DIMENSION))
MOST_NAMED = 200
WORDS = {
    "throughput": "twice the baseline's speed",
    "latency": "half the baseline's time to an answer",
    "memory": "half the baseline's memory",
    "fairness": "1 point of fairness",
    "robustness": "1 point of robustness",
}


class TaskPath(BaseModel):
    """Names a task."""

    slug: Text = Field(max_length=100)


class ModelBoardQuery(Input):
    """The weights that a reader chose."""

    weights: str = Field(
        default="",
        max_length=2_000,
        description="Weights of dimensions: performance:4,throughput:1; what is not named has the task's default",
    )
    datasets: str = Field(
        default="", max_length=4_000, description="Weights of datasets: sentiment-round-1:2; 1 without"
    )
    gamma: float = Field(default=1.0, gt=0, le=1, description="What a round counts less than the next one")
    mode: Mode = Field(
        default=Mode.UTILITY, description="utility, or classic, which is the published Dynascore"
    )

    def choice(self) -> Choice:
        """Return the choice. Raises Problem 422 for weights that can't be read."""
        weights = _pairs(self.weights, "weights")
        unknown = next((name for name in weights if name not in NAMES), None)
        if unknown is not None:
            raise _unusable("weights", f"{unknown!r} is no dimension", f"Name any of {', '.join(NAMES)}.")
        return Choice(weights, _pairs(self.datasets, "datasets"), self.gamma, self.mode)


class DimensionAnswer(BaseModel):
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

    @classmethod
    def of(cls, found: Dimension) -> Self:
        """Return the answer about a dimension."""
        return cls(
            name=found.name,
            metric=found.metric,
            unit="× baseline" if found.name in SIGNS else "%",
            direction="lower" if SIGNS.get(found.name, 1.0) < 0 else "higher",
            weight=found.weight,
            share=found.share,
            price=found.price,
            price_in_words=_price_in_words(found),
            is_measured=found.is_measured,
            note=found.note,
        )


class BoardDatasetAnswer(BaseModel):
    """A dataset of the board."""

    dataset_id: UUID
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

    @classmethod
    def of(cls, found: WeightedDataset) -> Self:
        """Return the answer about a dataset."""
        dataset = found.dataset
        return cls(
            dataset_id=dataset.dataset_id,
            name=dataset.name,
            version=dataset.version,
            kind=dataset.kind,
            round_number=dataset.round_number or None,
            access=dataset.access,
            items=dataset.items,
            weight=found.weight,
            share=found.share,
            least_difference=found.least_difference,
            note=found.note,
        )


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
    datasets: dict[str, ModelOnDatasetAnswer]
    reason: str

    @classmethod
    def of(cls, row: Row, board: ModelBoard, person_id: UUID | None) -> Self:
        """Return the answer about a row."""
        model = row.model
        access = {name: dataset.access for name, dataset in board.facts.datasets.items()}
        rounds = {name: dataset.round_number for name, dataset in board.facts.datasets.items()}
        return cls(
            model=model.name,
            model_digest=model.model_digest,
            submitted_by=submitter_of(row),
            is_anonymous=model.is_anonymous,
            is_baseline=model.is_baseline,
            is_mine=person_id is not None and model.submitted_by == person_id,
            is_published=model.is_published,
            prediction_only=model.prediction_only,
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
            target_of=sorted(rounds[name] for name, found in model.scores.items() if found.target_of_round),
            is_constant=any(found.constant_answer for found in model.scores.values()),
            datasets={
                name: ModelOnDatasetAnswer.of(
                    found,
                    is_hidden=access[name] == HIDDEN,
                    trained_on=was_trained_on(model, board.facts.datasets[name]),
                )
                for name, found in sorted(model.scores.items())
            },
            reason=row.reason,
        )


class ModelBoardAnswer(BaseModel):
    """The board of a task's models."""

    task_slug: str
    mode: Mode
    gamma: float
    as_of: datetime
    digest: str = Field(description="Names this board with these weights; the same content has the same")
    dimensions: list[DimensionAnswer]
    datasets: list[BoardDatasetAnswer]
    rows: list[ModelRowAnswer]
    problem: str = Field(description="Why nobody is ranked; empty otherwise")

    @classmethod
    def of(cls, board: ModelBoard, person_id: UUID | None) -> Self:
        """Return the answer about a board."""
        answer = cls(
            task_slug=board.facts.task_slug,
            mode=board.choice.mode,
            gamma=board.choice.gamma,
            as_of=board.facts.as_of,
            digest="",
            dimensions=[DimensionAnswer.of(each) for each in board.dimensions],
            datasets=[BoardDatasetAnswer.of(each) for each in board.datasets],
            rows=[ModelRowAnswer.of(row, board, person_id) for row in board.rows],
            problem=board.problem,
        )
        content = answer.model_dump(mode="json", exclude={"as_of", "digest"})
        answer.digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:12]
        return answer


def _pairs(text: str, field: str) -> Mapping[str, float]:
    """Return weights by name out of `name:weight,…`. Raises Problem 422."""
    found: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, given = part.replace("=", ":").rpartition(":")
        try:
            weight = float(given)
        except ValueError:
            weight = -1.0
        if not name or not 0 <= weight <= LARGEST_WEIGHT:
            remedy = f"Write name:weight, the weight a number from 0 to {LARGEST_WEIGHT:,.0f}."
            raise _unusable(field, f"{part[:60]!r} is no weight", remedy)
        found[name.strip()] = weight
    if len(found) > MOST_NAMED:
        raise _unusable(field, "too many are named", f"Name at most {MOST_NAMED}.")
    return found


def _unusable(field: str, reason: str, remedy: str) -> Problem:
    return Problem(
        422,
        "weights-unusable",
        "These weights can't be used",
        "{reason}.",
        field=field,
        remedy="{remedy}",
        parameters={"reason": reason, "remedy": remedy},
    )


def _price_in_words(found: Dimension) -> str:
    if found.name == PERFORMANCE or not found.price:
        return ""
    return f"{WORDS[found.name]} is worth {found.price:g} points of {PERFORMANCE}"


def _listed(places: tuple[int, int] | None) -> list[int] | None:
    return None if places is None else list(places)
