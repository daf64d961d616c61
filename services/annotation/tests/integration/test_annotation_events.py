"""Events reach Kafka through the outbox, in each aggregate's order."""

import threading
from collections.abc import Sequence
from uuid import UUID, uuid4

import pytest
from annotation.bootstrap import build_worker
from annotation.settings import AnnotationSettings
from dynabench.example.v1.example_pb2 import ExampleCreated, ExampleExplained, ExampleRetracted
from dynabench.task.v1.task_pb2 import RoundCreated, RoundStateChanged, SegmentStarted
from dynabench_common.events.cloud_events import Event
from dynabench_common.testing import EventProbe, wait_until
from google.protobuf.message import Message
from sqlalchemy import create_engine, text

from conftest import Infrastructure

from .conftest import Platform


def unsent(database_url: str) -> int:
    engine = create_engine(database_url)
    with engine.connect() as connection:
        count: int = connection.execute(
            text("SELECT count(*) FROM outbox WHERE sent_at IS NULL")
        ).scalar_one()
    engine.dispose()
    return count


@pytest.mark.long
def test_what_happens_to_a_round_and_an_example_reaches_kafka_in_order(
    platform: Platform, annotation_settings: AnnotationSettings, infrastructure: Infrastructure
) -> None:
    infrastructure.create_topics(annotation_settings.kafka_topic_prefix)
    person, round_id = uuid4(), platform.open_round()
    example_id = platform.example(round_id, person)["example_id"]
    platform.call("PUT", f"/examples/{example_id}/explanations", {"label": "Because."}, person=person)
    platform.call("POST", f"/examples/{example_id}/retraction", person=person)
    probe = EventProbe(annotation_settings.kafka_bootstrap_servers, annotation_settings.kafka_topic_prefix)
    stop = threading.Event()
    relay, *_ = build_worker(annotation_settings)
    thread = threading.Thread(target=relay.run, args=(stop,))
    thread.start()

    try:
        wait_until(lambda: unsent(annotation_settings.database_url) == 0, what="an empty outbox")
        accepted = [ExampleCreated, ExampleExplained, ExampleRetracted]
        examples = probe.events("dynabench.example.v1", accepted, at_least=3)
        rounds = probe.events(
            "dynabench.task.v1", [RoundCreated, RoundStateChanged, SegmentStarted], at_least=4
        )
    finally:
        stop.set()
        thread.join(15)
        probe.close()

    def history(events: Sequence[Event], aggregate_id: str) -> list[tuple[type[Message], int]]:
        mine = [event for event in events if event.aggregate_id == UUID(aggregate_id)]
        return [(type(event.message), event.aggregate_version) for event in mine]

    assert history(examples, example_id) == [
        (ExampleCreated, 1),
        (ExampleExplained, 2),
        (ExampleRetracted, 3),
    ]
    assert history(rounds, round_id) == [(RoundCreated, 1), (RoundStateChanged, 2), (SegmentStarted, 3)]
    assert {event.source for event in examples} == {"/annotation"}
