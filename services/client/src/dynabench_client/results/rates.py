"""Shares and other measured numbers, with what they rest on."""

from dynabench_client.results.base import Result


class Measure(Result):
    """A number from `n` observations; `reason` says why it is missing."""

    value: float | None
    n: int
    reason: str | None


class Range(Result):
    """What a share can still come to while votes are missing.

    `low` if none of the `pending` tries turns out as an error, `high` if all do; None where there is no share.
    """

    low: float | None
    high: float | None
    pending: int


class Rate(Measure):
    """A share with its 95 % interval; `reason` says why a value or an interval is missing.

    A projected share also names in `not_checked` the kinds of tries that nobody checked; others leave that out.
    """

    low: float | None
    high: float | None
    not_checked: tuple[str, ...] = ()
