"""The worker: from the log to counted work, and from a time limit to the log."""

import threading
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from crowd.bootstrap import build_worker
from crowd.settings import CrowdSettings
from dynabench.crowd.v1 import crowd_pb2
from dynabench_common.events.cloud_events import Event
from dynabench_common.testing import EventProbe, service_token, wait_until

from conftest import Infrastructure

from .conftest import Crowd


@pytest.fixture
def log(infrastructure: Infrastructure, crowd: Crowd) -> Iterator[EventProbe]:
    """Run the worker's components on fresh topics until the test ends."""
    prefix = f"crowd-{uuid4().hex[:8]}."
    infrastructure.create_topics(prefix)
    settings = CrowdSettings(
        database_url=crowd.app.engine.url.render_as_string(hide_password=False),
        kafka_bootstrap_servers=infrastructure.kafka_bootstrap_servers,
        kafka_topic_prefix=prefix,
        accounts_url="http://127.0.0.1:1",
        jwks_url="http://127.0.0.1:1",
        service_token=service_token("crowd"),
    )
    stop, probe = threading.Event(), EventProbe(infrastructure.kafka_bootstrap_servers, prefix)
    threads = [threading.Thread(target=part.run, args=(stop,)) for part in build_worker(settings)]
    for thread in threads:
        thread.start()
    yield probe
    stop.set()
    for thread in threads:
        thread.join(30)
    probe.close()


def publish(probe: EventProbe, event: Event) -> None:
    topic = event.message.DESCRIPTOR.file.package
    probe.publish(topic, event.message, event.aggregate_id, event.aggregate_version, event_id=event.id)


def test_tries_reach_the_bar_and_late_work_frees_its_place(crowd: Crowd, log: EventProbe) -> None:
    """Time in this service stands in January 2026, so for the worker the work is late at once."""
    campaign_id = crowd.launched()
    assignment_id, person = crowd.entered(campaign_id)
    for event in (crowd.try_of(person), crowd.try_of(person)):
        publish(log, event)
        publish(log, event)

    def seen() -> Any:
        return crowd.send("GET", "/me/assignments", by=person).get_json()["items"][0]

    wait_until(lambda: seen()["done"] == 2, what="both tries counted")
    wait_until(lambda: seen()["state"] == "timed_out", what="the time-out")
    events = log.events("dynabench.crowd.v1", [crowd_pb2.AssignmentStateChanged], at_least=2)
    messages = [each.message for each in events]
    states = [
        crowd_pb2.AssignmentState.Name(each.state)
        for each in messages
        if isinstance(each, crowd_pb2.AssignmentStateChanged)
    ]
    assert states == ["ASSIGNMENT_STATE_WORKING", "ASSIGNMENT_STATE_TIMED_OUT"]
    assert {each.aggregate_id for each in events} == {UUID(assignment_id)}
    assert "s-w1" not in str(events)
