"""Shares and other measured numbers, with what they rest on."""

from dynabench_client.results.base import Result


class Rate(Result):
    """A share with its interval; `reason` says why a value or an interval is missing."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: float | None = None
    reason: str | None = None
    not_checked: tuple[str, ...] = ()


class Measure(Result):
    """A number from `n` observations; `reason` says why it is missing."""

    value: float | None = None
    n: float | None = None
    reason: str | None = None
