"""The transactional outbox: events are rows first, written in the transaction that makes them true.

The relay sends them later. So an event exists exactly when its state does, whatever Kafka is doing; the price
is one more insert per command and some milliseconds until the event is on the wire.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

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
    select,
)

from dynabench_common.identifiers import new_id
from dynabench_common.tracing import current_traceparent

CHANNEL = "outbox"


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
    """Declare the outbox in a service's metadata; `plumbing.create_outbox` makes it in a migration."""
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
    )
    Index("ix_outbox_unsent", table.c.id, postgresql_where=table.c.sent_at.is_(None))
    return table


def message_for(
    topic: str, message: Message, aggregate_id: UUID, aggregate_version: int, occurred_at: datetime
) -> OutboxMessage:
    """Wrap a protobuf event; its type is the message's full name."""
    return OutboxMessage(
        topic=topic,
        type=message.DESCRIPTOR.full_name,
        aggregate_id=aggregate_id,
        aggregate_version=aggregate_version,
        payload=message.SerializeToString(deterministic=True),
        occurred_at=occurred_at,
        traceparent=current_traceparent(),
    )


def append(connection: Connection, table: Table, messages: Iterable[OutboxMessage]) -> None:
    """Insert events and wake the relay when the transaction commits."""
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
    if rows:
        connection.execute(table.insert(), rows)
        connection.execute(select(func.pg_notify(CHANNEL, "")))
