"""Request and response schemas of boards of models."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Self
from uuid import UUID

from dynabench_common.problems import Problem
from dynabench_common.schemas import Input, Text
from dynabench_tasks.metrics import METRICS
from pydantic import BaseModel, Field

from leaderboard.domain.board_choice import Choice, Dimension, Mode, WeightedDataset
from leaderboard.domain.model_board import ModelBoard
from leaderboard.domain.ranking.utility import PERFORMANCE, SIGNS
from leaderboard.domain.score_table import EVERY_DIMENSION
from leaderboard.entrypoints.http.model_row_schemas import ModelRowAnswer

LARGEST_WEIGHT = 1e6
NAMES = (*EVERY_DIMENSION, *(name for name in METRICS.names if name not in EVERY_DIMENSION))
MOST_NAMED = 200
UNITS = {"throughput": "examples/s", "memory": "GiB"}
"""Of what is stated of models that were measured elsewhere."""
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


class ChoiceInput(Input):
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


class ModelBoardQuery(ChoiceInput):
    """The weights that a reader chose, and how much is told."""

    scores: bool = Field(
        default=True, description="false leaves out what is known of each model dataset by dataset"
    )
    external: bool = Field(
        default=False,
        description="true ranks the models that were measured elsewhere, on a board of their own, by the classic rule",
    )

    def choice(self) -> Choice:
        """Return the choice. Raises Problem 422 for weights that can't be read."""
        found = super().choice()
        return replace(found, mode=Mode.CLASSIC, external=True) if self.external else found


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
    def of(cls, found: Dimension, *, external: bool = False) -> Self:
        """Return the answer about a dimension, of models measured elsewhere in the units of what they state."""
        return cls(
            name=found.name,
            metric=found.metric,
            unit=UNITS.get(found.name, "%") if external else "× baseline" if found.name in SIGNS else "%",
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


class ModelBoardAnswer(BaseModel):
    """The board of a task's models."""

    task_slug: str
    mode: Mode
    external: bool = Field(description="Whether it ranks the models that were measured elsewhere")
    external_models: int = Field(description="How many models were measured elsewhere")
    gamma: float
    as_of: datetime
    digest: str = Field(description="Names this board with these weights; the same content has the same")
    dimensions: list[DimensionAnswer]
    datasets: list[BoardDatasetAnswer]
    rows: list[ModelRowAnswer]
    problem: str = Field(description="Why nobody is ranked; empty otherwise")

    @classmethod
    def of(cls, board: ModelBoard, person_id: UUID | None, *, scores: bool = True) -> Self:
        """Return the answer about a board; with `scores` rows have all that is known dataset by dataset."""
        return cls(
            task_slug=board.facts.task_slug,
            mode=board.choice.mode,
            external=board.choice.external,
            external_models=board.facts.external_models,
            gamma=board.choice.gamma,
            as_of=board.facts.as_of,
            digest=board.digest,
            dimensions=[
                DimensionAnswer.of(each, external=board.choice.external) for each in board.dimensions
            ],
            datasets=[BoardDatasetAnswer.of(each) for each in board.datasets],
            rows=[ModelRowAnswer.of(row, board, person_id, scores=scores) for row in board.rows],
            problem=board.problem,
        )


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
