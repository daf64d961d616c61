"""Events that a service could not send or apply, and its records about a person."""

from collections.abc import Iterator

from dynabench_client.connection import Area, segment
from dynabench_client.results.base import (
    DeadLetterDecision,
    DeadLetterRecord,
    DeadLetterRecords,
    DeadLetters,
    SetAside,
)

MOST_RECORDS = 1_000


class DeadLettersClient(Area):
    """The part that the clients of all services with a database share."""

    def own_data(self) -> Iterator[bytes]:
        """Yield the service's records about you, except examples and votes, as JSON lines in pieces."""
        return self._pieces("/people/me/data")

    def dead_letters(self) -> tuple[DeadLetters, ...]:
        """Count the events that the service set aside, by topic and consumer."""
        return self.set_aside().items

    def set_aside(self) -> SetAside:
        """Count the events that the service set aside, and name the partitions without progress."""
        return self._get("/dead-letters", SetAside)

    def dead_letter_records(self, limit: int = MOST_RECORDS) -> tuple[DeadLetterRecord, ...]:
        """List records that the service set aside: first what it could not send, each oldest first."""
        return self._get("/dead-letters/records", DeadLetterRecords, limit=limit).items

    def redrive(self, record_id: str) -> DeadLetterDecision:
        """Send or process a record again, and the records that wait for it. Idempotent."""
        path = f"/dead-letters/records/{segment(record_id)}/redrive"
        return self._post(path, {}, DeadLetterDecision)

    def discard(self, record_id: str, reason: str) -> DeadLetterDecision:
        """Give a record up for good; what waits behind it is sent."""
        path = f"/dead-letters/records/{segment(record_id)}/discard"
        return self._post(path, {"reason": reason}, DeadLetterDecision)
