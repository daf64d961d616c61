"""Partitions on which a consumer is stuck, listed for people: since when, why, number of attempts."""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    DateTime,
    Engine,
    Integer,
    MetaData,
    Row,
    Table,
    Text,
    text,
)
from sqlalchemy.exc import SQLAlchemyError

from dynabench_common.telemetry.logging import get_logger

log = get_logger(__name__)
LONGEST_REASON = 1_000
NOTE = text("""
INSERT INTO held_partition (consumer, topic, partition, position, reason, held_since, attempts)
VALUES (:consumer, :topic, :partition, :position, :reason, now(), 1)
ON CONFLICT (consumer, topic, partition) DO UPDATE SET
    position = excluded.position,
    reason = excluded.reason,
    held_since = CASE WHEN held_partition.position = excluded.position THEN held_partition.held_since ELSE now() END,
    attempts = CASE WHEN held_partition.position = excluded.position THEN held_partition.attempts + 1 ELSE 1 END
""")
RELEASE = text(
    "DELETE FROM held_partition WHERE consumer = :consumer AND topic = :topic AND partition = :partition"
)
LIST = text(
    "SELECT consumer, topic, partition, position, reason, held_since, attempts FROM held_partition "
    "ORDER BY consumer, topic, partition"
)


def stalled_partition_table(metadata: MetaData) -> Table:
    """Declare the table of stalled partitions."""
    return Table(
        "held_partition",
        metadata,
        Column("consumer", Text, primary_key=True),
        Column("topic", Text, primary_key=True),
        Column("partition", Integer, primary_key=True),
        Column("position", BigInteger, nullable=False),
        Column("reason", Text, nullable=False),
        Column("held_since", DateTime(timezone=True), nullable=False),
        Column("attempts", Integer, nullable=False),
    )


class StalledPartitions:
    """One consumer's records of stopped partitions. If the database is away, only the log has them."""

    def __init__(self, engine: Engine, consumer: str) -> None:
        self._engine = engine
        self._consumer = consumer
        self._running: set[tuple[str, int]] = set()

    def forget(self) -> None:
        """Assume of no partition that it is read: it may have stalled in another worker meanwhile."""
        self._running.clear()

    def stalled(self, record: Any, reason: str) -> None:
        """Note that a record could not be taken in and will be tried again."""
        self._running.discard((record.topic, record.partition))
        parameters = {"position": record.offset, "reason": reason.replace("\x00", "")[:LONGEST_REASON]}
        self._write(NOTE, record, parameters)

    def released(self, partition: Any) -> None:
        """Note that a partition is read again."""
        if (partition.topic, partition.partition) not in self._running and self._write(
            RELEASE, partition, {}
        ):
            self._running.add((partition.topic, partition.partition))

    def _write(self, statement: Any, where: Any, parameters: dict[str, Any]) -> bool:
        place = {"consumer": self._consumer, "topic": where.topic, "partition": where.partition}
        try:
            with self._engine.begin() as connection:
                connection.execute(statement, {**place, **parameters})
        except SQLAlchemyError as err:
            log.warning("hold_not_noted", reason=str(err)[:300], **place)
            return False
        return True


def list_stalled(connection: Connection) -> list[Row[Any]]:
    """Return the partitions on which consumers of this service are stuck."""
    return list(connection.execute(LIST))
