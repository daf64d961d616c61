"""An event with its place in the history of its aggregate, for its producer and its consumers alike.

The base of every aggregate has a version that counts its events, and the events not yet stored. A method that changes
state records the event itself, so no caller can do one without the other. A repository stores both in one transaction.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, Protocol, TypeVar
from uuid import UUID

from google.protobuf.message import Message

from dynabench_events.codec import EventRecord, PermanentEventError, decode

Record_co = TypeVar("Record_co", bound=EventRecord, covariant=True)


@dataclass(frozen=True, slots=True)
class Versioned(Generic[Record_co]):
    """An event that an aggregate recorded; `version` counts the aggregate's events from 1."""

    version: int
    record: Record_co


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


@dataclass(frozen=True, slots=True)
class Recorded(Generic[Record_co]):
    """An event that came from the log; `version` counts the aggregate's events from 1."""

    event_id: UUID
    aggregate_id: UUID
    version: int
    time: datetime
    record: Record_co


class PublishedEvent(Protocol):
    """An event as it came from the log, its protobuf message not yet decoded."""

    @property
    def id(self) -> UUID:
        """Return the event's id."""

    @property
    def type(self) -> str:
        """Return the full name of its message."""

    @property
    def time(self) -> datetime:
        """Return when it happened."""

    @property
    def aggregate_id(self) -> UUID:
        """Return the id under which it was published."""

    @property
    def aggregate_version(self) -> int:
        """Return its place among the aggregate's events."""

    @property
    def message(self) -> Message:
        """Return the protobuf message."""


def recorded(event: PublishedEvent) -> Recorded[EventRecord]:
    """Return an event of the log with its record. Raises PermanentEventError."""
    if event.time.tzinfo is None:
        raise PermanentEventError(f"{event.type}: ce_time has no time zone")
    return Recorded(event.id, event.aggregate_id, event.aggregate_version, event.time, decode(event.message))


def unfold(event: Recorded[EventRecord]) -> Iterator[Recorded[EventRecord]]:
    """Yield the event, or the parts of a combined one, each with its own version and time.

    So a consumer need not know whether they were published one by one. Raises PermanentEventError.
    """
    parts = event.record.parts
    if len(parts) == 1 and parts[0] is event.record:
        yield event
        return
    before, name = event.version - len(parts), type(event.record).__name__
    if before < 0:
        raise PermanentEventError(f"{name}: {len(parts)} events can't end at version {event.version}")
    for place, part in enumerate(parts, start=1):
        if part.aggregate_id != event.aggregate_id:
            raise PermanentEventError(f"{name}: {part.aggregate_id} stands under {event.aggregate_id}")
        yield Recorded(event.event_id, event.aggregate_id, before + place, part.occurred_at, part)


def recorded_parts(event: PublishedEvent) -> Iterator[Recorded[EventRecord]]:
    """Yield an event of the log with its record; a combined event yields its parts. Raises PermanentEventError."""
    return unfold(recorded(event))
