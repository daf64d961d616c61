"""Contexts of people of campaigns: free for others as soon as the person stops working."""

import threading
from typing import Any
from uuid import UUID, uuid4

import pytest
from annotation.adapters import tables
from annotation.adapters.crowd_contexts import CROWD_TOPICS, CrowdContextProjection
from annotation.bootstrap import CROWD_CONSUMER, build_worker
from annotation.settings import AnnotationSettings
from dynabench_common.events.cloud_events import Event
from dynabench_common.events.consumer import apply_new
from dynabench_common.testing import EventProbe, wait_until
from dynabench_events import encode
from dynabench_events.crowd import AssignmentState, AssignmentStateChanged, Work

from conftest import Infrastructure

from .conftest import Platform
from .test_annotation_assignments import use_counts


def changed(platform: Platform, round_id: str, person_id: UUID, /, **differing: Any) -> Event:
    """Return the event of a person who gave their place back, unless something differs."""
    values = {
        "assignment_id": uuid4(),
        "campaign_id": uuid4(),
        "round_id": UUID(round_id),
        "person_id": person_id,
        "work": Work.CREATE,
        "state": AssignmentState.RETURNED,
        "changed_at": platform.clock.now(),
        "stopped_at": platform.clock.now(),
    }
    record = AssignmentStateChanged(**{**values, **differing})
    message = encode(record)
    return Event(
        id=uuid4(),
        type=message.DESCRIPTOR.full_name,
        source="/crowd",
        time=record.changed_at,
        aggregate_id=record.assignment_id,
        aggregate_version=2,
        message=message,
        topic=record.topic,
    )


def take_in(platform: Platform, *events: Event) -> None:
    with platform.dependencies.engine.begin() as connection:
        apply_new(connection, tables.inbox, CROWD_CONSUMER, CrowdContextProjection(), events)


@pytest.mark.parametrize(
    ("rule", "differing", "is_free"),
    [
        ("a person who returns frees the context", {"state": AssignmentState.RETURNED}, True),
        ("a person whose time is over frees it", {"state": AssignmentState.TIMED_OUT}, True),
        ("a person who is screened out frees it", {"state": AssignmentState.SCREENED_OUT}, True),
        ("a person who hands in frees it", {"state": AssignmentState.SUBMITTED}, True),
        ("a person who works keeps it", {"state": AssignmentState.WORKING}, False),
        ("a late approval concerns no new work", {"state": AssignmentState.APPROVED}, False),
        ("nor does a late rejection", {"state": AssignmentState.REJECTED}, False),
        ("the end of voting concerns no context", {"work": Work.VALIDATE}, False),
        ("the end in another round concerns no context here", {"round_id": UUID(int=9)}, False),
        ("the end of another person's work concerns nobody else", {"person_id": UUID(int=9)}, False),
    ],
)
def test_who_stops_frees_a_context_without_a_try(
    platform: Platform, rule: str, differing: dict[str, Any], is_free: bool
) -> None:
    person, round_id = uuid4(), platform.open_round(contexts=1)
    platform.assign(round_id, person)
    take_in(platform, changed(platform, round_id, person, **differing))
    assert use_counts(platform, round_id) == [0 if is_free else 1], rule


def test_a_context_with_a_try_stays_used(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round(contexts=1)
    platform.example(round_id, person)
    take_in(platform, changed(platform, round_id, person))
    assert use_counts(platform, round_id) == [1]


def test_a_try_that_comes_late_is_stored(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round(contexts=1)
    context_id = platform.assign(round_id, person)["context"]["context_id"]
    take_in(platform, changed(platform, round_id, person))
    assert platform.example(round_id, person, context_id=context_id)["context_id"] == context_id


def test_a_context_of_later_work_stays(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round(contexts=1)
    stopped_at = platform.clock.now()
    platform.clock.move(1)
    given = platform.assign(round_id, person)
    platform.clock.move(1)
    take_in(platform, changed(platform, round_id, person, stopped_at=stopped_at))
    assert platform.assign(round_id, person) == given
    assert use_counts(platform, round_id) == [1]


def test_people_who_stop_together_free_their_contexts_once(platform: Platform) -> None:
    people, round_id = [uuid4() for _ in range(3)], platform.open_round(contexts=2)
    for person in people:
        platform.assign(round_id, person)
    ended = [changed(platform, round_id, person) for person in people]
    for batch in (ended, ended, [changed(platform, round_id, people[0])]):
        take_in(platform, *batch)
    assert use_counts(platform, round_id) == [0, 0]


def test_people_who_stop_and_ask_at_once_never_wait_in_a_circle(platform: Platform) -> None:
    people, round_id = [uuid4() for _ in range(12)], platform.open_round(contexts=3)
    for person in people:
        platform.assign(round_id, person)
    ended = [changed(platform, round_id, person) for person in people]
    calls = [lambda: platform.assign(round_id, uuid4()) for _ in range(12)]
    platform.at_once(*calls, *(lambda batch=ended[n : n + 4]: take_in(platform, *batch) for n in (0, 4, 8)))
    assert sum(use_counts(platform, round_id)) == 12


def test_the_worker_frees_what_a_person_of_a_campaign_had(
    platform: Platform, annotation_settings: AnnotationSettings, infrastructure: Infrastructure
) -> None:
    infrastructure.create_topics(annotation_settings.kafka_topic_prefix)
    person, round_id = uuid4(), platform.open_round(contexts=1)
    platform.assign(round_id, person)
    probe = EventProbe(annotation_settings.kafka_bootstrap_servers, annotation_settings.kafka_topic_prefix)
    stop = threading.Event()
    parts = build_worker(annotation_settings)
    consumer = next(part for part in parts if part.name == f"consumer {CROWD_CONSUMER}")
    thread = threading.Thread(target=consumer.run, args=(stop,))
    thread.start()
    ended = changed(platform, round_id, person)
    try:
        probe.publish(*CROWD_TOPICS, ended.message, ended.aggregate_id, 2, event_id=ended.id)
        wait_until(lambda: use_counts(platform, round_id) == [0], 60, "the context free again")
    finally:
        stop.set()
        thread.join(15)
        probe.close()
