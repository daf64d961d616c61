"""Where events go that can never be applied: `<topic>.dlq`, with the reason, at a limited rate.

The limit keeps a bug from draining a whole topic into the dead letters: past it, the partition is held instead.
What went there is noted in the consumer's own database as well, where people can be told of it.
"""

from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from kafka import KafkaProducer
from sqlalchemy import BigInteger, Column, DateTime, Engine, Integer, MetaData, Table, Text
from sqlalchemy.dialects.postgresql import insert

SUFFIX = ".dlq"
LONGEST_REASON = 1_000


class DeadLetterLimitReached(Exception):
    """More events failed for good than a sound consumer would see; the partition is held."""


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
        """Let the producer go."""
        if self._producer is not None:
            self._producer.close(timeout=1)
            self._producer = None


def dead_letter_table(metadata: MetaData) -> Table:
    """Declare the record of dead letters; `plumbing.create_dead_letter` makes it in a migration."""
    return Table(
        "dead_letter",
        metadata,
        Column("consumer", Text, primary_key=True),
        Column("topic", Text, primary_key=True),
        Column("partition", Integer, primary_key=True),
        Column("position", BigInteger, primary_key=True),
        Column("reason", Text, nullable=False),
        Column("sent_at", DateTime(timezone=True), nullable=False),
    )


def note(engine: Engine, table: Table, consumer: str, record: Any, reason: str) -> None:
    """Note a record that was sent to the dead letters; one that is sent again is noted once."""
    row = {
        "consumer": consumer,
        "topic": record.topic,
        "partition": record.partition,
        "position": record.offset,
        "reason": reason.replace("\x00", "")[:LONGEST_REASON],
        "sent_at": datetime.now(UTC),
    }
    with engine.begin() as connection:
        connection.execute(insert(table).values(row).on_conflict_do_nothing())
