"""Voters who confirm one author alone, and what chance makes of it."""

import random
from collections import Counter
from uuid import UUID

import pytest
from validation.domain.statistics.one_author import OneAuthorVoter, one_author_voters

AUTHORS = [UUID(int=number) for number in range(1, 11)]
FRIEND = AUTHORS[0]
VOTERS = [UUID(int=number) for number in range(101, 121)]
PUPPETS = [UUID(int=201), UUID(int=202)]


def honest_round(seed: int, votes: int = 20) -> Counter[tuple[UUID, UUID]]:
    """Let everybody confirm tries of whichever authors they meet."""
    dice = random.Random(seed)
    return Counter((voter, dice.choice(AUTHORS)) for voter in VOTERS for _ in range(votes))


def found_with(more: dict[tuple[UUID, UUID], int]) -> list[OneAuthorVoter]:
    return one_author_voters(honest_round(1) + Counter(more))


def test_few_votes_for_one_author_alone_stand_out_with_their_number_and_chance() -> None:
    first, second = found_with({(PUPPETS[0], FRIEND): 6, (PUPPETS[1], FRIEND): 6})

    assert {first.voter_id, second.voter_id} == set(PUPPETS)
    assert (first.author_id, first.confirmed, first.of_author) == (FRIEND, 6, 6)
    assert 0.4 < first.expected < 1.0
    assert 0.0 < first.p_adjusted < 0.01


@pytest.mark.parametrize(
    ("more", "is_found"),
    [
        # Nearly only: one vote for somebody else hides nothing.
        ({(PUPPETS[0], FRIEND): 9, (PUPPETS[0], AUTHORS[1]): 1}, True),
        # Half of the votes on others are no voter of one author.
        ({(PUPPETS[0], FRIEND): 9, (PUPPETS[0], AUTHORS[1]): 9}, False),
        # Two votes on the same author are nothing.
        ({(PUPPETS[0], FRIEND): 2}, False),
    ],
)
def test_only_who_confirms_hardly_anybody_else_is_found(
    more: dict[tuple[UUID, UUID], int], is_found: bool
) -> None:
    assert [each.voter_id for each in found_with(more)] == ([PUPPETS[0]] if is_found else [])


def test_who_confirms_the_author_of_nearly_everything_is_not_found() -> None:
    main = Counter({(voter, FRIEND): 50 for voter in VOTERS})
    assert one_author_voters(main + Counter({(VOTERS[0], AUTHORS[1]): 5, (PUPPETS[0], FRIEND): 10})) == []


def test_nobody_can_be_held_against_own_votes_alone() -> None:
    assert one_author_voters({}) == []
    assert one_author_voters({(PUPPETS[0], FRIEND): 30}) == []


def test_of_honest_rounds_hardly_any_names_somebody() -> None:
    """Holm's method holds the chance to name anybody under 5 %."""
    named = sum(bool(one_author_voters(honest_round(seed, votes=3))) for seed in range(200))
    assert named <= 10
