"""What validation needs to know of a round: whether votes may be cast in it."""

from enum import StrEnum


class RoundState(StrEnum):
    """Where a round stands in its life, as annotation publishes it."""

    DRAFT = "draft"
    OPEN = "open"
    PAUSED = "paused"
    CLOSED = "closed"
    RELEASED = "released"

    @property
    def takes_votes(self) -> bool:
        """Tell whether people may vote: work goes on after closing, a released round never changes."""
        return self in (RoundState.OPEN, RoundState.PAUSED, RoundState.CLOSED)
