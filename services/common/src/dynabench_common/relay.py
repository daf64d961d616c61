"""The relay: sends what stands in the outbox, in order, once it is sure nobody else does.

One relay per service is active, decided by a session advisory lock. It reads *unsent* rows by id (a row with a
lower id may commit after one with a higher id, so "greater than the last" would lose it), sends each
aggregate's next event only after the one before was acknowledged, and stops at the first failure. PostgreSQL's
NOTIFY wakes it, so it does not poll.
"""

import select
import threading
import time
from collections.abc import Callable
from typing import Any

import psycopg2
from kafka import KafkaProducer
from kafka.errors import KafkaError
from sqlalchemy import Connection, Engine, Row, Table, text
from sqlalchemy.exc import SQLAlchemyError

from dynabench_common.events import headers_for
from dynabench_common.logging import get_logger
from dynabench_common.outbox import CHANNEL

log = get_logger(__name__)
BATCH = 500
LOCK_KEY = 4_711
PRUNE_EVERY_SECONDS = 60
PRUNE = (
    "DELETE FROM outbox WHERE id <= (SELECT coalesce(min(id), 0) + 5000 FROM outbox) "
    "AND sent_at < now() - interval '7 days'"
)
SEND_TIMEOUT_SECONDS = 15


def producer_factory(bootstrap_servers: str, client_id: str) -> Callable[[], KafkaProducer]:
    """Return a maker of idempotent producers that give up on a send after 10 s."""

    def make() -> KafkaProducer:
        return KafkaProducer(
            bootstrap_servers=bootstrap_servers.split(","),
            client_id=client_id,
            acks="all",
            enable_idempotence=True,
            delivery_timeout_ms=10_000,
            request_timeout_ms=5_000,
            max_block_ms=5_000,
            bootstrap_timeout_ms=5_000,
            reconnect_backoff_max_ms=1_000,
            linger_ms=2,
        )

    return make


class Relay:
    """Sends outbox rows until told to stop; a worker's component."""

    name = "relay"

    def __init__(
        self,
        engine: Engine,
        table: Table,
        make_producer: Callable[[], KafkaProducer],
        source: str,
        topic_prefix: str = "",
    ) -> None:
        self._engine = engine
        self._table = table
        self._make_producer = make_producer
        self._source = source
        self._topic_prefix = topic_prefix
        self._producer: KafkaProducer | None = None
        self._prune_at = 0.0

    def run(self, stop: threading.Event) -> None:
        """Lead or wait to lead, until `stop`; outages of either side are waited out."""
        pause = 0.2
        while not stop.is_set():
            try:
                self._lead(stop)
                pause = 0.2
            except (SQLAlchemyError, psycopg2.Error, KafkaError, OSError, ValueError) as err:
                log.warning(
                    "relay_interrupted", reason=f"{type(err).__name__}: {err}", retry_in_seconds=pause
                )
                self._drop_producer()
                stop.wait(pause)
                pause = min(pause * 2, 2.0)
        self._drop_producer()

    def _lead(self, stop: threading.Event) -> None:
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            while not connection.execute(text(f"SELECT pg_try_advisory_lock({LOCK_KEY})")).scalar_one():
                if stop.wait(0.5):
                    return
            try:
                connection.execute(text(f"LISTEN {CHANNEL}"))
                while not stop.is_set():
                    if not self.send_batch(connection):
                        self._prune(connection)
                        _wait_for_notification(connection)
            finally:
                connection.invalidate()

    def send_batch(self, connection: Connection) -> int:
        """Send at most one event per aggregate, acknowledged and marked; return how many."""
        rows = _next_rows(connection)
        if not rows:
            return 0
        producer = self._producer or self._make_producer()
        self._producer = producer
        futures = [(row.id, self._send(producer, row)) for row in rows]
        sent: list[int] = []
        try:
            for row_id, future in futures:
                future.get(timeout=SEND_TIMEOUT_SECONDS)
                sent.append(row_id)
        finally:
            if sent:
                connection.execute(
                    text("UPDATE outbox SET sent_at = now() WHERE id = ANY(CAST(:ids AS bigint[]))"),
                    {"ids": sent},
                )
        return len(sent)

    def _prune(self, connection: Connection) -> None:
        """Remove a bounded number of rows sent long ago, at most once a minute and only when idle."""
        if time.monotonic() < self._prune_at:
            return
        self._prune_at = time.monotonic() + PRUNE_EVERY_SECONDS
        try:
            connection.execute(text(PRUNE))
        except SQLAlchemyError as err:
            log.warning("outbox_not_pruned", reason=str(err)[:300])

    def _send(self, producer: KafkaProducer, row: Row[Any]) -> Any:
        headers = headers_for(
            event_id=row.event_id,
            type_name=row.type,
            source=self._source,
            time=row.occurred_at,
            aggregate_version=row.aggregate_version,
            traceparent=row.traceparent,
        )
        return producer.send(
            self._topic_prefix + row.topic,
            key=str(row.aggregate_id).encode(),
            value=bytes(row.payload),
            headers=headers,
        )

    def _drop_producer(self) -> None:
        if self._producer is not None:
            try:
                self._producer.close(timeout=0)
            except KafkaError as err:
                log.warning("producer_close_failed", reason=str(err))
            self._producer = None


def _next_rows(connection: Connection) -> list[Row[Any]]:
    statement = text(
        "SELECT id, event_id, topic, type, aggregate_id, aggregate_version, payload, traceparent, occurred_at "
        "FROM outbox WHERE sent_at IS NULL ORDER BY id LIMIT :batch"
    )
    first: dict[object, Row[Any]] = {}
    for row in connection.execute(statement, {"batch": BATCH}):
        first.setdefault((row.topic, row.aggregate_id), row)
    return list(first.values())


def _wait_for_notification(connection: Connection, seconds: float = 1.0) -> None:
    driver: Any = connection.connection.driver_connection
    if not driver.notifies:
        select.select([driver], [], [], seconds)
    driver.poll()
    driver.notifies.clear()
