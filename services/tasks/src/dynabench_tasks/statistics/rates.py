"""A share with its denominator and its interval."""

from dataclasses import dataclass

from dynabench_tasks.statistics.intervals import (
    ANNOTATORS,
    Amounts,
    NoInterval,
    People,
    clustered_interval,
    wilson_interval,
)


@dataclass(frozen=True, slots=True)
class Rate:
    """A share from 0 to 1 of `n` with its 95 % interval; a missing one is None, with `reason`."""

    value: float | None
    n: int
    low: float | None = None
    high: float | None = None
    reason: str | None = None


def independent_rate(successes: int, n: int, nothing: str) -> Rate:
    """Return the share of successes among independent answers; `nothing` is the reason where `n` is 0."""
    if n == 0:
        return Rate(None, 0, reason=nothing)
    return Rate(successes / n, n, *wilson_interval(successes / n, n))


def clustered_rate(
    successes: Amounts,
    answers: Amounts,
    nothing: str,
    *,
    unknown: str | None = None,
    people: People = ANNOTATORS,
) -> Rate:
    """Return Σ successes / Σ answers with its interval; both have one entry per person.

    `people` are the singular and the plural noun for them in a reason. `nothing` is the reason if there are no
    answers. `unknown`, if given, is the reason why the answers can't be assigned to people.
    """
    total = float(answers.sum())
    if not total:
        return Rate(None, 0, reason=nothing)
    value = min(1.0, float(successes.sum()) / total)
    if unknown is not None:
        return Rate(value, round(total), reason=unknown)
    try:
        return Rate(value, round(total), *clustered_interval(successes, answers, people))
    except NoInterval as err:
        return Rate(value, round(total), reason=str(err))
