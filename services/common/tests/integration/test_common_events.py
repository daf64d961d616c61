"""Outbox to inbox on real PostgreSQL and Kafka: in order, once in effect, poison set aside."""

import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from alembic.migration import MigrationContext
from alembic.operations import Operations
from dynabench.example.v1.example_pb2 import ExampleRetracted
from dynabench_common import outbox, plumbing
from dynabench_common.consumer import ConsumerLoop
from dynabench_common.database import create_database_engine, new_metadata
from dynabench_common.dead_letters import dead_letter_table
from dynabench_common.events import Event, PermanentEventError
from dynabench_common.inbox import inbox_table
from dynabench_common.relay import Relay, producer_factory
from dynabench_common.replay import replay
from dynabench_common.testing import EventProbe, wait_until
from kafka.errors import KafkaConnectionError
from sqlalchemy import Column, Connection, Engine, Integer, Table, Text, select, text

TOPIC = "dynabench.example.v1"
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
    """Writes down what it is given, in order; refuses what it is told to refuse."""

    def __init__(self) -> None:
        self.never: set[UUID] = set()
        self.not_yet: set[UUID] = set()

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        for event in events:
            if event.aggregate_id in self.never:
                raise PermanentEventError("told to refuse")
            if event.aggregate_id in self.not_yet:
                raise OSError("told to wait")
            connection.execute(
                SEEN.insert().values(aggregate=str(event.aggregate_id), version=event.aggregate_version)
            )


class Bench:
    def __init__(self, infrastructure: Any) -> None:
        self.bootstrap = infrastructure.kafka_bootstrap_servers
        self.prefix = f"t{uuid4().hex[:8]}."
        infrastructure.create_topics(self.prefix)
        self.engine: Engine = create_database_engine(infrastructure.create_database("common"), "test")
        with self.engine.begin() as connection:
            op = Operations(MigrationContext.configure(connection))
            plumbing.create_outbox(op)
            plumbing.create_inbox(op)
            plumbing.create_dead_letter(op)
            connection.execute(text("CREATE TABLE seen (id serial PRIMARY KEY, aggregate text, version int)"))
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
        return Relay(self.engine, OUTBOX, make, "/test", self.prefix)

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

    def write(self, aggregate: UUID, versions: Sequence[int]) -> None:
        with self.engine.begin() as connection:
            outbox.append(
                connection,
                OUTBOX,
                [
                    outbox.message_for(TOPIC, retraction(aggregate), aggregate, version, datetime.now(UTC))
                    for version in versions
                ],
            )

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


def retraction(aggregate: UUID) -> ExampleRetracted:
    return ExampleRetracted(example_id=str(aggregate))


@pytest.fixture
def bench(infrastructure: Any) -> Iterator[Bench]:
    made = Bench(infrastructure)
    yield made
    made.close()


def test_events_arrive_in_order_and_once_through_two_relays(bench: Bench) -> None:
    aggregates = [uuid4() for _ in range(5)]
    bench.start(bench.relay())
    bench.start(bench.relay())
    bench.start(bench.consumer())
    for version in range(1, 21):
        for aggregate in aggregates:
            bench.write(aggregate, [version])
    wait_until(lambda: len(bench.seen()) >= 100, what="100 effects")
    seen = bench.seen()
    assert len(seen) == 100
    for aggregate in aggregates:
        assert [version for name, version in seen if name == str(aggregate)] == list(range(1, 21))


def test_a_broker_that_is_away_delays_events_and_loses_none(bench: Bench) -> None:
    away = threading.Event()
    away.set()
    real = producer_factory(bench.bootstrap, "test")

    def make() -> Any:
        if away.is_set():
            raise KafkaConnectionError("away")
        return real()

    aggregate = uuid4()
    bench.start(bench.relay(make))
    bench.write(aggregate, [1, 2])
    bench.write(aggregate, [3])
    with bench.engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM outbox WHERE sent_at IS NULL")).scalar_one() == 3
    away.clear()
    bench.start(bench.consumer())
    wait_until(lambda: len(bench.seen()) == 3, what="3 effects")
    assert [version for _, version in bench.seen()] == [1, 2, 3]


def test_a_duplicate_has_no_second_effect(bench: Bench) -> None:
    aggregate, event_id = uuid4(), uuid4()
    for _ in range(3):
        bench.probe.publish(TOPIC, retraction(aggregate), aggregate, 1, event_id=event_id)
    bench.probe.publish(TOPIC, retraction(aggregate), aggregate, 2)
    bench.start(bench.consumer())
    wait_until(lambda: len(bench.seen()) >= 2, what="2 effects")
    assert [version for _, version in bench.seen()] == [1, 2]


def test_poison_is_set_aside_with_its_reason_and_the_rest_goes_on(bench: Bench) -> None:
    good, refused = uuid4(), uuid4()
    bench.recorder.never.add(refused)
    bench.probe.publish_raw(
        TOPIC, b"no-uuid", b"\xff\xff", [("ce_type", b"dynabench.example.v1.ExampleRetracted")]
    )
    bench.probe.publish(TOPIC, retraction(refused), refused)
    bench.probe.publish(TOPIC, retraction(good), good)
    bench.start(bench.consumer())
    wait_until(lambda: bench.seen() == [(str(good), 1)], what="the good event")
    dead = bench.probe.records(TOPIC + ".dlq", at_least=2)
    reasons = sorted(dict(record.headers)["dlq_reason"].decode() for record in dead)
    assert len(reasons) == 2
    assert any("told to refuse" in reason for reason in reasons)
    assert any("ce_id" in reason for reason in reasons)

    def noted() -> list[str]:
        with bench.engine.connect() as connection:
            return sorted(connection.execute(select(DEAD_LETTER.c.reason)).scalars())

    wait_until(lambda: noted() == reasons, what="notes of the dead letters")


def test_a_passing_failure_holds_its_partition_until_it_is_over(bench: Bench) -> None:
    aggregate = uuid4()
    bench.recorder.not_yet.add(aggregate)
    bench.probe.publish(TOPIC, retraction(aggregate), aggregate, 1)
    bench.probe.publish(TOPIC, retraction(aggregate), aggregate, 2)
    others = [uuid4() for _ in range(20)]
    for other in others:
        bench.probe.publish(TOPIC, retraction(other), other)
    bench.start(bench.consumer())
    wait_until(lambda: len(bench.seen()) >= 1, what="events of other partitions")
    assert str(aggregate) not in {name for name, _ in bench.seen()}
    bench.recorder.not_yet.clear()
    wait_until(lambda: len(bench.seen()) == 22, what="all events")
    assert [version for name, version in bench.seen() if name == str(aggregate)] == [1, 2]


def test_replay_reads_the_whole_log_and_passes_over_poison(bench: Bench) -> None:
    aggregates = [uuid4() for _ in range(30)]
    for aggregate in aggregates:
        bench.probe.publish(TOPIC, retraction(aggregate), aggregate, time=datetime(2020, 1, 1, tzinfo=UTC))
    bench.probe.publish_raw(TOPIC, b"no-uuid", b"", [])
    with bench.engine.begin() as connection:
        applied = replay(
            connection,
            INBOX,
            bench.recorder,
            consumer="recorder",
            topics=[TOPIC],
            accepts=[ExampleRetracted],
            bootstrap_servers=bench.bootstrap,
            topic_prefix=bench.prefix,
        )
    assert applied == 30
    assert {name for name, _ in bench.seen()} == {str(aggregate) for aggregate in aggregates}
