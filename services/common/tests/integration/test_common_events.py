"""Outbox to inbox on real PostgreSQL and Kafka: in order, applied once, poison quarantined."""

import threading
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from dynabench.example.v1.example_pb2 import ExampleRetracted
from dynabench_common.events.brokers import producer_factory
from dynabench_common.events.replay import replay
from dynabench_common.testing import wait_until
from kafka.errors import KafkaConnectionError
from sqlalchemy import text

from .conftest import Harness

TOPIC = "dynabench.example.v1"


def retraction(aggregate: Any) -> ExampleRetracted:
    return ExampleRetracted(example_id=str(aggregate))


def test_events_arrive_in_order_and_once_through_two_relays(harness: Harness) -> None:
    aggregates = [uuid4() for _ in range(5)]
    harness.start(harness.relay())
    harness.start(harness.relay())
    harness.start(harness.consumer())
    for version in range(1, 21):
        for aggregate in aggregates:
            harness.write(aggregate, [version])
    wait_until(lambda: len(harness.seen()) >= 100, what="100 effects")
    seen = harness.seen()
    assert len(seen) == 100
    for aggregate in aggregates:
        assert [version for name, version in seen if name == str(aggregate)] == list(range(1, 21))


def test_an_unavailable_broker_delays_events_and_loses_none(harness: Harness) -> None:
    away = threading.Event()
    away.set()
    real = producer_factory(harness.bootstrap, "test")

    def make() -> Any:
        if away.is_set():
            raise KafkaConnectionError("away")
        return real()

    aggregate = uuid4()
    harness.start(harness.relay(make))
    harness.write(aggregate, [1, 2])
    harness.write(aggregate, [3])
    with harness.engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM outbox WHERE sent_at IS NULL")).scalar_one() == 3
    away.clear()
    harness.start(harness.consumer())
    wait_until(lambda: len(harness.seen()) == 3, what="3 effects")
    assert [version for _, version in harness.seen()] == [1, 2, 3]


def test_a_duplicate_has_no_second_effect(harness: Harness) -> None:
    aggregate, event_id = uuid4(), uuid4()
    for _ in range(3):
        harness.probe.publish(TOPIC, retraction(aggregate), aggregate, 1, event_id=event_id)
    harness.probe.publish(TOPIC, retraction(aggregate), aggregate, 2)
    harness.start(harness.consumer())
    wait_until(lambda: len(harness.seen()) >= 2, what="2 effects")
    assert [version for _, version in harness.seen()] == [1, 2]


def test_poison_is_set_aside_with_its_reason_and_the_rest_goes_on(harness: Harness) -> None:
    good, refused = uuid4(), uuid4()
    harness.recorder.never.add(refused)
    harness.probe.publish_raw(
        TOPIC, b"no-uuid", b"\xff\xff", [("ce_type", b"dynabench.example.v1.ExampleRetracted")]
    )
    harness.probe.publish(TOPIC, retraction(refused), refused)
    harness.probe.publish(TOPIC, retraction(good), good)
    harness.start(harness.consumer())
    wait_until(lambda: harness.seen() == [(str(good), 1)], what="the good event")
    dead = harness.probe.records(TOPIC + ".dlq", at_least=2)
    reasons = sorted(dict(record.headers)["dlq_reason"].decode() for record in dead)
    assert len(reasons) == 2
    assert any("told to refuse" in reason for reason in reasons)
    assert any("ce_id" in reason for reason in reasons)

    def noted() -> list[str]:
        return [row.reason for row in harness.rows("SELECT reason FROM dead_letter ORDER BY reason")]

    wait_until(lambda: noted() == reasons, what="notes of the dead letters")


def test_a_passing_failure_holds_its_partition_until_it_is_over(harness: Harness) -> None:
    aggregate = uuid4()
    harness.recorder.not_yet.add(aggregate)
    harness.probe.publish(TOPIC, retraction(aggregate), aggregate, 1)
    harness.probe.publish(TOPIC, retraction(aggregate), aggregate, 2)
    others = [uuid4() for _ in range(20)]
    for other in others:
        harness.probe.publish(TOPIC, retraction(other), other)
    harness.start(harness.consumer())
    wait_until(lambda: len(harness.seen()) >= 1, what="events of other partitions")
    assert str(aggregate) not in {name for name, _ in harness.seen()}
    harness.recorder.not_yet.clear()
    wait_until(lambda: len(harness.seen()) == 22, what="all events")
    assert [version for name, version in harness.seen() if name == str(aggregate)] == [1, 2]


def test_replay_reads_the_whole_log_and_passes_over_poison(harness: Harness) -> None:
    aggregates = [uuid4() for _ in range(30)]
    for aggregate in aggregates:
        harness.probe.publish(TOPIC, retraction(aggregate), aggregate, time=datetime(2020, 1, 1, tzinfo=UTC))
    harness.probe.publish_raw(TOPIC, b"no-uuid", b"", [])
    with harness.engine.begin() as connection:
        applied = replay(
            connection,
            harness.inbox,
            harness.recorder,
            consumer="recorder",
            topics=[TOPIC],
            accepts=[ExampleRetracted],
            bootstrap_servers=harness.bootstrap,
            topic_prefix=harness.prefix,
        )
    assert applied == 30
    assert {name for name, _ in harness.seen()} == {str(aggregate) for aggregate in aggregates}
