"""Votes, cast and withdrawn, and how many more of an example's votes count."""

from collections import Counter
from collections.abc import Sequence
from uuid import UUID

from dynabench_common.bulk import as_arrays, upsert_rows
from sqlalchemy import ARRAY, Connection, Uuid, any_, bindparam, select

from leaderboard.adapters.event_codec import AboutVote, AboutWithdrawnVotes
from leaderboard.adapters.tables import vote
from leaderboard.domain.votes import Vote

IDS = any_(bindparam("ids", type_=ARRAY(Uuid)))
UPSERT_VOTES = upsert_rows(vote)


def tell(connection: Connection, statements: Sequence[AboutVote | AboutWithdrawnVotes]) -> Counter[UUID]:
    """Write what is said of votes and return, per example, how many more of its votes count now."""
    of_example = {
        vote_id: statement.example_id for statement in statements for vote_id in _vote_ids(statement)
    }
    before = _load(connection, of_example)
    after = dict(before)
    for statement in statements:
        for vote_id in _vote_ids(statement):
            held = after[vote_id]
            after[vote_id] = (
                held.cast(statement.version, statement.counted)
                if isinstance(statement, AboutVote)
                else held.withdrawn(statement.version)
            )
    changed = [after[vote_id] for vote_id in sorted(after) if after[vote_id] != before[vote_id]]
    if changed:
        connection.execute(UPSERT_VOTES, as_arrays(vote, [_row(held) for held in changed]))
    more: Counter[UUID] = Counter()
    for held in changed:
        more[held.example_id] += int(held.counts) - int(before[held.vote_id].counts)
    return more


def _vote_ids(statement: AboutVote | AboutWithdrawnVotes) -> Sequence[UUID]:
    return (statement.vote_id,) if isinstance(statement, AboutVote) else statement.vote_ids


def _load(connection: Connection, of_example: dict[UUID, UUID]) -> dict[UUID, Vote]:
    """Return the votes of these ids; one that nothing is known of comes back empty."""
    votes = {vote_id: Vote(vote_id, example_id) for vote_id, example_id in of_example.items()}
    if votes:
        for row in connection.execute(select(vote).where(vote.c.vote_id == IDS), {"ids": list(votes)}):
            votes[row.vote_id] = Vote(*row)
    return votes


def _row(held: Vote) -> dict[str, object]:
    return {
        "vote_id": held.vote_id,
        "example_id": held.example_id,
        "counted": held.counted,
        "cast_version": held.cast_version,
        "withdrawn_version": held.withdrawn_version,
    }
