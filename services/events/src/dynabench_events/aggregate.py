"""The base of every aggregate: a version that counts its events, and the events not yet stored.

A method that changes state records the event itself, so no caller can do one without the other. A repository stores
both in one transaction.
"""

from dataclasses import dataclass, field

from dynabench_events.codec import EventRecord
from dynabench_events.history import Versioned


@dataclass(kw_only=True)
class Aggregate:
    """State that changes as a whole."""

    version: int = 0
    unsaved: list[Versioned[EventRecord]] = field(default_factory=list, compare=False, repr=False)

    def record(self, event: EventRecord) -> None:
        """Record an event as the next version of this aggregate."""
        self.version += 1
        self.unsaved.append(Versioned(self.version, event))

    def take_unsaved(self) -> list[Versioned[EventRecord]]:
        """Return the events not yet stored, and forget them."""
        events, self.unsaved = self.unsaved, []
        return events
