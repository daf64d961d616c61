"""How often a validator says what the others say.

A vote is compared with the others' votes on the same example, its own left out; a vote without others, or whose
others are split evenly, says nothing and is passed over. A span says what the others say if it agrees with each span
of their largest set.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from validation.domain.answers import Answer
from validation.domain.rules import ValidationRules


@dataclass(frozen=True)
class Agreement:
    """A share of `n` comparable votes; None while there are none."""

    value: float | None
    n: int


def agreement_with_others(votes: Iterable[tuple[Answer, Sequence[Answer], ValidationRules]]) -> Agreement:
    """Return the agreement of a person whose votes stand beside all others' votes, in order, and the rules."""
    same = compared = 0
    for answer, others, rules in votes:
        most_say = rules.standing(others).leading
        if most_say:
            compared += 1
            same += all(rules.says_the_same(answer, other) for other in most_say)
    return Agreement(same / compared if compared else None, compared)
