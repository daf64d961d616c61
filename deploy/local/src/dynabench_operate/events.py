"""Kafka's records up to the mark as files, and their restore at the same positions.

There is one file per partition: compressed lines of JSON. A record that was unsent in its producer's database at the
mark is left out, even if the broker has it. The restored outbox sends it, so that it is in the log once. Its position
is filled with a record that every consumer skips. So are the positions of records that the brokers no longer have.
Positions stay the same, wherever they are stored: by groups, by dead letters, by boards that are being built.
"""

import base64
import gzip
import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TextIO

from dynabench_common.events.brokers import PRODUCER_SETTINGS, connection
from dynabench_common.events.replay import LogReader
from kafka import KafkaProducer, TopicPartition

from dynabench_operate.cut import Places, topic_names
from dynabench_operate.stores import Refused, Stores

PATIENCE_SECONDS = 60.0
FILLER = [("ce_type", b"dynabench.operate.v1.PositionLeftFree")]
"""A type that all consumers skip."""
FLUSH_EVERY = 5_000


def path_of(folder: Path, topic: str, partition: int) -> Path:
    """Return the file of a partition."""
    return folder / topic / f"{partition}.jsonl.gz"


def write(stores: Stores, folder: Path, ends: Places, unsent: set[str]) -> dict[str, int]:
    """Write all records before `ends` but the `unsent`; return how many of each topic.

    Raises Refused if no record comes for a minute.
    """
    written = dict.fromkeys(ends, 0)
    with ExitStack() as files, LogReader(list(ends), stores.kafka_address, stores.topic_prefix) as reader:
        targets: dict[TopicPartition, TextIO] = {}
        for topic, of in ends.items():
            (folder / topic).mkdir(parents=True)
            for number in range(len(of)):
                place = TopicPartition(stores.topic_prefix + topic, number)
                targets[place] = files.enter_context(_compressed(path_of(folder, topic, number)))
        marks = {place: ends[_bare(stores, place)][place.partition] for place in targets}
        for record in _records(reader, marks):
            place = TopicPartition(record.topic, record.partition)
            if record.offset >= marks[place] or _event_id(record.headers) in unsent:
                continue
            targets[place].write(json.dumps(_packed(record)) + "\n")
            written[_bare(stores, place)] += 1
    return written


def _records(reader: LogReader, marks: Mapping[TopicPartition, int]) -> Iterator[Any]:
    heard_at = time.monotonic()
    for records in reader.read_until(marks):
        if records:
            heard_at = time.monotonic()
        elif time.monotonic() - heard_at > PATIENCE_SECONDS:
            raise Refused("the brokers send nothing for a minute: see whether they serve, then begin again.")
        yield from records


def _bare(stores: Stores, place: TopicPartition) -> str:
    name: str = place.topic.removeprefix(stores.topic_prefix)
    return name


def _compressed(path: Path) -> TextIO:
    return gzip.open(path, "wt", encoding="utf-8", compresslevel=4)


def _event_id(headers: list[tuple[str, bytes]]) -> str:
    return next((value.decode(errors="replace") for name, value in headers if name == "ce_id"), "")


def _packed(record: Any) -> dict[str, Any]:
    return {
        "position": record.offset,
        "timestamp": record.timestamp,
        "key": _text(record.key),
        "value": _text(record.value),
        "headers": [[name, _text(value)] for name, value in record.headers],
    }


def _text(content: bytes | None) -> str | None:
    return None if content is None else base64.b64encode(content).decode()


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a file. Raises OSError or ValueError if it is damaged."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def occupied(stores: Stores) -> list[str]:
    """Return this installation's topics that ever had a record. Raises KafkaError."""
    with LogReader(topic_names(), stores.kafka_address, stores.topic_prefix) as reader:
        return sorted({_bare(stores, place) for place, end in reader.ends().items() if end > 0})


def ensure_partitions(stores: Stores, ends: Places) -> None:
    """Raise Refused for a topic that is missing, or has other partitions than before."""
    with LogReader(list(ends), stores.kafka_address, stores.topic_prefix) as reader:
        found = Counter(_bare(stores, place) for place in reader.ends())
    wrong = [
        f"{topic} has {found[topic]}, not {len(of)}" for topic, of in ends.items() if found[topic] != len(of)
    ]
    if wrong:
        raise Refused(
            f"topics lack partitions or have too many, so events would lose their places: {'; '.join(wrong)}. Make "
            "missing topics (python -m dynabench_local.prepare stores), remove those that differ, and restore again."
        )


def send(stores: Stores, folder: Path, ends: Places) -> None:
    """Write the records of a backup into topics that hold none. Raises Refused if a record did not get its position."""
    producer = KafkaProducer(
        **connection(stores.kafka_address), client_id="dynabench-operate", **PRODUCER_SETTINGS
    )
    try:
        for topic, of in ends.items():
            for number, end in enumerate(of):
                place = TopicPartition(stores.topic_prefix + topic, number)
                _send_partition(producer, place, path_of(folder, topic, number), end)
    finally:
        producer.close(timeout=10)


def _send_partition(producer: Any, place: TopicPartition, source: Path, end: int) -> None:
    waiting: list[tuple[int, Any]] = []
    for position, record in _filled(read(source), end):
        waiting.append((position, producer.send(place.topic, partition=place.partition, **record)))
        if len(waiting) >= FLUSH_EVERY:
            _await(place, waiting)
    _await(place, waiting)


def _await(place: TopicPartition, waiting: list[tuple[int, Any]]) -> None:
    for position, future in waiting:
        got = future.get(timeout=60).offset
        if got != position:
            raise Refused(
                f"{place.topic}, partition {place.partition}: a record got position {got} and not {position}. "
                "Somebody else writes to the topic; stop all services, and restore again with --overwrite."
            )
    waiting.clear()


def _filled(records: Iterator[dict[str, Any]], end: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the record for each position before `end`: the original, or one to skip."""
    position = 0
    filler: dict[str, Any] = {"key": None, "value": b"", "headers": FILLER}
    for record in records:
        for free in range(position, record["position"]):
            yield free, filler
        yield (
            record["position"],
            {
                "key": _bytes(record["key"]),
                "value": _bytes(record["value"]),
                "headers": [(name, _bytes(value)) for name, value in record["headers"]],
                "timestamp_ms": record["timestamp"],
            },
        )
        position = record["position"] + 1
    for free in range(position, end):
        yield free, filler
