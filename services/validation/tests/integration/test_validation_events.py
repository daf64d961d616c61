"""Validation on a real broker: examples in, votes out, poison aside, copies read anew."""

import threading
from collections.abc import Iterator
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from dynabench.validation.v1 import validation_pb2 as pb
from dynabench_common.clock import SystemClock
from dynabench_common.events.brokers import producer_factory
from dynabench_common.events.cloud_events import Event
from dynabench_common.events.consumer import build_consumer
from dynabench_common.events.rebuilding import AnotherRebuildRuns, take_hold
from dynabench_common.events.relay import Relay
from dynabench_common.identifiers import new_id
from dynabench_common.settings import EventSettings
from dynabench_common.testing import EventProbe, wait_until
from dynabench_common.work.worker import Component
from sqlalchemy import text
from validation.adapters import tables
from validation.adapters.crowd_leases import CROWD_TOPICS, CrowdLeaseProjection
from validation.adapters.facts import TOPICS
from validation.adapters.projection import ValidationProjection, share_log
from validation.bootstrap import CONSUMER, CROWD_CONSUMER, EVENT_SOURCE, build_counters
from validation.rebuild import rebuild

from conftest import Infrastructure

from .conftest import World
from .test_validation_campaigns import changed

TASKS, EXAMPLES, VALIDATION = "dynabench.task.v1", "dynabench.example.v1", "dynabench.validation.v1"


@pytest.fixture
def prefix(infrastructure: Infrastructure) -> str:
    prefix = f"validation-{uuid4().hex[:8]}."
    infrastructure.create_topics(prefix)
    return prefix


@pytest.fixture
def probe(infrastructure: Infrastructure, prefix: str) -> Iterator[EventProbe]:
    probe = EventProbe(infrastructure.kafka_bootstrap_servers, prefix)
    yield probe
    probe.close()


@pytest.fixture
def worker(world: World, infrastructure: Infrastructure, prefix: str) -> Iterator[list[threading.Thread]]:
    """The worker's components, running."""
    servers = infrastructure.kafka_bootstrap_servers
    settings = EventSettings(kafka_bootstrap_servers=servers, kafka_topic_prefix=prefix)
    consumer = partial(build_consumer, world.engine, settings, tables.inbox, tables.dead_letter)
    components: list[Component] = [
        consumer(CONSUMER, ValidationProjection(), TOPICS),
        consumer(CROWD_CONSUMER, CrowdLeaseProjection(), CROWD_TOPICS),
        Relay(world.engine, producer_factory(servers, "relay"), EVENT_SOURCE, prefix),
        *build_counters(world.engine, SystemClock()),
    ]
    stop = threading.Event()
    threads = [threading.Thread(target=component.run, args=(stop,)) for component in components]
    for thread in threads:
        thread.start()
    yield threads
    stop.set()
    for thread in threads:
        thread.join()


def publish(probe: EventProbe, topic: str, *events: Event) -> None:
    for event in events:
        probe.publish(topic, event.message, event.aggregate_id, event.aggregate_version, event_id=event.id)


def publish_round(world: World, probe: EventProbe) -> None:
    publish(
        probe,
        TASKS,
        world.events.task(world.task_id),
        world.events.round(world.round_id, world.task_id),
        world.events.round_state(world.round_id, "open"),
    )


def pending(world: World) -> int:
    with world.engine.connect() as connection:
        statement = "SELECT count(*) FROM example_validation WHERE wanted AND NOT retracted"
        return int(connection.execute(text(statement)).scalar_one())


def test_examples_fill_the_queue_and_votes_go_out_in_order(
    world: World, probe: EventProbe, worker: None
) -> None:
    example_id = new_id()
    created = world.events.example(world.round_id, world.task_id, example_id)
    publish(probe, EXAMPLES, created, created)
    publish_round(world, probe)
    wait_until(lambda: pending(world) == 1, what="the example in the queue")
    wait_until(lambda: world.rows("round") and world.rows("round")[0]["state"] == "open", what="the round")
    for _ in range(2):
        world.person().answer(world.round_id, "negative")
    sent = probe.events(VALIDATION, [pb.VoteCast, pb.ExampleResolved], at_least=3)
    assert [event.aggregate_version for event in sent] == [1, 2, 3]
    assert {event.aggregate_id for event in sent} == {example_id}
    assert sent[-1].type == "dynabench.validation.v1.ExampleResolved"
    assert sent[-1].source == EVENT_SOURCE


def test_the_worker_frees_what_a_person_of_a_campaign_held(
    world: World, probe: EventProbe, worker: None
) -> None:
    world.begin()
    world.example()
    person = world.person()
    person.hold(world.round_id)
    publish(probe, *CROWD_TOPICS, changed(world, person.person_id))
    wait_until(lambda: world.rows("lease") == [], what="the end of the lease")


def test_poison_is_put_aside_and_the_rest_goes_on(world: World, probe: EventProbe, worker: None) -> None:
    publish_round(world, probe)
    key = str(new_id()).encode()
    probe.publish_raw(EXAMPLES, key, b"\xff\xff not an event")
    probe.publish_raw(EXAMPLES, key, b"\xff\xff", [("ce_type", b"dynabench.example.v1.ExampleCreated")])
    unstorable = world.events.example(
        world.round_id, world.task_id, new_id(), input={"text": "NUL \x00 inside"}
    )
    publish(probe, EXAMPLES, unstorable)
    good = [world.events.example(world.round_id, world.task_id, new_id()) for _ in range(5)]
    publish(probe, EXAMPLES, *good)
    wait_until(lambda: pending(world) == 5, what="the good examples in the queue")
    dead = probe.records(EXAMPLES + ".dlq", at_least=3)
    assert len(dead) == 3
    reasons = [dict(record.headers)["dlq_reason"].decode() for record in dead]
    assert all(reasons)
    wait_until(lambda: len(world.rows("dead_letter")) == 3, what="a note of each")
    (noted,) = world.person("admin").get("/dead-letters").get_json()["items"]
    assert (noted["consumer"], noted["count"]) == (CONSUMER, 3)
    assert noted["topic"].endswith(EXAMPLES)
    assert noted["newest_reason"]


def test_copies_read_anew_equal_the_old_ones_and_votes_stay(
    world: World, probe: EventProbe, infrastructure: Infrastructure, prefix: str, worker: None
) -> None:
    publish_round(world, probe)
    examples = [new_id() for _ in range(3)]
    for example_id in examples:
        publish(
            probe,
            EXAMPLES,
            world.events.example(world.round_id, world.task_id, example_id),
            world.events.explained(example_id, "because"),
        )
    publish(probe, EXAMPLES, world.events.retracted(examples[0]))
    undecided = new_id()
    tried = world.events.example(world.round_id, world.task_id, undecided, verdict="undecided")
    publish(probe, EXAMPLES, tried, world.events.decided(undecided))
    imported = new_id()
    votes = [{"voter_id": str(new_id()), "kind": "label", "option": "negative"} for _ in range(2)]
    publish(
        probe, EXAMPLES, world.events.example(world.round_id, world.task_id, imported, imported_votes=votes)
    )
    published = 3 + 2 * 3 + 1 + 2 + 1
    wait_until(lambda: len(world.rows("inbox")) == published, what="every event")
    assert pending(world) == 4
    world.person().answer(world.round_id, "negative")
    owner, body = world.person("owner:sentiment"), {"kind": "flag", "reason": "Spam."}
    assert owner.send("PUT", f"/examples/{imported}/adjudication", **body).status_code == 200

    def copies() -> list[Any]:
        names = ("task_configuration", "round", "example", "example_validation", "vote", "outbox")
        return [[{**row, "sent_at": None} for row in world.rows(f'"{name}"')] for name in names]

    before = copies()
    applied = rebuild(
        world.engine,
        consumer=CONSUMER,
        bootstrap_servers=infrastructure.kafka_bootstrap_servers,
        topic_prefix=prefix,
    )
    assert applied == published
    assert copies() == before


@pytest.mark.slow
def test_a_long_rebuild_ends_no_part_of_the_worker(
    world: World, probe: EventProbe, worker: list[threading.Thread]
) -> None:
    """Its batches give up after five seconds, and again, until the rebuild is done."""
    publish_round(world, probe)
    wait_until(lambda: len(world.rows("inbox")) == 3, what="the round")
    with world.engine.begin() as rebuilding:
        take_hold(rebuilding)
        share_log(rebuilding, alone=True)
        with world.engine.begin() as second, pytest.raises(AnotherRebuildRuns):
            take_hold(second, patience_seconds=1)
        publish(probe, EXAMPLES, world.events.example(world.round_id, world.task_id, new_id()))
        wait_until(lambda: world.rows("held_partition"), what="a batch that gave up")
        assert all(thread.is_alive() for thread in worker)
    wait_until(lambda: pending(world) == 1, what="the example in the queue")
    wait_until(lambda: not world.rows("held_partition"), what="nothing held")
    assert all(thread.is_alive() for thread in worker)
