"""A round's figures by condition: the arm that was drawn for a try's assignment."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

import numpy as np

from leaderboard.domain.counting_rule import CountingRule
from leaderboard.domain.facts import Example
from leaderboard.domain.rates import NOBODYS, AuthorCounts, Rate, share, without_verdict
from leaderboard.domain.tally import NOBODY, RULE, shares


class ConditionKey(NamedTuple):
    """Where a try is counted; tries without a condition are in no arm."""

    round_id: UUID
    condition: str
    author_id: UUID


class ConditionCounts(NamedTuple):
    """Tries of an arm, as in a tally of the round's rule; `apart_errors` are those of tries without a verdict."""

    tries: int = 0
    decided: int = 0
    fooled: int = 0
    errors: int = 0
    apart_errors: int = 0


@dataclass(frozen=True, slots=True)
class Arm:
    """Figures of one condition."""

    condition: str
    tries: int
    fooled: int
    validated_errors: int
    mer: Rate
    vmer: Rate


def arm(condition: str, by_author: Mapping[UUID, ConditionCounts]) -> Arm:
    """Return the figures of an arm whose authors counted so much; NOBODY stands for unknown ones."""
    table = np.array(list(by_author.values()), dtype=np.int64).reshape(-1, len(ConditionCounts._fields))
    _, decided, fooled, errors, _ = table.T
    total = ConditionCounts(*(int(number) for number in table.sum(axis=0)))
    unknown = by_author.get(NOBODY, ConditionCounts())
    authors = AuthorCounts(decided, fooled, errors, NOBODYS, NOBODYS, unknown.decided == 0)
    nothing = without_verdict(total.tries)
    return Arm(
        condition,
        total.tries,
        total.fooled,
        total.errors + total.apart_errors,
        share(total.fooled, total.decided, fooled, decided, authors, nothing),
        share(total.errors, total.decided, errors, decided, authors, nothing),
    )


def condition_shares(example: Example, rule: CountingRule) -> Iterator[tuple[ConditionKey, ConditionCounts]]:
    """Yield what the example adds to the arm it was made in."""
    attempt = example.attempt
    if attempt is None or not attempt.condition:
        return
    for key, counts in shares(example, rule):
        if key.subject == RULE:
            yield (
                ConditionKey(key.round_id, attempt.condition, key.author_id),
                ConditionCounts(
                    counts.tries, counts.decided, counts.fooled, counts.errors, counts.apart_errors
                ),
            )
