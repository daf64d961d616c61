"""Effort of fooling: tries per fooling, minutes per validated error, and survival of targets.

A context effort is one known person's tries on one context, in the order of `attempt`.

**Time** of a try is its `seconds_since_context` less that of the previous try on that context. For the first try it is
the seconds themselves. So it is where the number is smaller than before: the person came back to the context, and the
clock started again. More than 30 minutes are a break and count as 30 minutes. A subject's time is the time of the tries
that count for it: with a verdict for the rule, answered for a target. Tries with 0 seconds came from elsewhere and have
no time. Minutes per validated error = all of a subject's time / its validated errors. Time of failed tries is part of
the cost.

**Survival** is the share of context efforts in which the subject was not fooled after t of the tries that count for it
(Kaplan-Meier: E. Kaplan, P. Meier, "Nonparametric Estimation from Incomplete Observations", 1958). An effort that ends
unfooled says nothing about later tries: it is at risk as long as it lasted. This treats giving up as uninformative. If
people give up where fooling is hardest, the curve falls too fast. The interval is Wilson's, on the number of
independent efforts that would have Greenwood's variance (1926). That number is divided by the design effect of the
model error rate, since one person's efforts resemble one another. Without an interval for that rate there is none here.

Whole numbers are stored by subject: milliseconds, and the tries that have them. By number of tries, the numbers of
context efforts first fooled at that try, or ended unfooled after it, are stored too. A retracted try fooled nobody.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from dynabench_tasks.statistics.intervals import wilson_interval
from dynabench_tasks.statistics.rates import Rate
from dynabench_tasks.verdict import Verdict

from leaderboard.domain.facts import Example
from leaderboard.domain.tally import RULE

LONGEST_TRY_MILLISECONDS = 30 * 60 * 1000
MILLISECONDS_PER_MINUTE = 60_000


class ContextEffortKey(NamedTuple):
    """Key of a context effort: the person and the context of a round."""

    round_id: UUID
    author_id: UUID
    context_id: UUID


@dataclass(frozen=True, slots=True)
class ContextTry:
    """A try in its context effort; `fooled` maps each subject that it counts for to whether it fooled that one."""

    key: ContextEffortKey
    example_id: UUID
    number: int
    milliseconds: int
    fooled: Mapping[str, bool]


ContextEffort = Sequence[ContextTry]
"""One known person's tries on one context, in any order."""


class EffortKey(NamedTuple):
    """A subject of a round: a target's name, or RULE."""

    round_id: UUID
    subject: str


class EffortCounts(NamedTuple):
    """Time spent, and the tries that it was spent on."""

    milliseconds: int = 0
    timed_tries: int = 0


class SurvivalKey(NamedTuple):
    """Context efforts by the number of tries after which they were decided."""

    round_id: UUID
    subject: str
    tries: int


class SurvivalCounts(NamedTuple):
    """Context efforts first fooled at that try, and those that ended unfooled after it."""

    fooled: int = 0
    unfooled: int = 0


def context_try(example: Example) -> ContextTry | None:
    """Return the example as a part of its context effort; None if its author or context is unknown."""
    attempt = example.judged
    if attempt is None or attempt.author_id is None or attempt.context_id is None:
        return None
    fooled: dict[str, bool] = {}
    if attempt.verdict.is_decided:
        answered = {answer.target: answer.wrong for answer in attempt.answers if answer.is_given}
        verdicts = {RULE: attempt.verdict is Verdict.FOOLED, **answered}
        fooled = {subject: wrong and not example.is_retracted for subject, wrong in verdicts.items()}
    key = ContextEffortKey(attempt.round_id, attempt.author_id, attempt.context_id)
    return ContextTry(key, example.example_id, attempt.number, attempt.milliseconds, fooled)


def effort_shares(context_effort: ContextEffort) -> Iterator[tuple[EffortKey, EffortCounts]]:
    """Yield the time that a context effort took, per subject."""
    before = 0
    for part in _in_order(context_effort):
        spent = part.milliseconds - before if part.milliseconds >= before else part.milliseconds
        before = part.milliseconds
        if part.milliseconds:
            counts = EffortCounts(min(spent, LONGEST_TRY_MILLISECONDS), 1)
            for subject in part.fooled:
                yield EffortKey(part.key.round_id, subject), counts


def survival_shares(context_effort: ContextEffort) -> Iterator[tuple[SurvivalKey, SurvivalCounts]]:
    """Yield after how many tries a context effort was decided, per subject."""
    lasted: dict[str, int] = {}
    decided: set[str] = set()
    for part in _in_order(context_effort):
        for subject, is_fooled in part.fooled.items():
            if subject not in decided:
                lasted[subject] = lasted.get(subject, 0) + 1
                if is_fooled:
                    decided.add(subject)
    for subject, tries in lasted.items():
        counts = SurvivalCounts(fooled=1) if subject in decided else SurvivalCounts(unfooled=1)
        yield SurvivalKey(context_effort[0].key.round_id, subject, tries), counts


@dataclass(frozen=True, slots=True)
class Survivors:
    """The share of efforts not fooled after `tries` tries; `at_risk` made that many, unfooled before the last.

    `low` and `high` hold 95 %, or are None.
    """

    tries: int
    share: float
    at_risk: int
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure of effort; `n` is its divisor. Missing values are None, and `reason` explains them."""

    value: float | None
    n: int
    low: float | None = None
    high: float | None = None
    reason: str | None = None


def tries_per_fooling(mer: Rate) -> Estimate:
    """Return tries / fooled, the model error rate upside down, interval included. `n` counts tries."""
    if mer.value is None:
        return Estimate(None, mer.n, reason=mer.reason)
    if mer.value == 0:
        return Estimate(None, mer.n, reason="nothing has fooled it yet")
    high = 1 / mer.low if mer.low else None
    return Estimate(1 / mer.value, mer.n, 1 / mer.high if mer.high else None, high, mer.reason)


def minutes_per_error(effort: EffortCounts, errors: int) -> Estimate:
    """Return minutes per validated error; `n` counts those errors."""
    if effort.timed_tries == 0:
        return Estimate(None, errors, reason="no times are known: no known author wrote a try here")
    if errors == 0:
        return Estimate(None, 0, reason="no confirmed error yet")
    return Estimate(effort.milliseconds / MILLISECONDS_PER_MINUTE / errors, errors)


def design_effect(mer: Rate) -> float | None:
    """Return the factor by which similar tries of one author widen a rate's variance; None without an interval."""
    if mer.value is None or mer.low is None or mer.high is None:
        return None
    alone = wilson_interval(mer.value, mer.n)
    return max(1.0, (mer.high - mer.low) / (alone.high - alone.low)) ** 2


def survival(
    counts: Iterable[tuple[int, SurvivalCounts]], design_effect: float | None = None
) -> list[Survivors]:
    """Return the curve from 1 try on, at the numbers of tries after which context efforts were decided.

    Without a design effect it has no interval.
    """
    by_tries = sorted(counts)
    at_risk = sum(fooled + unfooled for _, (fooled, unfooled) in by_tries)
    share, greenwood, curve = 1.0, 0.0, []
    for tries, (fooled, unfooled) in by_tries:
        share *= 1 - fooled / at_risk
        greenwood += fooled / (at_risk * (at_risk - fooled)) if fooled < at_risk else 0.0
        low, high = None, None
        if design_effect is not None:
            alike = (1 - share) / (share * greenwood) if 0 < share < 1 else at_risk
            low, high = wilson_interval(share, alike / design_effect)
        curve.append(Survivors(tries, share, at_risk, low, high))
        at_risk -= fooled + unfooled
    return curve


def _in_order(context_effort: ContextEffort) -> list[ContextTry]:
    """Return the tries by number; which of two with one number is first must not depend on how they were read."""
    return sorted(context_effort, key=lambda part: (part.number, part.milliseconds, part.example_id))
