"""Votes, cast and withdrawn, and how many more of an example's votes count."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from dynabench_common.database.bulk import as_document, as_ids, is_among, upsert_rows
from dynabench_events import EventRecord, Recorded
from sqlalchemy import Connection, select

from leaderboard.adapters.tables import vote
from leaderboard.domain.votes import VOTE_EVENTS, VOTES, Vote

UPSERT_VOTES = upsert_rows(vote)


def take_in(connection: Connection, events: Sequence[Recorded[Any]]) -> Counter[UUID]:
    """Write what events say of votes and return, per example, how many more of its votes count now."""
    of_example = {vote_id: event.record.example_id for event in events for vote_id in _vote_ids(event.record)}
    before = _load(connection, of_example)
    after = dict(before)
    for event in events:
        change = VOTE_EVENTS[type(event.record)]
        for vote_id in _vote_ids(event.record):
            after[vote_id] = change(after[vote_id], event.version, event.record)
    changed = [after[vote_id] for vote_id in sorted(after) if after[vote_id] != before[vote_id]]
    if changed:
        connection.execute(UPSERT_VOTES, as_document(list(map(asdict, changed))))
    more: Counter[UUID] = Counter()
    for now in changed:
        more[now.example_id] += int(now.counts) - int(before[now.vote_id].counts)
    return more


def _vote_ids(event: EventRecord) -> Sequence[UUID]:
    return VOTES[type(event)](event)


def _load(connection: Connection, of_example: dict[UUID, UUID]) -> dict[UUID, Vote]:
    """Return the votes of these ids; an unknown one is returned empty."""
    votes = {vote_id: Vote(vote_id, example_id) for vote_id, example_id in of_example.items()}
    if votes:
        for row in connection.execute(select(vote).where(is_among(vote.c.vote_id)), as_ids(votes)):
            votes[row.vote_id] = Vote(*row)
    return votes
