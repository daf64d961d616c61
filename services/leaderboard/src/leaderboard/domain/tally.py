"""Contribution of one example to the counts, as whole numbers that can be added and subtracted.

There is one tally per round, segment, author and subject. A subject is one target or the round's rule. Boards need
nothing finer: their figures are sums of tallies, and the jackknife leaves out one author at a time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from operator import add
from typing import Any, NamedTuple
from uuid import UUID

from dynabench_tasks.resolution import Resolution
from dynabench_tasks.verdict import Verdict

from leaderboard.domain.counting_rule import CountingRule
from leaderboard.domain.facts import Example, Try
from leaderboard.domain.validated_error import is_judged, is_rule_error, is_target_error

NOBODY = UUID(int=0)
RULE = ""


class TallyKey(NamedTuple):
    """Key under which a try is counted. NOBODY stands for no segment or an unknown author, RULE for the rule."""

    round_id: UUID
    segment_id: UUID
    author_id: UUID
    subject: str


class Tally(NamedTuple):
    """Counts of tries.

    Every try is in exactly one of fooled, not_fooled, retracted, undecided, unknown and no_target. `decided` counts
    those with a verdict, including retracted ones: the denominator of MER and vMER. A target has its own verdict on
    each try that it answered. That holds even if another target's answer is missing and the round's verdict is
    undecided.

    `fooled` is the subject's own. The strata below use the round's verdict, since it selects tries for validation.
    Tries without a verdict of the round are with those that did not fool. `apart_…` are of tries without a verdict.
    `fooled_resolved` leaves out disputed tries on which all validators were unsure: nobody gave a true answer for them.
    `possible_errors` wait for votes that may make them errors of the subject. Resolved counts never include a retracted
    example; votes do. `not_asked` are tries on which a target was not asked, since one of an earlier tier was right.
    They are in none of the other counts.
    """

    tries: int = 0
    decided: int = 0
    fooled: int = 0
    not_fooled: int = 0
    retracted: int = 0
    undecided: int = 0
    unknown: int = 0
    no_target: int = 0
    votes: int = 0
    pending: int = 0
    fooled_resolved: int = 0
    fooled_correct: int = 0
    stratum_fooled: int = 0
    stratum_fooled_resolved: int = 0
    stratum_fooled_errors: int = 0
    stratum_not_fooled: int = 0
    stratum_not_fooled_resolved: int = 0
    stratum_not_fooled_errors: int = 0
    apart_resolved: int = 0
    apart_errors: int = 0
    possible_errors: int = 0
    not_asked: int = 0

    @classmethod
    def from_row(cls, row: Any) -> "Tally":
        """Return the counts in a row of the database, each by its column's name."""
        return cls(**{name: getattr(row, name) for name in cls._fields})

    def plus(self, other: "Tally") -> "Tally":
        """Return the sum of both, count by count."""
        return Tally._make(map(add, self, other))

    @property
    def resolved(self) -> int:
        """Count resolved tries."""
        return self.stratum_fooled_resolved + self.stratum_not_fooled_resolved + self.apart_resolved

    @property
    def errors(self) -> int:
        """Count validated errors among tries with a verdict: the numerator of vMER."""
        return self.stratum_fooled_errors + self.stratum_not_fooled_errors


@dataclass(frozen=True, slots=True)
class Counted:
    """An example as its rule counts it; every table of sums follows from this. `shares` are per subject."""

    example: Example
    rule: CountingRule
    shares: tuple[tuple[TallyKey, Tally], ...]

    @property
    def of_rule(self) -> tuple[TallyKey, Tally] | None:
        """Return what it adds to the round's rule; None before its try is known."""
        return self.shares[0] if self.shares else None


def counted(example: Example, rule: CountingRule) -> Counted:
    """Count an example by a rule."""
    return Counted(example, rule, tuple(_shares(example, rule)))


def tally_shares(counted: Counted) -> Iterator[tuple[TallyKey, Tally]]:
    """Yield what the example adds to the tallies, the round's rule first."""
    yield from counted.shares


def _shares(example: Example, rule: CountingRule) -> Iterator[tuple[TallyKey, Tally]]:
    attempt = example.judged
    if attempt is None:
        return
    segment_id, author_id = attempt.segment_id or NOBODY, attempt.author_id or NOBODY
    fooled, error = attempt.verdict is Verdict.FOOLED, is_rule_error(example, attempt, rule)
    rule_share = _share(example, attempt, rule, _Judged(attempt.verdict.is_decided, fooled, error))
    yield TallyKey(attempt.round_id, segment_id, author_id, RULE), rule_share._replace(votes=example.votes)
    for answer in attempt.answers:
        key = TallyKey(attempt.round_id, segment_id, author_id, answer.target)
        if answer.not_asked:
            yield key, Tally(not_asked=1)
        elif answer.is_given:
            decided = is_judged(example, attempt, answer, rule)
            judged = _Judged(decided, answer.wrong, is_target_error(example, answer, rule))
            yield key, _share(example, attempt, rule, judged)


class _Judged(NamedTuple):
    """Result of a try for one subject: whether it has a verdict, was fooled, and was confirmed by votes."""

    decided: bool
    fooled: bool
    error: bool


def _share(example: Example, attempt: Try, rule: CountingRule, judged: _Judged) -> Tally:
    decided, is_fooled, is_error = judged
    if example.is_retracted:
        return Tally(tries=1, decided=int(decided), retracted=1)
    resolved = example.resolution is not None
    if not decided:
        no_target = attempt.verdict is Verdict.UNDECIDED and not attempt.answers
        return Tally(
            tries=1,
            undecided=int(attempt.verdict is Verdict.UNDECIDED and not no_target),
            unknown=int(attempt.verdict is Verdict.UNKNOWN),
            no_target=int(no_target),
            pending=int(rule.validates_all and not resolved),
            apart_resolved=int(resolved),
            apart_errors=int(is_error),
        )
    confirmed = example.resolution is not None and example.resolution.outcome is Resolution.CORRECT
    is_answered = resolved and not _is_unsure_only(example)
    rule_fooled = attempt.verdict is Verdict.FOOLED
    is_asked = rule.validates_all or rule_fooled
    awaited = rule.validates_all or (rule_fooled and is_fooled)
    return Tally(
        tries=1,
        decided=1,
        fooled=int(is_fooled),
        not_fooled=int(not is_fooled),
        pending=int(awaited and not resolved),
        fooled_resolved=int(is_fooled and is_answered),
        fooled_correct=int(is_fooled and confirmed),
        stratum_fooled=int(rule_fooled),
        stratum_fooled_resolved=int(rule_fooled and resolved),
        stratum_fooled_errors=int(rule_fooled and is_error),
        stratum_not_fooled=int(not rule_fooled),
        stratum_not_fooled_resolved=int(not rule_fooled and resolved),
        stratum_not_fooled_errors=int(not rule_fooled and is_error),
        possible_errors=int(is_asked and not resolved and rule.errors.may_be_error(is_fooled=is_fooled)),
    )


def _is_unsure_only(example: Example) -> bool:
    """Return whether it is disputed without any answer that counts."""
    resolution = example.resolution
    return resolution is not None and resolution.outcome is Resolution.DISPUTED and not example.votes
