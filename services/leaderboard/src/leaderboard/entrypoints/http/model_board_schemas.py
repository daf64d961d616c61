"""Requests about boards of models."""

from collections.abc import Mapping
from dataclasses import replace

from dynabench_common.http.schemas import Input, Text
from dynabench_common.problems import Problem
from dynabench_tasks.configuration.task_configuration import MOST_TARGETS
from dynabench_tasks.metrics import METRICS
from pydantic import BaseModel, Field

from leaderboard.domain.board_choice import Choice, Mode
from leaderboard.domain.score_table import EVERY_DIMENSION

LARGEST_WEIGHT = 1e6
NAMES = (*EVERY_DIMENSION, *(name for name in METRICS.names if name not in EVERY_DIMENSION))
MOST_NAMED = 200


class TaskPath(BaseModel):
    """A task in an address."""

    slug: Text = Field(max_length=100)


class ChoiceInput(Input):
    """The reader's weights."""

    weights: str = Field(
        default="",
        max_length=2_000,
        description="Weights of dimensions, such as performance:4,throughput:1. Others have the task's default",
    )
    datasets: str = Field(
        default="",
        max_length=4_000,
        description="Weights of datasets, such as sentiment-round-1:2. Others have weight 1",
    )
    gamma: float = Field(
        default=1.0, gt=0, le=1, description="Factor on a round's weight for each later round"
    )
    mode: Mode = Field(
        default=Mode.UTILITY, description="Ranking rule: utility, or classic (the published Dynascore)"
    )

    def choice(self) -> Choice:
        """Return the choice. Raises Problem 422 for weights that can't be read."""
        weights = _pairs(self.weights, "weights")
        unknown = next((name for name in weights if name not in NAMES), None)
        if unknown is not None:
            raise _unusable("weights", f"{unknown!r} is no dimension", f"Name any of {', '.join(NAMES)}.")
        return Choice(weights, _pairs(self.datasets, "datasets"), self.gamma, self.mode)


class ModelBoardQuery(ChoiceInput):
    """The reader's weights, and the amount of detail."""

    scores: bool = Field(default=True, description="If false, each model's results by dataset are left out")
    external: bool = Field(
        default=False,
        description="If true, rank only the models that were measured outside the platform, by the classic rule",
    )

    def choice(self) -> Choice:
        """Return the choice. Raises Problem 422 for weights that can't be read."""
        found = super().choice()
        return replace(found, mode=Mode.CLASSIC, external=True) if self.external else found


class TargetProposalsQuery(Input):
    """The number of targets of the next round."""

    targets: int = Field(default=1, ge=1, le=MOST_TARGETS)


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
