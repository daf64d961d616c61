"""Shares and other measured numbers, with what they rest on."""

from pydantic import Field

from dynabench_api.base import Record


class Measure(Record):
    """A number from `n` observations."""

    value: float | None
    n: int
    reason: str | None = Field(description="Why the value, or its interval, is missing")


class RateAnswer(Measure):
    """A share, 0 to 1, of `n` observations, with its 95 % interval; what is missing is null."""

    low: float | None
    high: float | None


class ProjectedRateAnswer(RateAnswer):
    """A projected share and the strata of tries that nobody checked."""

    not_checked: tuple[str, ...] = Field(description="Any of fooled, not_fooled")


class RangeAnswer(Record):
    """The range that vMER can still reach while votes are missing; null where there is no rate."""

    low: float | None = Field(description="If none of the pending tries turns out as an error")
    high: float | None = Field(description="If all of them do")
    pending: int = Field(description="Tries whose votes can still make a validated error of them")
