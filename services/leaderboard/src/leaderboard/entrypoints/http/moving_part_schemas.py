"""Response schemas with which a page ranks models by itself while a reader drags a weight."""

from collections.abc import Mapping
from typing import Self

from pydantic import BaseModel, Field

from leaderboard.domain.model_board import ModelBoard
from leaderboard.domain.moving_parts import MovingParts


class MovingDimension(BaseModel):
    """A dimension that counts once it has a weight, and its price."""

    name: str
    price: float


class MovingModel(BaseModel):
    """A ranked model."""

    model: str
    utilities: dict[str, float] = Field(
        description="Mean over datasets by dimension, before weight and price"
    )
    variances: dict[str, float] = Field(description="V in points² by first:second dimension")

    @classmethod
    def of(cls, name: str, parts: MovingParts) -> Self:
        """Return the answer about a model."""
        return cls(model=name, utilities=dict(parts.utilities), variances=dict(parts.variances))


class MovingPartsAnswer(BaseModel):
    """A score is Σ share × price × utility over dimensions, its variance Σ f f V with f = share × price of each."""

    dimensions: list[MovingDimension]
    models: list[MovingModel] = Field(description="None under the classic rule, which hangs on who is there")

    @classmethod
    def of(cls, board: ModelBoard, parts: Mapping[str, MovingParts]) -> Self:
        """Return the answer about a board."""
        counted = [(each.name, each.price) for each in board.dimensions if each.is_measured]
        return cls(
            dimensions=[
                MovingDimension(name=name, price=price) for name, price in counted if price is not None
            ],
            models=[MovingModel.of(name, each) for name, each in parts.items()],
        )
