"""The Kafka consumer: at-least-once delivery, exactly-once effect.

Each poll is one transaction: the ids go into the inbox, the effect into the read model, then the offsets are committed.
If it fails, the consumer handles each partition alone. If a partition fails, the consumer handles its events one by
one, so one bad event neither stops nor loses the others. Events that cannot be decoded, or that the projection
declares it can never apply, go to the dead-letter queue. Any other failure may be a bug: its partition stops, where
people see it, and is retried with growing pauses. The other partitions go on.

A transaction for one event costs most of what one for fifty does. So the consumer pauses briefly after each poll that
returned few events. A lone event is processed at once; events in quick succession are processed together.
"""

import threading
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from google.protobuf.message import Message
from kafka import KafkaConsumer, TopicPartition
from kafka.errors import KafkaError
from kafka.structs import OffsetAndMetadata
from sqlalchemy import Connection, Engine, Table
from sqlalchemy.exc import SQLAlchemyError

from dynabench_common.events.brokers import connection, producer_factory
from dynabench_common.events.cloud_events import Decoder, Event, PermanentEventError
from dynabench_common.events.db_safe import flaw_of
from dynabench_common.events.dead_letters import DeadLetters, KeptRecord, note, take_requested
from dynabench_common.events.inbox import take_in
from dynabench_common.events.stalled_partitions import StalledPartitions
from dynabench_common.settings import EventSettings
from dynabench_common.telemetry.logging import get_logger
from dynabench_common.telemetry.metrics import CONSUMER_BEHIND, CONSUMER_TURN, DEAD_LETTERED, taken_in
from dynabench_common.telemetry.spans import taking_in

log = get_logger(__name__)
REQUESTS_LOOKED_FOR_SECONDS = 1.0
LONGEST_STALL_SECONDS = 5.0
REST_SECONDS = 0.1
MOST_LOGGED = 20
"""Largest batch whose events are logged one by one."""
MANY_RECORDS = 200
"""A poll that brings so many shows a reader that is behind: it does not rest."""
LARGEST_REPLY_BYTES = 64 * 1024 * 1024
"""More than a broker ever sends at once. The client's own limit is 1 MB, which a reader that is behind gets from each
partition: it would refuse the reply and reconnect."""
SETTINGS = {
    "enable_auto_commit": False,
    "auto_offset_reset": "earliest",
    "session_timeout_ms": 15_000,
    "heartbeat_interval_ms": 1_000,
    "fetch_max_wait_ms": 1_000,
    "max_poll_records": 1_000,
    "receive_message_max_bytes": LARGEST_REPLY_BYTES,
    "metadata_max_age_ms": 10_000,
    "reconnect_backoff_max_ms": 1_000,
    "api_version_auto_timeout_ms": 5_000,
    "allow_auto_create_topics": False,
}


class Projection(Protocol):
    """Turns events into state.

    Facts must commute: no order is promised across topics, and a dead letter may be replayed much later.
    """

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Apply events, none of them seen before, within the open transaction.

        Raises PermanentEventError for an event that can never be applied.
        """


class TypedProjection(Projection, Protocol):
    """A projection that lists the types of events that it accepts."""

    @property
    def accepts(self) -> Iterable[type[Message]]:
        """Return the types."""


class ConsumerLoop:
    """A worker's component that feeds a projection from topics until it is stopped."""

    def __init__(
        self,
        engine: Engine,
        inbox: Table,
        projection: Projection,
        *,
        topics: Sequence[str],
        accepts: Iterable[type[Message]],
        group: str,
        bootstrap_servers: str,
        dead_letter: Table,
        topic_prefix: str = "",
        consumer: str = "",
    ) -> None:
        """`consumer` is the name in the inbox and in the dead letters; by default it is the group."""
        self.name = f"consumer {group}"
        self._engine = engine
        self._inbox = inbox
        self._projection = projection
        self._topics = [topic_prefix + topic for topic in topics]
        self._decoder = Decoder(accepts)
        self._group = topic_prefix + group
        self._inbox_name = consumer or group
        self._bootstrap_servers = bootstrap_servers
        self._dead_letter = dead_letter
        self._dead_letters = DeadLetters(
            producer_factory(bootstrap_servers, f"{group}-dlq"), self._inbox_name
        )
        self._pauses: dict[TopicPartition, tuple[float, float]] = {}
        self._stalled_partitions = StalledPartitions(engine, group)
        self._requests_at = 0.0
        self._assigned: set[TopicPartition] = set()

    def run(self, stop: threading.Event) -> None:
        """Consume until `stop`; it waits during an outage of the broker."""
        while not stop.is_set():
            self._stalled_partitions.forget()
            consumer = None
            try:
                consumer = self._connect()
                while not stop.is_set():
                    if 0 < self._turn(consumer) < MANY_RECORDS:
                        stop.wait(REST_SECONDS)
            except (KafkaError, OSError) as err:
                log.warning("consumer_interrupted", group=self._group, reason=f"{type(err).__name__}: {err}")
                stop.wait(1.0)
            finally:
                self._pauses.clear()
                if consumer is not None:
                    _close(consumer)
        self._dead_letters.close()

    def _connect(self) -> KafkaConsumer:
        return KafkaConsumer(
            *self._topics,
            **connection(self._bootstrap_servers),
            group_id=self._group,
            client_id=self._group,
            **SETTINGS,
        )

    def _turn(self, consumer: KafkaConsumer) -> int:
        """Take in what a poll brings; return how many records it brought."""
        self._resume_stalled(consumer)
        self._take_requested()
        polled = consumer.poll(timeout_ms=500)
        if polled and consumer.assignment() != self._assigned:
            self._assigned = consumer.assignment()
            self._stalled_partitions.forget()
        progress: dict[TopicPartition, OffsetAndMetadata] = {}
        together = len(polled) > 1 and self._apply_together(polled.values())
        for partition, records in polled.items():
            done = len(records) if together else self._take(records)
            if done:
                progress[partition] = OffsetAndMetadata(records[done - 1].offset + 1, "", -1)
                self._stalled_partitions.released(partition)
                if done == len(records):
                    self._pauses.pop(partition, None)
            if done < len(records):
                self._stall(consumer, partition, records[done].offset)
        if progress:
            consumer.commit(progress)
        CONSUMER_BEHIND.labels(self._inbox_name).set(_behind(consumer))
        CONSUMER_TURN.labels(self._inbox_name).set_to_current_time()
        return sum(len(records) for records in polled.values())

    def _take(self, records: Sequence[Any]) -> int:
        """Process records of one partition in order; return the number of finished ones."""
        if self._apply_together([records]):
            return len(records)
        for position, record in enumerate(records):
            if not self._take_one(record):
                return position
        return len(records)

    def _apply_together(self, polled: Iterable[Sequence[Any]]) -> bool:
        """Apply records of partitions, each in its order, in one transaction; return whether that succeeded."""
        records = [record for of_partition in polled for record in of_partition]
        try:
            self._apply([self._decode(record) for record in records])
        except Exception as err:
            reason = f"{type(err).__name__}: {err}"
            log.info("batch_split", group=self._group, size=len(records), reason=reason)
            return False
        return True

    def _take_one(self, record: Any) -> bool:
        where = {"topic": record.topic, "partition": record.partition, "offset": record.offset}
        try:
            try:
                self._apply_or_refuse(self._decode(record))
            except PermanentEventError as err:
                self._give_up(record, f"{type(err).__name__}: {err}")
                log.error("event_dead_lettered", group=self._group, reason=str(err)[:500], **where)
        except Exception as err:
            reason = f"{type(err).__name__}: {err}"
            log.error("partition_held", group=self._group, reason=reason[:500], exc_info=err, **where)
            self._stalled_partitions.stalled(record, reason)
            return False
        return True

    def _apply_or_refuse(self, event: Event | None) -> None:
        """Apply one event. Raises PermanentEventError also for a value that the database can't store."""
        try:
            self._apply([event])
        except PermanentEventError:
            raise
        except Exception as err:
            flaw = None if event is None else flaw_of(event)
            if flaw is None:
                raise
            raise PermanentEventError(f"{flaw} ({type(err).__name__})") from err

    def _take_requested(self) -> None:
        """Retry the dead letters that people requested."""
        if time.monotonic() < self._requests_at:
            return
        self._requests_at = time.monotonic() + REQUESTS_LOOKED_FOR_SECONDS
        try:
            take_requested(self._engine, self._dead_letter, self._inbox_name, self._apply_kept)
        except SQLAlchemyError as err:
            log.warning("requests_not_read", group=self._group, reason=str(err)[:300])

    def _apply_kept(self, connection: Connection, record: KeptRecord) -> None:
        event = self._decode(record)
        if event is not None:
            with taking_in(self._inbox_name, [event]):
                apply_new(connection, self._inbox, self._inbox_name, self._projection, [event])

    def _give_up(self, record: Any, reason: str) -> None:
        self._dead_letters.send(record, reason)
        DEAD_LETTERED.labels(self._inbox_name, record.topic).inc()
        note(self._engine, self._dead_letter, self._inbox_name, record, reason)

    def _decode(self, record: Any) -> Event | None:
        return self._decoder.decode(record.topic, record.key, record.value, record.headers)

    def _apply(self, decoded: Sequence[Event | None]) -> None:
        events = [event for event in decoded if event is not None]
        if not events:
            return
        with taking_in(self._inbox_name, events), self._engine.begin() as connection:
            applied = apply_new(connection, self._inbox, self._inbox_name, self._projection, events)
        _log_applied(self._inbox_name, events)
        if applied == len(events):  # otherwise some were redelivered, and their age means nothing
            now = datetime.now(UTC)
            taken_in(self._inbox_name, [(now - event.time).total_seconds() for event in events])

    def _stall(self, consumer: KafkaConsumer, partition: TopicPartition, offset: int) -> None:
        _, pause = self._pauses.get(partition, (0.0, 0.1))
        self._pauses[partition] = (time.monotonic() + pause, min(pause * 2, LONGEST_STALL_SECONDS))
        consumer.seek(partition, offset)
        consumer.pause(partition)

    def _resume_stalled(self, consumer: KafkaConsumer) -> None:
        for partition in list(consumer.paused()):
            until, _ = self._pauses.get(partition, (0.0, 0.1))
            if time.monotonic() >= until:
                consumer.resume(partition)


def _log_applied(consumer: str, events: Sequence[Event]) -> None:
    """Log applied events, each with its trace; a large batch gets one line."""
    if len(events) > MOST_LOGGED:
        log.info("events_taken_in", consumer=consumer, events=len(events))
        return
    for event in events:
        named = {"type": event.type, "event_id": str(event.id), "aggregate_id": str(event.aggregate_id)}
        _, _, trace = (event.traceparent or "").partition("-")
        trace_id = {"trace_id": trace.partition("-")[0]} if trace else {}
        log.info("event_taken_in", consumer=consumer, topic=event.topic, **named, **trace_id)


def apply_new(
    connection: Connection, inbox: Table, consumer: str, projection: Projection, events: Sequence[Event]
) -> int:
    """Apply the events whose ids are new to the inbox; return their number."""
    fresh = take_in(connection, inbox, consumer, [event.id for event in events])
    new_events = []
    for event in events:
        if event.id in fresh:
            fresh.discard(event.id)
            new_events.append(event)
    if new_events:
        projection.apply(connection, new_events)
    return len(new_events)


def _behind(consumer: KafkaConsumer) -> int:
    """Return the consumer lag in events over the assigned partitions, as last reported by the broker."""
    waiting = 0
    for partition in consumer.assignment():
        end, position = consumer.highwater(partition), consumer.position(partition, timeout_ms=0)
        if end is not None and position is not None:
            waiting += max(end - position, 0)
    return waiting


def _close(consumer: KafkaConsumer) -> None:
    try:
        consumer.close(autocommit=False, timeout_ms=2_000)
    except (KafkaError, OSError) as err:
        log.warning("consumer_close_failed", reason=str(err))


def build_consumer(
    engine: Engine,
    settings: EventSettings,
    inbox: Table,
    dead_letter: Table,
    group: str,
    projection: TypedProjection,
    topics: Sequence[str],
) -> ConsumerLoop:
    """Return the consumer that feeds a projection with the events it accepts."""
    return ConsumerLoop(
        engine,
        inbox,
        projection,
        topics=topics,
        accepts=projection.accepts,
        group=group,
        bootstrap_servers=settings.kafka_bootstrap_servers,
        topic_prefix=settings.kafka_topic_prefix,
        dead_letter=dead_letter,
    )
