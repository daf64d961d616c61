"""How often a validator says what the others say.

A vote is compared with the others' votes on the same example, its own left out; a vote without others, or whose
others are split evenly, says nothing and is passed over.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from validation.domain.resolution import Answer


@dataclass(frozen=True)
class Agreement:
    """A share of `n` comparable votes; None while there are none."""

    value: float | None
    n: int


def agreement_with_others(votes: Iterable[tuple[Answer, Counter[Answer]]]) -> Agreement:
    """Return the agreement of a person whose votes stand beside the counts of all others' votes."""
    same = compared = 0
    for answer, others in votes:
        ranked = others.most_common(2)
        if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
            continue
        compared += 1
        same += answer == ranked[0][0]
    return Agreement(same / compared if compared else None, compared)
