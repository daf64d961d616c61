"""A service in small: outbox, relay, topics of its own, consumer and read model, on real PostgreSQL and Kafka."""

import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from dynabench.example.v1.example_pb2 import ExampleRetracted
from dynabench_common.database.connections import create_database_engine, new_metadata
from dynabench_common.events import outbox
from dynabench_common.events.brokers import producer_factory
from dynabench_common.events.cloud_events import Event, PermanentEventError
from dynabench_common.events.consumer import ConsumerLoop
from dynabench_common.events.dead_letters import dead_letter_table
from dynabench_common.events.inbox import inbox_table
from dynabench_common.events.relay import Relay
from dynabench_common.testing import EventProbe
from sqlalchemy import Column, Connection, Engine, Integer, Table, Text, select, text

from conftest import Infrastructure

TOPIC = "dynabench.example.v1"
TOPICS = (TOPIC, "dynabench.task.v1", "dynabench.validation.v1")
METADATA = new_metadata()
OUTBOX = outbox.outbox_table(METADATA)
INBOX = inbox_table(METADATA)
DEAD_LETTER = dead_letter_table(METADATA)
SEEN = Table(
    "seen",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("aggregate", Text),
    Column("version", Integer),
)


class Recorder:
    """A projection that stores events in order; it fails for the aggregates that a test names."""

    def __init__(self) -> None:
        self.never: set[UUID] = set()
        self.not_yet: set[UUID] = set()
        self.broken: set[UUID] = set()

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        for event in events:
            if event.aggregate_id in self.never:
                raise PermanentEventError("told to refuse")
            if event.aggregate_id in self.not_yet:
                raise OSError("told to wait")
            if event.aggregate_id in self.broken:
                raise ValueError("a bug")
            connection.execute(
                SEEN.insert().values(aggregate=str(event.aggregate_id), version=event.aggregate_version)
            )


class Harness:
    inbox = INBOX
    outbox = OUTBOX
    dead_letter = DEAD_LETTER

    @staticmethod
    def message(aggregate: UUID) -> ExampleRetracted:
        return retraction(aggregate)

    def __init__(self, infrastructure: Infrastructure) -> None:
        self.bootstrap = infrastructure.kafka_bootstrap_servers
        self.prefix = f"t{uuid4().hex[:8]}."
        infrastructure.create_topics(self.prefix, *TOPICS)
        self.engine: Engine = create_database_engine(infrastructure.create_database("common"), "test")
        with self.engine.begin() as connection:
            METADATA.create_all(connection)
        self.recorder = Recorder()
        self.probe = EventProbe(self.bootstrap, self.prefix)
        self.stop = threading.Event()
        self.threads: list[threading.Thread] = []

    def start(self, component: Any) -> None:
        thread = threading.Thread(target=component.run, args=(self.stop,), daemon=True)
        thread.start()
        self.threads.append(thread)

    def relay(self, make_producer: Any = None) -> Relay:
        make = make_producer or producer_factory(self.bootstrap, "test")
        return Relay(self.engine, make, "/test", self.prefix)

    def consumer(self) -> ConsumerLoop:
        return ConsumerLoop(
            self.engine,
            INBOX,
            self.recorder,
            topics=[TOPIC],
            accepts=[ExampleRetracted],
            group="recorder",
            bootstrap_servers=self.bootstrap,
            dead_letter=DEAD_LETTER,
            topic_prefix=self.prefix,
        )

    def write(self, aggregate: UUID, versions: Sequence[int], topic: str = TOPIC, filling: str = "") -> None:
        message = retraction(aggregate, filling)
        now = datetime.now(UTC)
        with self.engine.begin() as connection:
            outbox.append(
                connection,
                OUTBOX,
                [outbox.message_for(topic, message, aggregate, version, now) for version in versions],
            )

    def rows(self, statement: str, **parameters: Any) -> list[Any]:
        with self.engine.begin() as connection:
            result = connection.execute(text(statement), parameters)
            return list(result) if result.returns_rows else []

    def sent(self) -> list[tuple[str, int]]:
        """Return key and version of every record of the topic, in the order of each partition."""
        found = self.probe.records(TOPIC)
        return [(record.key.decode(), int(dict(record.headers)["aggregate_version"])) for record in found]

    def seen(self) -> list[tuple[str, int]]:
        with self.engine.connect() as connection:
            rows = connection.execute(select(SEEN.c.aggregate, SEEN.c.version).order_by(SEEN.c.id))
            return [(row.aggregate, row.version) for row in rows]

    def close(self) -> None:
        self.stop.set()
        for thread in self.threads:
            thread.join(20)
            assert not thread.is_alive()
        self.probe.close()
        self.engine.dispose()


def retraction(aggregate: UUID, filling: str = "") -> ExampleRetracted:
    return ExampleRetracted(example_id=str(aggregate) + filling)


@pytest.fixture
def harness(infrastructure: Infrastructure) -> Iterator[Harness]:
    made = Harness(infrastructure)
    yield made
    made.close()
