"""A validator's agreement with the others."""

from collections import Counter

from validation.domain.agreement import Agreement, agreement_with_others
from validation.domain.resolution import Answer, VoteKind

NEGATIVE, POSITIVE = Answer(VoteKind.LABEL, "negative"), Answer(VoteKind.LABEL, "positive")
FLAG = Answer(VoteKind.FLAG)


def test_own_votes_are_compared_with_what_most_others_say() -> None:
    votes = [
        (NEGATIVE, Counter({NEGATIVE: 2})),
        (POSITIVE, Counter({NEGATIVE: 2, POSITIVE: 1})),
        (FLAG, Counter({FLAG: 1})),
        (NEGATIVE, Counter({POSITIVE: 1})),
    ]
    assert agreement_with_others(votes) == Agreement(0.5, 4)


def test_without_others_or_with_a_tie_there_is_nothing_to_compare() -> None:
    votes = [(NEGATIVE, Counter[Answer]()), (NEGATIVE, Counter({NEGATIVE: 1, POSITIVE: 1}))]
    assert agreement_with_others(votes) == Agreement(None, 0)
