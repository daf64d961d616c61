"""Response schemas of shares and their intervals."""

from typing import Self

from dynabench_tasks.statistics.rates import Rate
from pydantic import BaseModel, Field

from leaderboard.domain.rates import ProjectedRate, Range


class RateAnswer(BaseModel):
    """A share with its 95 % interval; what is missing is null, and `reason` says why."""

    value: float | None = Field(description="0 to 1")
    low: float | None
    high: float | None
    n: int = Field(description="What the share is of")
    reason: str | None

    @classmethod
    def of(cls, rate: Rate) -> Self:
        """Return the answer for a rate."""
        return cls(value=rate.value, low=rate.low, high=rate.high, n=rate.n, reason=rate.reason)


class ProjectedRateAnswer(RateAnswer):
    """A projected share and the strata of tries that nobody checked."""

    not_checked: list[str] = Field(description="Any of fooled, not_fooled")

    @classmethod
    def projected(cls, projected: ProjectedRate) -> Self:
        """Return the answer for a projected rate."""
        plain = RateAnswer.of(projected.rate).model_dump()
        return cls(**plain, not_checked=list(projected.not_checked))


class RangeAnswer(BaseModel):
    """What vMER can still come to while votes are missing; null where there is no rate."""

    low: float | None = Field(description="If none of the pending tries turns out as an error")
    high: float | None = Field(description="If all of them do")
    pending: int = Field(description="Tries whose votes can still make a validated error of them")

    @classmethod
    def of(cls, still: Range) -> Self:
        """Return the answer for a range."""
        return cls(low=still.low, high=still.high, pending=still.pending)
