"""Votes that came with an imported record.

Their ids follow from the example's id and their place among its votes, so one record always has the same votes. A vote
without a named voter counts as the vote of a separate person, whose id is the id of the vote.
"""

from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from dynabench_common.events.cloud_events import PermanentEventError
from dynabench_events.example import ExampleCreated, ImportedVote
from dynabench_tasks.votes import VoteAnswer, VoteKind
from sqlalchemy import Row

from validation.domain.identifiers import PersonId, VoteId
from validation.domain.votes import Vote


def to_columns(event: ExampleCreated) -> list[dict[str, Any]]:
    """Return the votes as the copy of the example keeps them. Raises PermanentEventError."""
    voters = [vote.voter_id for vote in event.imported_votes if vote.voter_id]
    if len(set(voters)) < len(voters):
        raise PermanentEventError(f"example {event.example_id} came with two votes of one person")
    if event.author_id in voters:
        raise PermanentEventError(f"example {event.example_id} came with a vote of its author")
    return [_columns(vote) for vote in event.imported_votes]


def _columns(vote: ImportedVote) -> dict[str, Any]:
    return {
        "voter_id": str(vote.voter_id) if vote.voter_id else None,
        "kind": vote.kind.value,
        "option": vote.option,
        "reason": vote.reason,
        "cast_at": vote.cast_at.isoformat() if vote.cast_at else None,
    }


def votes_of(example: Row[Any]) -> list[Vote]:
    """Return the votes that the copy of an example keeps; whether they count is for the example to say."""
    return [
        _vote(example, uuid5(example.example_id, str(position)), stored)
        for position, stored in enumerate(example.imported_votes or (), start=1)
    ]


def _vote(example: Row[Any], own_id: UUID, stored: dict[str, Any]) -> Vote:
    return Vote(
        vote_id=VoteId(own_id),
        voter_id=PersonId(UUID(stored["voter_id"]) if stored["voter_id"] else own_id),
        lease_id=None,
        answer=VoteAnswer(VoteKind(stored["kind"]), stored["option"]),
        reason=stored["reason"],
        counted=False,
        seconds=0.0,
        cast_at=datetime.fromisoformat(stored["cast_at"]) if stored["cast_at"] else example.created_at,
    )
