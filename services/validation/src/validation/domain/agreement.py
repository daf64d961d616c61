"""Agreement of a validator with the other voters.

A vote is compared with the others' votes on the same example, its own left out. A vote without others, or whose others
are split evenly, says nothing and is skipped. A span agrees with the others if it agrees with each span of their
largest set.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dynabench_tasks.statistics.intervals import Amounts, People
from dynabench_tasks.statistics.rates import Rate, clustered_rate, independent_rate
from dynabench_tasks.votes import VoteAnswer

from validation.domain.rules import ValidationRules

UNKNOWN_VOTERS = "no interval: voters unknown"
PEOPLE = People("person", "people", "gave", "votes")
NOTHING_COMPARES = "no example with several votes"


@dataclass(frozen=True, slots=True)
class BesideOthers:
    """An answer with the answers of all others on its example, in order; `times` such examples are alike."""

    answer: VoteAnswer
    others: Sequence[VoteAnswer]
    rules: ValidationRules
    times: int = 1


def agreement_with_others(votes: Iterable[BesideOthers]) -> Rate:
    """Return the agreement of a person whose votes these are."""
    same = compared = 0
    for vote in votes:
        most_say = vote.rules.standing(vote.others).leading
        if most_say:
            compared += vote.times
            says_so = all(vote.rules.says_the_same(vote.answer, other) for other in most_say)
            same += vote.times if says_so else 0
    return independent_rate(same, compared, NOTHING_COMPARES)


def rate_of_voters(successes: Amounts, votes: Amounts, nothing: str, *, are_known: bool = True) -> Rate:
    """Return a share of many people's votes, one entry per voter; `nothing` is the reason where there are none."""
    unknown = None if are_known else UNKNOWN_VOTERS
    return clustered_rate(successes, votes, nothing, unknown=unknown, people=PEOPLE)
