"""The transactional outbox: events are rows first, written in the transaction that makes them true.

The relay sends them later. So an event exists exactly when its state does, whatever Kafka is doing. The price is one
more insert per command, and some milliseconds until the event is on the wire.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from dynabench_events import EventRecord, Versioned, encode
from google.protobuf.message import Message
from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    DateTime,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    Uuid,
    func,
)
from sqlalchemy.sql.dml import ReturningInsert
from structlog.contextvars import bind_contextvars

from dynabench_common.database.bulk import as_document, insert_rows
from dynabench_common.events.cloud_events import PermanentEventError
from dynabench_common.identifiers import new_id
from dynabench_common.telemetry.tracing import current_request_id, traceparent_for

CHANNEL = "outbox"
LARGEST_STATEMENT_BYTES = 4_000_000
LARGEST_EVENT_BYTES = 1_000_000
"""A broker takes 1,048,588 bytes in one batch by default; key and headers need some of them."""


class EventTooLarge(PermanentEventError):
    """An event that no broker would take, refused before anything is stored; for a consumer it is permanent."""

    def __init__(self, type_name: str, size: int) -> None:
        super().__init__(
            f"the event {type_name} would have {size:,} bytes, {LARGEST_EVENT_BYTES:,} are the most: shorten what is "
            "stored, or store it in several parts"
        )
        self.type_name = type_name
        self.size = size


@dataclass(frozen=True)
class OutboxMessage:
    """An event ready to be stored.

    `aggregate_version` grows by one with each event of an aggregate; a command must hold its aggregate's lock,
    so that versions are committed in order.
    """

    topic: str
    type: str
    aggregate_id: UUID
    aggregate_version: int
    payload: bytes
    occurred_at: datetime
    traceparent: str | None = None


def outbox_table(metadata: MetaData) -> Table:
    """Declare the outbox in a service's metadata."""
    table = Table(
        "outbox",
        metadata,
        Column("id", BigInteger, Identity(), primary_key=True),
        Column("event_id", Uuid, nullable=False, unique=True),
        Column("topic", Text, nullable=False),
        Column("type", Text, nullable=False),
        Column("aggregate_id", Uuid, nullable=False),
        Column("aggregate_version", Integer, nullable=False),
        Column("payload", LargeBinary, nullable=False),
        Column("traceparent", Text),
        Column("occurred_at", DateTime(timezone=True), nullable=False),
        Column("sent_at", DateTime(timezone=True)),
        Column("hold", Text),
        Column("reason", Text),
        Column("parked_at", DateTime(timezone=True)),
        Column("attempts", Integer, nullable=False, server_default="0"),
    )
    is_unsent = table.c.sent_at.is_(None)
    Index("ix_outbox_waiting", table.c.id, postgresql_where=is_unsent & table.c.hold.is_(None))
    Index(
        "ix_outbox_held",
        table.c.aggregate_id,
        table.c.topic,
        table.c.id,
        postgresql_where=is_unsent & table.c.hold.in_(("parked", "behind")),
    )
    Index(
        "ix_outbox_parked",
        table.c.aggregate_id,
        table.c.topic,
        postgresql_where=is_unsent & (table.c.hold == "parked"),
    )
    Index("ix_outbox_sent_at", table.c.sent_at, postgresql_where=table.c.sent_at.is_not(None))
    return table


def message_for(
    topic: str, message: Message, aggregate_id: UUID, aggregate_version: int, occurred_at: datetime
) -> OutboxMessage:
    """Wrap a protobuf event; its type is the message's full name. A request's line in the log names its events."""
    if current_request_id() is not None:
        bind_contextvars(wrote=f"{message.DESCRIPTOR.name} {aggregate_id}")
    return OutboxMessage(
        topic=topic,
        type=message.DESCRIPTOR.full_name,
        aggregate_id=aggregate_id,
        aggregate_version=aggregate_version,
        payload=message.SerializeToString(deterministic=True),
        occurred_at=occurred_at,
        traceparent=traceparent_for(aggregate_id),
    )


def outbox_message(event: Versioned[EventRecord]) -> OutboxMessage:
    """Return an event as the outbox stores it."""
    record = event.record
    return message_for(record.topic, encode(record), record.aggregate_id, event.version, record.occurred_at)


def append(connection: Connection, table: Table, messages: Iterable[OutboxMessage]) -> None:
    """Insert events and wake the relay when the transaction commits.

    Raises EventTooLarge for one beyond the brokers' limit.
    """
    messages = list(messages)
    for message in messages:
        if len(message.payload) > LARGEST_EVENT_BYTES:
            raise EventTooLarge(message.type, len(message.payload))
    rows = [
        {
            "event_id": new_id(),
            "topic": message.topic,
            "type": message.type,
            "aggregate_id": message.aggregate_id,
            "aggregate_version": message.aggregate_version,
            "payload": message.payload,
            "traceparent": message.traceparent,
            "occurred_at": message.occurred_at,
        }
        for message in messages
    ]
    for some in _in_statements(rows):
        connection.execute(_insert(table, tuple(some[0])), as_document(some))


@cache
def _insert(table: Table, names: tuple[str, ...]) -> ReturningInsert[tuple[str]]:
    """Return the insert that also notifies the relay; PostgreSQL merges equal notifications of one transaction."""
    return insert_rows(table, names).returning(func.pg_notify(CHANNEL, ""))


def _in_statements(rows: Sequence[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows in their order, as many at a time as one statement is to hold."""
    some: list[dict[str, Any]] = []
    size = 0
    for row in rows:
        if some and size + len(row["payload"]) > LARGEST_STATEMENT_BYTES:
            yield some
            some, size = [], 0
        some.append(row)
        size += len(row["payload"])
    if some:
        yield some
