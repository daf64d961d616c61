"""Validity of a vote, independent of the order in which its cast and its withdrawal arrive.

People change their votes, so a withdrawn vote may be cast again under its id. The newer event wins.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_events import EventRecord
from dynabench_events.validation import VoteCast, VotesWithdrawn


@dataclass(frozen=True, slots=True)
class Vote:
    """One vote; a version is 0 before its event arrives. Voter, time and `counted` come from the newest cast."""

    vote_id: UUID
    example_id: UUID
    counted: bool = False
    cast_version: int = 0
    withdrawn_version: int = 0
    voter_id: UUID | None = None
    cast_at: datetime | None = None

    @property
    def counts(self) -> bool:
        """Return whether the vote is one of those toward a resolution."""
        return self.counted and self.cast_version >= self.withdrawn_version

    def cast(
        self, version: int, counted: bool, voter_id: UUID | None = None, cast_at: datetime | None = None
    ) -> "Vote":
        """Return the vote after it was cast."""
        if version <= self.cast_version:
            return self
        return replace(self, cast_version=version, counted=counted, voter_id=voter_id, cast_at=cast_at)

    def withdrawn(self, version: int) -> "Vote":
        """Return the vote after it was withdrawn."""
        return replace(self, withdrawn_version=max(version, self.withdrawn_version))


VOTES: Mapping[type[EventRecord], Callable[[Any], Sequence[UUID]]] = {
    VoteCast: lambda event: (event.vote_id,),
    VotesWithdrawn: lambda event: event.vote_ids,
}
"""The votes of each event."""

VOTE_EVENTS: Mapping[type[EventRecord], Callable[[Vote, int, Any], Vote]] = {
    VoteCast: lambda vote, version, event: vote.cast(version, event.counted, event.voter_id, event.cast_at),
    VotesWithdrawn: lambda vote, version, _: vote.withdrawn(version),
}
"""Changes of each vote by each event."""
