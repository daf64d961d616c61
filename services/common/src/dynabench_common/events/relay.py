"""The relay: sends the outbox in order, as the only relay of its service.

One relay per service is active, elected by a session advisory lock. It reads *unsent* rows by id. A row with a lower id
may commit after one with a higher id, so "greater than the last" would lose it. A row that no broker will accept is
quarantined with its reason and blocks its own aggregate alone (`quarantine`). When the broker is away, everything
waits. PostgreSQL's NOTIFY wakes the relay, so it does not poll. After a batch that was not full it pauses briefly, so
that rows in quick succession share a batch.
"""

import select
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from kafka import KafkaProducer
from kafka.errors import KafkaError
from sqlalchemy import Connection, Engine, Row, text

from dynabench_common.events import quarantine
from dynabench_common.events.brokers import connection_of
from dynabench_common.events.cloud_events import headers_for
from dynabench_common.events.outbox import CHANNEL
from dynabench_common.events.send_batch import SendBatch, is_refusal, may_be_innocent
from dynabench_common.events.topic_check import TopicCheck
from dynabench_common.telemetry.logging import get_logger
from dynabench_common.telemetry.spans import begin_sending, end_sending
from dynabench_common.telemetry.tracing import traceparent_of
from dynabench_common.work.leader import Leader, LockKey

log = get_logger(__name__)
BATCH = 1_000
MOST_ATTEMPTS = 5
REST_SECONDS = 0.05
CLOSE_SECONDS = 1


class Relay:
    """A worker's component that sends outbox rows until it is stopped."""

    name = "relay"

    def __init__(
        self,
        engine: Engine,
        make_producer: Callable[[], KafkaProducer],
        source: str,
        topic_prefix: str = "",
    ) -> None:
        self._engine = engine
        self._make_producer = make_producer
        self._source = source
        self._topic_prefix = topic_prefix
        self._producer: KafkaProducer | None = None
        self._topics = TopicCheck()
        self._failures: Counter[int] = Counter()
        self._suspects: set[int] = set()

    def run(self, stop: threading.Event) -> None:
        """Lead or wait to lead, until `stop`; it waits during outages of either side."""
        Leader(self.name, self._engine, LockKey.RELAY, self._lead).run(stop)

    def _lead(self, connection: Connection, stop: threading.Event) -> None:
        try:
            connection.execute(text(f"LISTEN {CHANNEL}"))
            # Whatever the statistics say, rows with a hold must not be scanned.
            connection.execute(text("SET enable_seqscan = off"))
            while not stop.is_set():
                sent = self.send_batch(connection)
                if not sent:
                    _wait_for_notification(connection)
                elif sent < BATCH:
                    stop.wait(REST_SECONDS)
        finally:
            self._drop_producer()

    def send_batch(self, connection: Connection) -> int:
        """Send the oldest rows without a hold and mark the acknowledged ones; return the number of processed rows.

        Raises the first failure that is not a single row's: nothing can be sent for the moment.
        """
        rows = quarantine.pick(connection, BATCH)
        if not rows:
            return 0
        quarantine.hold_back(self._engine, [row.id for row in rows if row.is_behind])
        producer = self._producer = self._producer or self._make_producer()
        batch = SendBatch(partial(self._send, producer), self._suspects)
        try:
            batch.carry([row for row in rows if not row.is_behind])
        finally:
            quarantine.mark_sent(connection, batch.acknowledged)
            self._suspects.difference_update(batch.acknowledged)
        if batch.failed:
            self._drop_producer()
            self._deal_with_failures(connection, batch, connection_of(producer.config))
        return len(rows)

    def _deal_with_failures(
        self, connection: Connection, batch: SendBatch, brokers: Mapping[str, Any]
    ) -> None:
        """Quarantine rows that can never be sent. Raises the first other failure."""
        reasons: dict[int, str] = {}
        passing: Exception | None = None
        for row, err in batch.failed:
            if is_refusal(err) and may_be_innocent(row, err, self._suspects):
                self._suspects.add(row.id)
                continue
            is_own = is_refusal(err) or self._topics.is_missing(brokers, self._topic_prefix + row.topic)
            if batch.acknowledged and not is_own:
                self._failures[row.id] += 1
                is_own = self._failures[row.id] >= MOST_ATTEMPTS
            if is_own:
                reasons[row.id] = f"{type(err).__name__}: {err}"
                self._failures.pop(row.id, None)
                self._suspects.discard(row.id)
                log.error(
                    "event_parked", event_id=str(row.event_id), type=row.type, reason=reasons[row.id][:500]
                )
            else:
                passing = passing or err
        quarantine.quarantine_rows(connection, reasons)
        if passing is not None:
            raise passing

    def _send(self, producer: KafkaProducer, row: Row[Any]) -> Any:
        topic = self._topic_prefix + row.topic
        self._topics.ensure(connection_of(producer.config), topic)
        span = begin_sending(row.traceparent, topic, row.type, row.event_id)
        headers = headers_for(
            event_id=row.event_id,
            type_name=row.type,
            source=self._source,
            time=row.occurred_at,
            aggregate_version=row.aggregate_version,
            traceparent=row.traceparent if span is None else traceparent_of(span),
        )
        try:
            answer = producer.send(
                topic, key=str(row.aggregate_id).encode(), value=bytes(row.payload), headers=headers
            )
        except Exception as err:
            if span is not None:
                end_sending(span, err)
            raise
        if span is not None:
            answer.add_callback(lambda _: end_sending(span))
            answer.add_errback(lambda err: end_sending(span, err))
        return answer

    def _drop_producer(self) -> None:
        if self._producer is not None:
            try:
                self._producer.close(timeout=CLOSE_SECONDS)
            except KafkaError as err:
                log.warning("producer_close_failed", reason=str(err))
            self._producer = None


def _wait_for_notification(connection: Connection, seconds: float = 1.0) -> None:
    driver: Any = connection.connection.driver_connection
    if not driver.notifies:
        select.select([driver], [], [], seconds)
    driver.poll()
    driver.notifies.clear()
