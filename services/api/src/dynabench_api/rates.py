"""Shares and other measured numbers, with the number of observations."""

from pydantic import Field

from dynabench_api.base import Record


class Measure(Record):
    """A number from `n` observations."""

    value: float | None
    n: int
    reason: str | None = Field(description="Reason for a missing value or interval")


class RateAnswer(Measure):
    """A share (0 to 1) of `n` observations with its 95 % interval. Missing numbers are null."""

    low: float | None
    high: float | None


class ProjectedRateAnswer(RateAnswer):
    """A projected share, and the strata of tries without any check."""

    not_checked: tuple[str, ...] = Field(description="Any of fooled, not_fooled")


class RangeAnswer(Record):
    """The range that vMER can still reach while votes are missing; null if there is no rate."""

    low: float | None = Field(description="vMER if no pending try becomes a validated error")
    high: float | None = Field(description="vMER if all pending tries become validated errors")
    pending: int = Field(description="Tries that can still become validated errors")
