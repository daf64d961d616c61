"""A quarantined event blocks only its own aggregate, and is sent again in order."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any, ClassVar
from uuid import UUID, uuid4

import pytest
from dynabench_common.events import dead_letter_store, outbox, quarantine
from dynabench_common.events.brokers import connection, producer_factory
from dynabench_common.testing import wait_until
from dynabench_local import topics
from kafka.admin import ConfigResource, ConfigResourceType, KafkaAdminClient
from kafka.errors import KafkaConnectionError

from .conftest import Harness

TOPIC = "dynabench.example.v1"
LIMIT = 200_000


@pytest.fixture
def admin(harness: Harness) -> Iterator[KafkaAdminClient]:
    made = KafkaAdminClient(**connection(harness.bootstrap), api_version_auto_timeout_ms=60_000)
    yield made
    made.close()


def limit_records(harness: Harness, admin: KafkaAdminClient, size: int) -> None:
    config = {"max.message.bytes": str(size)}
    admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, harness.prefix + TOPIC, config)])
    wait_until(lambda: is_refused(harness, LIMIT + 1_000) == (size <= LIMIT), what="the topic's limit")


def is_refused(harness: Harness, size: int) -> bool:
    try:
        harness.probe.publish_raw(TOPIC, b"probe", b"x" * size)
    except Exception:
        return True
    return False


def quarantined(harness: Harness) -> list[dead_letter_store.DeadLetter]:
    with harness.engine.connect() as connection:
        found = dead_letter_store.list_all(connection, 100)
    return [record for record in found if record.consumer == "relay"]


def wait_for_quarantined(harness: Harness, count: int = 1) -> list[dead_letter_store.DeadLetter]:
    found: list[dead_letter_store.DeadLetter] = wait_until(
        lambda: (found := quarantined(harness)) and len(found) == count and found, what="parked events"
    )
    return found


def send_again(harness: Harness, record_id: str) -> bool:
    with harness.engine.begin() as connection:
        return dead_letter_store.send_again(connection, record_id)


def versions(harness: Harness, aggregate: UUID) -> list[int]:
    return [version for name, version in harness.seen() if name == str(aggregate)]


def test_an_event_over_the_limit_is_refused_before_it_is_stored(harness: Harness) -> None:
    with pytest.raises(outbox.EventTooLarge) as caught:
        harness.write(uuid4(), [1], filling="x" * outbox.LARGEST_EVENT_BYTES)
    assert "1,000,0" in str(caught.value)
    assert "ExampleRetracted" in str(caught.value)
    assert harness.rows("SELECT id FROM outbox") == []


def test_the_largest_event_that_is_taken_can_be_sent(harness: Harness) -> None:
    aggregate = uuid4()
    harness.write(aggregate, [1], filling="x" * (outbox.LARGEST_EVENT_BYTES - 100))
    harness.start(harness.relay())
    harness.start(harness.consumer())
    wait_until(lambda: versions(harness, aggregate) == [1], what="the large event")


def test_a_refused_event_is_quarantined_and_sent_again_in_order(
    harness: Harness, admin: KafkaAdminClient
) -> None:
    poisoned, sound = uuid4(), uuid4()
    limit_records(harness, admin, LIMIT // 2)
    harness.write(poisoned, [1])
    harness.write(poisoned, [2], filling="x" * LIMIT)
    harness.write(poisoned, [3, 4])
    harness.write(sound, [1, 2, 3])
    harness.start(harness.relay())
    harness.start(harness.consumer())
    wait_until(lambda: versions(harness, sound) == [1, 2, 3], what="events of the other aggregate")
    (record,) = wait_for_quarantined(harness)
    harness.write(poisoned, [5])
    harness.write(sound, [4])
    wait_until(lambda: versions(harness, sound) == [1, 2, 3, 4], what="later events of the other aggregate")
    assert versions(harness, poisoned) == [1]
    (record,) = wait_until(
        lambda: [r for r in quarantined(harness) if r.held_back == 3], what="three behind it"
    )
    assert (record.consumer, record.topic, record.attempts) == ("relay", TOPIC, 1)
    assert "TooLarge" in record.reason
    assert send_again(harness, record.record_id)
    wait_until(lambda: [r for r in quarantined(harness) if r.attempts == 2], what="parked again")
    assert versions(harness, poisoned) == [1]
    limit_records(harness, admin, 1_048_588)
    assert send_again(harness, record.record_id)
    wait_until(lambda: len(versions(harness, poisoned)) == 5, what="all events")
    assert versions(harness, poisoned) == [1, 2, 3, 4, 5]
    assert quarantined(harness) == []


def test_a_discarded_event_lets_those_behind_it_go(harness: Harness, admin: KafkaAdminClient) -> None:
    poisoned = uuid4()
    limit_records(harness, admin, LIMIT // 2)
    harness.write(poisoned, [1], filling="x" * LIMIT)
    harness.write(poisoned, [2, 3])
    harness.start(harness.relay())
    harness.start(harness.consumer())
    (record,) = wait_for_quarantined(harness)
    with harness.engine.begin() as connection:
        assert dead_letter_store.discard(connection, record.record_id, "written by mistake")
    wait_until(lambda: versions(harness, poisoned) == [2, 3], what="the events behind it")
    with harness.engine.begin() as connection:
        assert not dead_letter_store.discard(connection, record.record_id, "again")
        assert not dead_letter_store.send_again(connection, record.record_id)
    assert quarantined(harness) == []


def test_a_topic_that_is_missing_stops_nothing_else(harness: Harness, admin: KafkaAdminClient) -> None:
    lost, sound = uuid4(), uuid4()
    harness.write(lost, [1, 2], topic="dynabench.nowhere.v1")
    harness.write(sound, [1])
    harness.start(harness.relay())
    harness.start(harness.consumer())
    wait_until(lambda: versions(harness, sound) == [1], what="events of the topic that is there")
    (record,) = wait_for_quarantined(harness)
    assert "there is no topic" in record.reason


@pytest.mark.slow
def test_a_topic_deleted_under_the_relay_parks_its_events_alone(
    harness: Harness, admin: KafkaAdminClient
) -> None:
    before, after, elsewhere = uuid4(), uuid4(), uuid4()
    harness.start(harness.relay())
    harness.write(before, [1])
    wait_until(lambda: harness.rows("SELECT 1 FROM outbox WHERE sent_at IS NOT NULL"), what="the first event")
    admin.delete_topics([harness.prefix + TOPIC])
    wait_until(lambda: harness.prefix + TOPIC not in admin.list_topics(), what="deletion")
    harness.write(after, [1])
    harness.write(elsewhere, [1], topic="dynabench.task.v1")
    is_sent = "SELECT 1 FROM outbox WHERE sent_at IS NOT NULL AND aggregate_id = :aggregate"
    wait_until(lambda: harness.rows(is_sent, aggregate=elsewhere), what="the event of another topic")
    wait_until(
        lambda: [record for record in quarantined(harness) if record.topic == TOPIC], what="the parked event"
    )
    harness.probe.close()
    harness.probe = type(harness.probe)(harness.bootstrap, harness.prefix)
    topics.ensure_topics(harness.bootstrap, harness.prefix, only=[TOPIC])
    harness.start(harness.consumer())
    (record,) = quarantined(harness)

    def arrives() -> bool:
        send_again(harness, record.record_id)
        time.sleep(1)
        return versions(harness, after) == [1]

    wait_until(arrives, what="the event, once its topic is there again")


def test_an_event_that_can_not_be_written_is_quarantined(harness: Harness) -> None:
    odd, sound = uuid4(), uuid4()
    harness.write(odd, [1, 2])
    harness.write(sound, [1])
    harness.rows("UPDATE outbox SET topic = 'no topic!' WHERE aggregate_id = :odd", odd=odd)
    harness.start(harness.relay())
    harness.start(harness.consumer())
    wait_until(lambda: versions(harness, sound) == [1], what="the sound event")
    (record,) = wait_for_quarantined(harness)
    assert record.held_back <= 1


@pytest.mark.long
def test_an_outage_parks_nothing(harness: Harness) -> None:
    away = threading.Event()
    away.set()
    real = producer_factory(harness.bootstrap, "test")

    class Failing:
        config: ClassVar[dict[str, Any]] = connection(harness.bootstrap)

        def send(self, *_: Any, **__: Any) -> Any:
            raise KafkaConnectionError("away")

        def close(self, timeout: float = 0) -> None:
            pass

    made: list[int] = []

    def make() -> Any:
        made.append(1)
        return Failing() if away.is_set() else real()

    aggregate = uuid4()
    harness.write(aggregate, [1, 2, 3])
    harness.start(harness.relay(make))
    wait_until(lambda: len(made) > 6, what="more attempts than park a row")
    assert quarantined(harness) == []
    away.clear()
    harness.start(harness.consumer())
    wait_until(lambda: versions(harness, aggregate) == [1, 2, 3], what="all events in order")


def test_rows_let_go_are_not_overtaken_by_new_ones(harness: Harness, admin: KafkaAdminClient) -> None:
    """Write to a poisoned aggregate continuously while it is released repeatedly."""
    poisoned = uuid4()
    limit_records(harness, admin, LIMIT // 2)
    harness.write(poisoned, [1], filling="x" * LIMIT)
    harness.start(harness.relay())
    harness.start(harness.consumer())
    (record,) = wait_for_quarantined(harness)
    for version in range(2, 60):
        harness.write(poisoned, [version])
        if version % 5 == 0:
            send_again(harness, record.record_id)
        if version == 40:
            limit_records(harness, admin, 1_048_588)
    for _ in range(3):
        time.sleep(0.5)
        send_again(harness, record.record_id)
    wait_until(lambda: len(versions(harness, poisoned)) == 59, what="all events")
    assert versions(harness, poisoned) == list(range(1, 60))
    assert harness.rows("SELECT 1 FROM outbox WHERE sent_at IS NULL") == []


def test_a_hundred_thousand_rows_behind_a_quarantined_one_are_not_read_again(harness: Harness) -> None:
    aggregate, other = uuid4(), uuid4()
    harness.rows(
        "INSERT INTO outbox (event_id, topic, type, aggregate_id, aggregate_version, payload, occurred_at, hold, "
        "reason, parked_at) SELECT gen_random_uuid(), :topic, 't', :aggregate, number, 'x', now(), "
        "CASE number WHEN 1 THEN 'parked' ELSE 'behind' END, 'r', now() FROM generate_series(1, 100000) AS number",
        topic=TOPIC,
        aggregate=aggregate,
    )
    harness.write(other, [1])
    harness.rows("ANALYZE outbox")
    plan = "\n".join(
        row[0] for row in harness.rows(f"EXPLAIN (ANALYZE, BUFFERS) {quarantine.PICK.text}", most=1_000)
    )
    assert "ix_outbox_waiting" in plan
    assert "Seq Scan" not in plan
    with harness.engine.begin() as connection:
        assert [row.is_behind for row in quarantine.pick(connection, 1_000)] == [False]
        (summary,) = dead_letter_store.summarise(connection)
        assert (summary.consumer, summary.count) == ("relay", 1)
        (record,) = dead_letter_store.list_all(connection, 10)
        assert record.held_back == 99_999


RELAY_PROCESS = """
import sys, threading
from dynabench_common.database.connections import create_database_engine
from dynabench_common.events.brokers import producer_factory
from dynabench_common.events.relay import Relay
url, servers, prefix = sys.argv[1:]
relay = Relay(create_database_engine(url, "killed"), producer_factory(servers, "killed"), "/test", prefix)
relay.run(threading.Event())
"""


@pytest.mark.long
def test_a_relay_killed_in_the_middle_loses_nothing_and_keeps_the_order(harness: Harness) -> None:
    aggregates = [uuid4() for _ in range(20)]
    for aggregate in aggregates:
        harness.write(aggregate, range(1, 301))
    url = harness.engine.url.render_as_string(hide_password=False)
    command = [sys.executable, "-c", RELAY_PROCESS, url, harness.bootstrap, harness.prefix]
    unsent = "SELECT count(*) FROM outbox WHERE sent_at IS NULL"
    for _ in range(4):
        process = subprocess.Popen(command)
        before = harness.rows(unsent)[0][0]
        wait_until(lambda before=before: harness.rows(unsent)[0][0] < before, what="some progress")
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    harness.start(harness.relay())
    wait_until(lambda: harness.rows(unsent)[0][0] == 0, what="all sent")
    sent = harness.sent()
    for aggregate in aggregates:
        firsts = list(dict.fromkeys(version for name, version in sent if name == str(aggregate)))
        assert firsts == list(range(1, 301))
