"""Storage of events that could not be sent or processed, for people to read and decide on.

A record's name states its place. `relay~<event>` waits in the outbox. A consumer gave up
`<consumer>~<topic>~<partition>~<offset>`.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Connection, text

from dynabench_common.events import quarantine

RELAY = "relay"
SEPARATOR = "~"
MOST_PARTS = 4

SUMMARY = text("""
SELECT topic, consumer, count(*) AS count, max(sent_at) AS newest_at,
    (array_agg(reason ORDER BY sent_at DESC))[1] AS newest_reason
FROM dead_letter GROUP BY topic, consumer ORDER BY topic, consumer
""")
LIST = text("""
SELECT consumer, topic, partition, position, reason, sent_at, attempts, requested_at IS NOT NULL AS is_requested,
    headers IS NOT NULL AS is_kept
FROM dead_letter ORDER BY sent_at, consumer, topic, partition, position LIMIT :most
""")
WHERE = "consumer = :consumer AND topic = :topic AND partition = :partition AND position = :position"
REQUEST = text(
    f"UPDATE dead_letter SET requested_at = coalesce(requested_at, now()) WHERE {WHERE} AND headers IS NOT NULL"
)
DISCARD = text(f"DELETE FROM dead_letter WHERE {WHERE}")


@dataclass(frozen=True)
class DeadLetter:
    """A record that could not be sent or processed. `held_back` counts the later ones that wait for it.

    If its content was not stored, it can't be retried: a rebuild reads it from its topic.
    """

    record_id: str
    consumer: str
    topic: str
    type: str
    reason: str
    failed_at: datetime
    attempts: int
    held_back: int
    is_requested: bool
    is_kept: bool


@dataclass(frozen=True)
class Summary:
    """A count of a topic's quarantined records by their source, with the newest reason."""

    topic: str
    consumer: str
    count: int
    newest_at: datetime
    newest_reason: str


def summarise(connection: Connection) -> list[Summary]:
    """Count dead letters by topic and source; the relay's source is `relay`."""
    taken = [Summary(**row._mapping) for row in connection.execute(SUMMARY)]
    return taken + [Summary(consumer=RELAY, **row._mapping) for row in quarantine.summarise(connection)]


def list_all(connection: Connection, most: int) -> list[DeadLetter]:
    """Return dead letters: first those that could not be sent, each oldest first."""
    parked = [
        DeadLetter(
            record_id=f"{RELAY}{SEPARATOR}{event.event_id}",
            consumer=RELAY,
            topic=event.topic,
            type=event.type,
            reason=event.reason,
            failed_at=event.parked_at,
            attempts=event.attempts,
            held_back=event.held_back,
            is_requested=False,
            is_kept=True,
        )
        for event in quarantine.list_quarantined(connection, most)
    ]
    given_up = [
        DeadLetter(
            record_id=SEPARATOR.join((row.consumer, row.topic, str(row.partition), str(row.position))),
            consumer=row.consumer,
            topic=row.topic,
            type="",
            reason=row.reason,
            failed_at=row.sent_at,
            attempts=row.attempts,
            held_back=0,
            is_requested=row.is_requested,
            is_kept=row.is_kept,
        )
        for row in connection.execute(LIST, {"most": most})
    ]
    return (parked + given_up)[:most]


def send_again(connection: Connection, record_id: str) -> bool:
    """Request a retry of a record; return whether there is such a record.

    The worker retries it within seconds. Repeating the request changes nothing.
    """
    event_id = _quarantined_event(record_id)
    if event_id is not None:
        return quarantine.send_again(connection, event_id)
    place = _place(record_id)
    return place is not None and connection.execute(REQUEST, place).rowcount == 1


def discard(connection: Connection, record_id: str, reason: str) -> bool:
    """Discard a record; return whether there is such a record."""
    event_id = _quarantined_event(record_id)
    if event_id is not None:
        return quarantine.discard(connection, event_id, reason)
    place = _place(record_id)
    return place is not None and connection.execute(DISCARD, place).rowcount == 1


def _quarantined_event(record_id: str) -> UUID | None:
    who, _, event_id = record_id.partition(SEPARATOR)
    try:
        return UUID(event_id) if who == RELAY else None
    except ValueError:
        return None


def _place(record_id: str) -> dict[str, str | int] | None:
    parts = record_id.split(SEPARATOR)
    if len(parts) != MOST_PARTS or not all(part.isdecimal() and len(part) < 19 for part in parts[2:]):
        return None
    return {
        "consumer": parts[0],
        "topic": parts[1],
        "partition": min(int(parts[2]), 2**31 - 1),
        "position": int(parts[3]),
    }
