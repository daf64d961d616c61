"""Response schemas for the comparison of two models."""

from typing import Any, Self
from uuid import UUID

from pydantic import BaseModel, Field

from scoring.evaluation.comparison import Comparison
from scoring.evaluation.resampling import Difference


class ItemAnswer(BaseModel):
    """An item that exactly one of two models answers right."""

    id: str
    first: str | None
    second: str | None
    first_is_right: bool


class TagAnswer(BaseModel):
    """Wins and losses among the items of one tag, with the p-value adjusted (Holm) over the tags shown."""

    tag: str
    n: int
    only_first: int
    only_second: int
    mcnemar_p: float
    holm_p: float


class DifferenceAnswer(BaseModel):
    """Two models by one metric, in percent, and in points the first less the second, by drawing contexts in pairs."""

    metric: str
    first: float
    second: float
    difference: float
    interval: list[float] | None = Field(description="95 %, its ends; none of fewer than five contexts")
    p: float | None
    holm_p: float | None = Field(description="Adjusted (Holm) over the metrics shown")
    reason: str | None = Field(description="Why there is no interval")

    @classmethod
    def of(cls, metric: str, found: Difference, holm_p: float | None) -> Self:
        """Return the answer about a difference."""
        return cls(
            metric=metric,
            first=found.first,
            second=found.second,
            difference=found.difference,
            interval=None if found.ends.reason else [found.ends.low, found.ends.high],
            p=found.p,
            holm_p=holm_p,
            reason=found.ends.reason or None,
        )


class ComparisonAnswer(BaseModel):
    """Two models on one dataset. `difference` is the accuracy of the first less that of the second, in points."""

    dataset_id: UUID
    first: str
    second: str
    n: int
    both: int
    only_first: int
    only_second: int
    neither: int
    agree: int = Field(description="Items that both answer alike")
    contexts: int = Field(
        description="Contexts that the items are of; where they are fewer than items, McNemar's p may be too small"
    )
    mcnemar_p: float
    difference: float
    interval: list[float] = Field(
        min_length=2,
        max_length=2,
        description="95 %, its ends, of paired shares; where items share contexts the outer ends of that and of"
        " one by drawing contexts; of fewer than five such contexts the whole scale",
    )
    items_to_lose: int = Field(description="Items that would have to change for the leader to lose its place")
    both_wrong_alike: int = Field(description="Items that both answer wrong, and alike")
    metrics: list[DifferenceAnswer]
    undefined: dict[str, str] = Field(description="Metrics that a model has no value of, and why")
    tags: list[TagAnswer]
    items: list[ItemAnswer] = Field(
        description="At most 100 that exactly one answers right; none unless open"
    )

    @classmethod
    def of(cls, found: Comparison, **rest: Any) -> Self:
        """Return the answer about a comparison."""
        return cls(
            n=found.n,
            both=found.both,
            only_first=found.only_first,
            only_second=found.only_second,
            neither=found.neither,
            agree=found.agree,
            mcnemar_p=found.mcnemar_p,
            difference=found.difference,
            interval=[found.low, found.high],
            items_to_lose=found.items_to_lose,
            contexts=found.contexts,
            **rest,
        )
