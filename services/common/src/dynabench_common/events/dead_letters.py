"""The dead-letter queue, `<topic>.dlq`: events that can never be applied, with the reason, at a limited rate.

The limit keeps a bug from draining a whole topic into the queue. Past the limit, the partition stops instead. The
consumer's own database also stores each dead letter. People are notified of it there and can have it processed again,
even if the queue's topic is lost.
"""

import json
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from kafka import KafkaProducer
from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    DateTime,
    Engine,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    and_,
    select,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import DBAPIError

from dynabench_common.events.stalled_partitions import stalled_partition_table
from dynabench_common.telemetry.logging import get_logger

log = get_logger(__name__)
SUFFIX = ".dlq"
LONGEST_REASON = 1_000


class DeadLetterLimitReached(Exception):
    """More events failed permanently than a healthy consumer would see; the partition stops."""


class DeadLetters:
    """Writes failed records to their topic's dead letters."""

    def __init__(
        self,
        make_producer: Callable[[], KafkaProducer],
        consumer: str,
        limit: int = 100,
        window_seconds: int = 60,
    ) -> None:
        self._make_producer = make_producer
        self._consumer = consumer
        self._limit = limit
        self._window_seconds = window_seconds
        self._recent: deque[float] = deque()
        self._producer: KafkaProducer | None = None

    def send(self, record: Any, reason: str) -> None:
        """Write one record with its reason, acknowledged. Raises DeadLetterLimitReached, KafkaError."""
        now = datetime.now(UTC)
        while self._recent and self._recent[0] < now.timestamp() - self._window_seconds:
            self._recent.popleft()
        if len(self._recent) >= self._limit:
            raise DeadLetterLimitReached(f"{self._limit} dead letters within {self._window_seconds} s")
        if self._producer is None:
            self._producer = self._make_producer()
        extra = {
            "dlq_reason": reason[:LONGEST_REASON],
            "dlq_consumer": self._consumer,
            "dlq_topic": record.topic,
            "dlq_partition": str(record.partition),
            "dlq_offset": str(record.offset),
            "dlq_time": now.isoformat(),
        }
        headers = [*record.headers, *((name, value.encode()) for name, value in extra.items())]
        future = self._producer.send(
            record.topic + SUFFIX, key=record.key, value=record.value, headers=headers
        )
        future.get(timeout=15)
        self._recent.append(now.timestamp())

    def close(self) -> None:
        """Close the producer."""
        if self._producer is not None:
            self._producer.close(timeout=1)
            self._producer = None


def dead_letter_table(metadata: MetaData) -> Table:
    """Declare the table of dead letters and the table of blocked partitions; return the first."""
    stalled_partition_table(metadata)
    table = Table(
        "dead_letter",
        metadata,
        Column("consumer", Text, primary_key=True),
        Column("topic", Text, primary_key=True),
        Column("partition", Integer, primary_key=True),
        Column("position", BigInteger, primary_key=True),
        Column("reason", Text, nullable=False),
        Column("sent_at", DateTime(timezone=True), nullable=False),
        Column("key", LargeBinary),
        Column("value", LargeBinary),
        Column("headers", LargeBinary),
        Column("attempts", Integer, nullable=False, server_default="1"),
        Column("requested_at", DateTime(timezone=True)),
    )
    Index("ix_dead_letter_requested", table.c.consumer, postgresql_where=table.c.requested_at.is_not(None))
    return table


def note(engine: Engine, table: Table, consumer: str, record: Any, reason: str) -> None:
    """Store a record of the dead-letter topic, once even if it is sent there again."""
    row = {
        "consumer": consumer,
        "topic": record.topic,
        "partition": record.partition,
        "position": record.offset,
        "reason": _fit(reason),
        "sent_at": datetime.now(UTC),
        "key": record.key,
        "value": record.value,
        "headers": _packed(record.headers),
    }
    with engine.begin() as connection:
        connection.execute(insert(table).values(row).on_conflict_do_nothing())


@dataclass(frozen=True)
class KeptRecord:
    """A record of a topic, as it was when its consumer gave up."""

    topic: str
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    headers: Sequence[tuple[str, bytes]]


def take_requested(
    engine: Engine, table: Table, consumer: str, apply: Callable[[Connection, KeptRecord], None]
) -> int:
    """Retry the dead letters that people requested, one per transaction; return how many were tried.

    One that fails again is kept with the new reason until the next request. Workers share the records.
    """
    tried = 0
    while _take_one(engine, table, consumer, apply):
        tried += 1
    return tried


def _take_one(
    engine: Engine, table: Table, consumer: str, apply: Callable[[Connection, KeptRecord], None]
) -> bool:
    requested = (
        select(table)
        .where(table.c.consumer == consumer, table.c.requested_at.is_not(None))
        .order_by(table.c.topic, table.c.partition, table.c.position)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    with engine.begin() as connection:
        row = connection.execute(requested).one_or_none()
        if row is None:
            return False
        is_it = and_(*(column == row._mapping[column.name] for column in table.primary_key))
        record = KeptRecord(
            row.topic,
            row.partition,
            row.position,
            _bytes(row.key),
            _bytes(row.value),
            _unpacked(bytes(row.headers)),
        )
        try:
            with connection.begin_nested():
                apply(connection, record)
        except Exception as err:
            if isinstance(err, DBAPIError) and err.connection_invalidated:
                raise
            log.warning("dead_letter_failed_again", consumer=consumer, topic=row.topic, reason=str(err)[:500])
            reason = _fit(f"{type(err).__name__}: {err}")
            failed = table.update().where(is_it)
            connection.execute(failed.values(reason=reason, requested_at=None, attempts=table.c.attempts + 1))
        else:
            connection.execute(table.delete().where(is_it))
    return True


def _fit(reason: str) -> str:
    return reason.replace("\x00", "")[:LONGEST_REASON]


def _bytes(kept: Any) -> bytes | None:
    return None if kept is None else bytes(kept)


def _packed(headers: Sequence[tuple[str, bytes]]) -> bytes:
    return json.dumps([[name, (value or b"").decode("latin-1")] for name, value in headers]).encode()


def _unpacked(packed: bytes) -> list[tuple[str, bytes]]:
    return [(name, value.encode("latin-1")) for name, value in json.loads(packed)]
