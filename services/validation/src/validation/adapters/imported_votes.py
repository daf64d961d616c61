"""Votes that came with an imported record.

Their ids follow from the example's id and their place among its votes, so one record always has the same votes. A
vote that does not say whose it is counts as that of a person of its own, who bears the id of the vote.
"""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid5

from dynabench.example.v1 import example_pb2
from dynabench_common.events import PermanentEventError
from dynabench_tasks.votes import Answer, VoteKind
from sqlalchemy import Row

from validation.domain.identifiers import PersonId, VoteId
from validation.domain.votes import Vote


def read(message: example_pb2.ExampleCreated) -> list[dict[str, Any]]:
    """Return the votes as the copy of the example keeps them. Raises PermanentEventError."""
    voters = [vote.voter_id for vote in message.imported_votes if vote.voter_id]
    if len(set(voters)) < len(voters):
        raise PermanentEventError(f"example {message.example_id} came with two votes of one person")
    if message.author_id in voters:
        raise PermanentEventError(f"example {message.example_id} came with a vote of its author")
    return [_read(vote) for vote in message.imported_votes]


def _read(vote: example_pb2.ImportedVote) -> dict[str, Any]:
    try:
        return {
            "voter_id": str(UUID(vote.voter_id)) if vote.voter_id else None,
            "kind": VoteKind(vote.kind).value,
            "option": vote.option,
            "reason": vote.reason,
            "cast_at": vote.cast_at.ToDatetime(UTC).isoformat() if vote.HasField("cast_at") else None,
        }
    except ValueError as err:
        raise PermanentEventError(f"imported vote: {err}") from err


def votes_of(example: Row[Any]) -> list[Vote]:
    """Return the votes that the copy of an example keeps; whether they count is for the example to say."""
    return [
        _vote(example, uuid5(example.example_id, str(position)), kept)
        for position, kept in enumerate(example.imported_votes or (), start=1)
    ]


def _vote(example: Row[Any], own_id: UUID, kept: dict[str, Any]) -> Vote:
    return Vote(
        vote_id=VoteId(own_id),
        voter_id=PersonId(UUID(kept["voter_id"]) if kept["voter_id"] else own_id),
        lease_id=None,
        answer=Answer(VoteKind(kept["kind"]), kept["option"]),
        reason=kept["reason"],
        counted=False,
        seconds=0.0,
        cast_at=datetime.fromisoformat(kept["cast_at"]) if kept["cast_at"] else example.created_at,
    )
