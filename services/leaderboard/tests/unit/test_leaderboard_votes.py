"""Votes that count, in every order of casts and withdrawals."""

from itertools import permutations
from uuid import UUID

import pytest
from leaderboard.domain.votes import Vote

CAST, UNCOUNTED, WITHDRAWN = "cast", "uncounted", "withdrawn"


@pytest.mark.parametrize(
    ("rule", "events", "counts"),
    [
        ("a vote counts", [(CAST, 2)], True),
        ("an answer that is no vote does not", [(UNCOUNTED, 2)], False),
        ("a withdrawn vote counts no longer", [(CAST, 2), (WITHDRAWN, 5)], False),
        ("a withdrawal alone is no vote", [(WITHDRAWN, 5)], False),
        ("a vote cast again counts again", [(CAST, 2), (WITHDRAWN, 5), (CAST, 6)], True),
        ("and may be withdrawn again", [(CAST, 2), (WITHDRAWN, 5), (CAST, 6), (WITHDRAWN, 9)], False),
        ("the newer cast says whether it counts", [(CAST, 2), (WITHDRAWN, 5), (UNCOUNTED, 6)], False),
    ],
)
def test_what_counts_in_any_order(rule: str, events: list[tuple[str, int]], counts: bool) -> None:
    for order in permutations(events):
        vote = Vote(UUID(int=1), UUID(int=2))
        for kind, version in order:
            vote = vote.withdrawn(version) if kind == WITHDRAWN else vote.cast(version, kind == CAST)
        assert vote.counts is counts, rule


def test_a_vote_taken_in_before_versions_were_kept_counts_until_withdrawn() -> None:
    vote = Vote(UUID(int=1), UUID(int=2), counted=True)
    assert vote.counts
    assert not vote.withdrawn(5).counts
