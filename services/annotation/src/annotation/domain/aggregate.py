"""What every aggregate shares: a version that counts its events, and the events not yet stored.

A method that changes state records the event itself, so no caller can do one without the other; a
repository stores both in one transaction.
"""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from annotation.domain.events import Event


@dataclass(frozen=True)
class Recorded:
    """An event with its place in the history of its aggregate."""

    aggregate_id: UUID
    aggregate_version: int
    occurred_at: datetime
    event: Event


@dataclass(kw_only=True)
class Aggregate:
    """State that changes as a whole."""

    version: int = 0
    unsaved: list[Recorded] = field(default_factory=list, compare=False, repr=False)

    @property
    def identity(self) -> UUID:
        """Return the id that events of this aggregate carry."""
        raise TypeError(f"{type(self).__name__} names no identity")

    def record(self, event: Event, at: datetime) -> None:
        """Take in an event as the next version of this aggregate."""
        self.version += 1
        self.unsaved.append(Recorded(self.identity, self.version, at, event))

    def take_unsaved(self) -> list[Recorded]:
        """Hand over the events not yet stored; they are handed over once."""
        events, self.unsaved = self.unsaved, []
        return events
