"""The quarantine of outbox rows that cannot be sent, and of the rows that must wait for them.

A row that cannot be sent is quarantined: its `hold` is `parked`, with the reason. The later rows of its aggregate get
the hold `behind` until it is sent again or discarded. So the relay reads its next rows from a partial index without
blocked rows, however many those are. A new row of a blocked aggregate is recognised by the statement that picks it.
That statement sees state and row in one snapshot, so nothing overtakes rows that are released at the same moment.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine, Row, text

from dynabench_common.work.leader import LockKey

LONGEST_REASON = 1_000

PICK = text("""
SELECT id, event_id, topic, type, aggregate_id, aggregate_version, payload, traceparent, occurred_at,
    EXISTS (
        SELECT 1 FROM outbox AS first
        WHERE first.aggregate_id = waiting.aggregate_id AND first.topic = waiting.topic
        AND first.sent_at IS NULL AND first.hold = 'parked'
    ) AS is_behind
FROM outbox AS waiting WHERE sent_at IS NULL AND hold IS NULL ORDER BY id LIMIT :most
""")
MARK_SENT = text("UPDATE outbox SET sent_at = now(), reason = NULL WHERE id = ANY(CAST(:ids AS bigint[]))")
PARK = text("""
UPDATE outbox SET hold = 'parked', parked_at = now(), reason = parked.reason, attempts = attempts + 1
FROM unnest(CAST(:ids AS bigint[]), CAST(:reasons AS text[])) AS parked (id, reason)
WHERE outbox.id = parked.id AND sent_at IS NULL
""")
HOLD_BACK = text("""
UPDATE outbox AS late SET hold = 'behind' WHERE id = ANY(CAST(:ids AS bigint[])) AND sent_at IS NULL AND hold IS NULL
AND EXISTS (
    SELECT 1 FROM outbox AS first
    WHERE first.aggregate_id = late.aggregate_id AND first.topic = late.topic
    AND first.sent_at IS NULL AND first.hold = 'parked'
)
""")
LET_GO = text("""
UPDATE outbox SET hold = NULL WHERE sent_at IS NULL AND hold IN ('parked', 'behind') AND (aggregate_id, topic) = (
    SELECT aggregate_id, topic FROM outbox WHERE event_id = :event_id AND hold = 'parked' AND sent_at IS NULL
)
""")
DISCARD = text("UPDATE outbox SET hold = 'discarded', reason = :reason WHERE event_id = :event_id")
LIST = text("""
SELECT event_id, topic, type, aggregate_id, reason, parked_at, attempts, (
    SELECT count(*) FROM outbox AS late
    WHERE late.aggregate_id = parked.aggregate_id AND late.topic = parked.topic
    AND late.sent_at IS NULL AND late.hold = 'behind'
) AS held_back
FROM outbox AS parked WHERE sent_at IS NULL AND hold = 'parked' ORDER BY id LIMIT :most
""")
SUMMARY = text("""
SELECT topic, count(*) AS count, max(parked_at) AS newest_at,
    (array_agg(reason ORDER BY parked_at DESC))[1] AS newest_reason
FROM outbox WHERE sent_at IS NULL AND hold = 'parked' GROUP BY topic ORDER BY topic
""")


@dataclass(frozen=True)
class QuarantinedEvent:
    """An event that could not be sent; `held_back` later ones of its aggregate wait behind it."""

    event_id: UUID
    topic: str
    type: str
    aggregate_id: UUID
    reason: str
    parked_at: datetime
    attempts: int
    held_back: int


def pick(connection: Connection, most: int) -> Sequence[Row[Any]]:
    """Return the oldest unsent rows without a hold; those with `is_behind` must wait."""
    return connection.execute(PICK, {"most": most}).all()


def mark_sent(connection: Connection, ids: Sequence[int]) -> None:
    """Note that the broker has acknowledged rows."""
    if ids:
        connection.execute(MARK_SENT, {"ids": list(ids)})


def quarantine_rows(connection: Connection, reasons: Mapping[int, str]) -> None:
    """Quarantine rows that can't be sent, each with its reason."""
    if reasons:
        texts = [reason.replace("\x00", "")[:LONGEST_REASON] for reason in reasons.values()]
        connection.execute(PARK, {"ids": list(reasons), "reasons": texts})


def hold_back(engine: Engine, ids: Sequence[int]) -> None:
    """Let rows wait for the quarantined one of their aggregate, unless it was released meanwhile."""
    if ids:
        with engine.begin() as connection:
            _exclude_others(connection)
            connection.execute(HOLD_BACK, {"ids": list(ids)})


def list_quarantined(connection: Connection, most: int) -> list[QuarantinedEvent]:
    """Return the quarantined events, oldest first."""
    return [QuarantinedEvent(**row._mapping) for row in connection.execute(LIST, {"most": most})]


def summarise(connection: Connection) -> Sequence[Row[Any]]:
    """Count the quarantined events by topic, each with the newest's moment and reason."""
    return connection.execute(SUMMARY).all()


def send_again(connection: Connection, event_id: UUID) -> bool:
    """Release a quarantined event and those behind it, in their order; return whether it was quarantined."""
    _exclude_others(connection)
    count = connection.execute(LET_GO, {"event_id": event_id}).rowcount
    if count:
        connection.execute(text("SELECT pg_notify('outbox', '')"))
    return count > 0


def discard(connection: Connection, event_id: UUID, reason: str) -> bool:
    """Discard a quarantined event and release those behind it; return whether it was quarantined."""
    if not send_again(connection, event_id):
        return False
    connection.execute(DISCARD, {"event_id": event_id, "reason": reason[:LONGEST_REASON]})
    return True


def _exclude_others(connection: Connection) -> None:
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LockKey.QUARANTINE})
