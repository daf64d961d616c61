"""The life of a round, as every service sees it."""

from collections.abc import Mapping
from enum import StrEnum


class RoundState(StrEnum):
    """States of a round."""

    DRAFT = "draft"
    OPEN = "open"
    PAUSED = "paused"
    CLOSED = "closed"
    RELEASED = "released"

    @property
    def takes_votes(self) -> bool:
        """Return whether people may vote: work goes on after closing, a released round never changes."""
        return self in (RoundState.OPEN, RoundState.PAUSED, RoundState.CLOSED)


TRANSITIONS: Mapping[RoundState, frozenset[RoundState]] = {
    RoundState.DRAFT: frozenset({RoundState.OPEN}),
    RoundState.OPEN: frozenset({RoundState.PAUSED, RoundState.CLOSED}),
    RoundState.PAUSED: frozenset({RoundState.OPEN, RoundState.CLOSED}),
    RoundState.CLOSED: frozenset({RoundState.OPEN}),
    RoundState.RELEASED: frozenset(),
}
"""Allowed transitions by people; a release moves a round to `released` by itself."""

COLLECTED_TRANSITIONS: Mapping[RoundState, frozenset[RoundState]] = {
    RoundState.DRAFT: frozenset({RoundState.CLOSED}),
}
"""People write nothing in a round that takes in a collection: it is complete, then closed."""
