"""Replay of the log, from its beginning or a given position to its present end, to build read models."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self

from google.protobuf.message import Message
from kafka import KafkaConsumer, TopicPartition
from sqlalchemy import Connection, Table

from dynabench_common.events.brokers import connection
from dynabench_common.events.cloud_events import Decoder, Event, PermanentEventError
from dynabench_common.events.consumer import LARGEST_REPLY_BYTES, Projection, apply_new
from dynabench_common.events.db_safe import flaw_of
from dynabench_common.telemetry.logging import get_logger

log = get_logger(__name__)
MOST_RECORDS = 2_000
PROGRESS_EVERY_SECONDS = 5.0
Positions = Mapping[TopicPartition, int]
Tell = Callable[[int, int], None]
"""Takes the numbers of read records and of all records."""


class LogReader:
    """Reads topics in no consumer group, so no offset of a group moves; use it as a context manager."""

    def __init__(
        self,
        topics: Sequence[str],
        bootstrap_servers: str,
        topic_prefix: str = "",
        most_records: int = MOST_RECORDS,
    ) -> None:
        self._topics = [topic_prefix + topic for topic in topics]
        self._bootstrap_servers = bootstrap_servers
        self._most_records = most_records

    def __enter__(self) -> Self:
        self._consumer = KafkaConsumer(
            **connection(self._bootstrap_servers),
            enable_auto_commit=False,
            max_poll_records=self._most_records,
            receive_message_max_bytes=LARGEST_REPLY_BYTES,
        )
        try:
            self._partitions = [
                TopicPartition(topic, number)
                for topic in self._topics
                for number in sorted(self._consumer.partitions_for_topic(topic) or ())
            ]
            self._beginnings = self._of_each(self._consumer.beginning_offsets)
            self._consumer.assign(self._partitions)
            self.seek(self._beginnings)
        except BaseException:
            self._consumer.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._consumer.close()

    def seek(self, positions: Positions) -> None:
        """Continue from these positions; a partition that is not among them is read from its beginning."""
        for partition, position in positions.items():
            self._consumer.seek(partition, position)

    def ends(self) -> Positions:
        """Return the end offset of each partition."""
        return self._of_each(self._consumer.end_offsets)

    def positions(self) -> Positions:
        """Return the next offset of each partition."""
        return {partition: self._consumer.position(partition) for partition in self._partitions}

    def count(self, positions: Positions) -> int:
        """Return how many records lie before these positions."""
        return sum(position - self._beginnings[partition] for partition, position in positions.items())

    def _of_each(self, ask: Callable[[list[TopicPartition]], Positions]) -> Positions:
        """Return the broker's answer for each partition; empty if no topic has this prefix."""
        return ask(self._partitions) if self._partitions else {}

    def poll(self) -> list[Any]:
        """Return the next records, those of a partition in order; none if none come within half a second."""
        polled = self._consumer.poll(timeout_ms=500)
        return [record for records in polled.values() for record in records]

    def read_until(self, ends: Positions) -> Iterator[list[Any]]:
        """Yield records, many at a time, until every partition is read up to these positions.

        Yields an empty list at times, as while the broker is away, so that the caller can stop.
        """
        while any(self._consumer.position(partition) < end for partition, end in ends.items()):
            yield self.poll()


def replay(
    connection: Connection,
    inbox: Table,
    projection: Projection,
    *,
    consumer: str,
    topics: Sequence[str],
    accepts: Iterable[type[Message]],
    bootstrap_servers: str,
    topic_prefix: str = "",
    tell: Tell | None = None,
) -> int:
    """Apply every event of `topics` within the caller's transaction and return how many were applied.

    Nothing is published and no group's offset moves. Records that can't be decoded or applied are skipped with a
    log line: the dead letters have them already. `tell` receives the progress; without it, the log does.
    """
    decoder = Decoder(accepts)
    applied = 0
    report_progress = now_and_then(tell or _log_progress)
    with LogReader(topics, bootstrap_servers, topic_prefix) as reader:
        ends = reader.ends()
        for records in reader.read_until(ends):
            applied += apply_records(connection, inbox, consumer, projection, decoder, records).applied
            report_progress(reader.count(reader.positions()), reader.count(ends))
    return applied


def now_and_then(
    tell: Tell, every_seconds: float = PROGRESS_EVERY_SECONDS, clock: Callable[[], float] = time.monotonic
) -> Tell:
    """Return `tell`, throttled to one call in so many seconds."""
    next_at = clock() + every_seconds

    def tell_if_due(read: int, total: int) -> None:
        nonlocal next_at
        now = clock()
        if now >= next_at:
            next_at = now + every_seconds
            tell(read, total)

    return tell_if_due


def _log_progress(read: int, total: int) -> None:
    log.info("rebuild_progress", events_read=read, events_total=total)


class Replayed(NamedTuple):
    """Counts of applied events and of refused records: undecodable ones, or ones that cannot be applied."""

    applied: int = 0
    refused: int = 0


def apply_records(
    connection: Connection,
    inbox: Table,
    consumer: str,
    projection: Projection,
    decoder: Decoder,
    records: Sequence[Any],
) -> Replayed:
    """Apply records within the open transaction, skipping those that can't be; return both numbers."""
    events: list[Event] = []
    undecodable = 0
    for record in records:
        try:
            event = decoder.decode(record.topic, record.key, record.value, record.headers)
        except PermanentEventError as err:
            log.warning("record_passed_over", reason=str(err))
            undecodable += 1
        else:
            events += [] if event is None else [event]
    if not events:
        return Replayed(refused=undecodable)
    done = _apply(connection, inbox, consumer, projection, events)
    return Replayed(done.applied, done.refused + undecodable)


def _apply(
    connection: Connection, inbox: Table, consumer: str, projection: Projection, events: Sequence[Event]
) -> Replayed:
    """Apply events. A bad one is found by halving the batch, so that the others stay together."""
    try:
        with connection.begin_nested():
            return Replayed(applied=apply_new(connection, inbox, consumer, projection, events))
    except Exception as err:
        if not isinstance(err, PermanentEventError) and all(flaw_of(event) is None for event in events):
            raise
        if len(events) == 1:
            (event,) = events
            log.warning("event_passed_over", type=event.type, event_id=str(event.id), reason=str(err))
            return Replayed(refused=1)
    half = len(events) // 2
    parts = [_apply(connection, inbox, consumer, projection, part) for part in (events[:half], events[half:])]
    return Replayed(sum(part.applied for part in parts), sum(part.refused for part in parts))
