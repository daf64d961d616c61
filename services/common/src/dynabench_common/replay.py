"""Read the log from its beginning to its present end, to build a read model anew."""

from collections.abc import Iterable, Sequence

from google.protobuf.message import Message
from kafka import KafkaConsumer, TopicPartition
from sqlalchemy import Connection, Table

from dynabench_common.consumer import Projection, apply_new
from dynabench_common.events import Decoder, Event, PermanentEventError
from dynabench_common.logging import get_logger
from dynabench_common.storable import flaw_of

log = get_logger(__name__)


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
) -> int:
    """Apply every event of `topics` within the caller's transaction and return how many were applied.

    Nothing is published and no group's offset moves. Undecodable records and those that can't be applied are
    passed over with a log line: the dead letters hold them already.
    """
    decoder = Decoder(accepts)
    applied = 0
    reader = KafkaConsumer(
        bootstrap_servers=bootstrap_servers.split(","), enable_auto_commit=False, max_poll_records=2_000
    )
    try:
        partitions = [
            TopicPartition(topic_prefix + topic, number)
            for topic in topics
            for number in sorted(reader.partitions_for_topic(topic_prefix + topic) or ())
        ]
        ends = reader.end_offsets(partitions)
        reader.assign(partitions)
        reader.seek_to_beginning(*partitions)
        while any(reader.position(partition) < ends[partition] for partition in partitions):
            for records in reader.poll(timeout_ms=500).values():
                applied += _apply(connection, inbox, consumer, projection, decoder, records)
    finally:
        reader.close()
    return applied


def _apply(
    connection: Connection,
    inbox: Table,
    consumer: str,
    projection: Projection,
    decoder: Decoder,
    records: Sequence[object],
) -> int:
    events = [event for record in records if (event := _decode(decoder, record)) is not None]
    try:
        with connection.begin_nested():
            return apply_new(connection, inbox, consumer, projection, events)
    except Exception as err:
        if not isinstance(err, PermanentEventError) and all(flaw_of(event) is None for event in events):
            raise
        return sum(_apply_one(connection, inbox, consumer, projection, event) for event in events)


def _apply_one(
    connection: Connection, inbox: Table, consumer: str, projection: Projection, event: Event
) -> int:
    try:
        with connection.begin_nested():
            return apply_new(connection, inbox, consumer, projection, [event])
    except Exception as err:
        if not isinstance(err, PermanentEventError) and flaw_of(event) is None:
            raise
        log.warning("event_passed_over", type=event.type, event_id=str(event.id), reason=str(err))
        return 0


def _decode(decoder: Decoder, record: object) -> Event | None:
    try:
        return decoder.decode(record.topic, record.key, record.value, record.headers)  # type: ignore[attr-defined]
    except PermanentEventError as err:
        log.warning("record_passed_over", reason=str(err))
        return None
