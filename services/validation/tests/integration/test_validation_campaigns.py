"""Leases of people of campaigns: free for others as soon as the person stops working."""

from typing import Any
from uuid import UUID

import pytest
from dynabench_common.events.cloud_events import Event
from dynabench_common.identifiers import new_id
from dynabench_events import encode
from dynabench_events.crowd import AssignmentState, AssignmentStateChanged, Work
from validation.adapters.crowd_leases import CrowdLeaseProjection

from .conftest import World, event
from .test_validation_gold import add


def changed(world: World, person_id: UUID, /, **differing: Any) -> Event:
    """Return the event of a person who gave their place back, unless something differs."""
    values = {
        "assignment_id": new_id(),
        "campaign_id": new_id(),
        "round_id": world.round_id,
        "person_id": person_id,
        "work": Work.VALIDATE,
        "state": AssignmentState.RETURNED,
        "changed_at": world.clock.now(),
        "stopped_at": world.clock.now(),
    }
    record = AssignmentStateChanged(**{**values, **differing})
    return event(encode(record), record.assignment_id)


def take_in(world: World, *events: Event) -> None:
    with world.engine.begin() as connection:
        CrowdLeaseProjection().apply(connection, events)


@pytest.mark.parametrize(
    ("rule", "differing", "is_free"),
    [
        ("a person who returns frees the slot", {"state": AssignmentState.RETURNED}, True),
        ("a person whose time is over frees it", {"state": AssignmentState.TIMED_OUT}, True),
        ("a person who is screened out frees it", {"state": AssignmentState.SCREENED_OUT}, True),
        ("a person who hands in frees it", {"state": AssignmentState.SUBMITTED}, True),
        ("a person who works keeps it", {"state": AssignmentState.WORKING}, False),
        ("a late approval concerns no new work", {"state": AssignmentState.APPROVED}, False),
        ("nor does a late rejection", {"state": AssignmentState.REJECTED}, False),
        ("the end of writing concerns no votes", {"work": Work.CREATE}, False),
        ("the end in another round concerns no votes here", {"round_id": UUID(int=9)}, False),
        ("the end of another person's work concerns nobody else", {"person_id": UUID(int=9)}, False),
    ],
)
def test_who_stops_frees_the_slot(world: World, rule: str, differing: dict[str, Any], is_free: bool) -> None:
    world.begin()
    world.example()
    first, *_others = people = [world.person() for _ in range(3)]
    for person in people:
        person.hold(world.round_id)
    late = world.person()
    assert late.lease(world.round_id).status_code == 200, "all slots are taken"
    take_in(world, changed(world, first.person_id, **differing))
    assert late.lease(world.round_id).status_code == (201 if is_free else 200), rule


def test_a_lease_of_later_work_stays(world: World) -> None:
    world.begin()
    world.example()
    person = world.person()
    stopped_at = world.clock.now()
    world.clock.move(1)
    held = person.hold(world.round_id)
    world.clock.move(1)
    take_in(world, changed(world, person.person_id, stopped_at=stopped_at))
    assert person.hold(world.round_id)["lease_id"] == held["lease_id"]


def test_a_lease_on_a_known_item_ends_as_well(world: World) -> None:
    world.begin()
    add(world)
    for _ in range(2):
        world.example()
    person = world.person()
    person.answer(world.round_id, "negative")
    person.hold(world.round_id)
    [held] = world.rows("lease")
    [shown] = world.rows("gold_showing")
    assert held["resource_id"] == shown["showing_id"]
    take_in(world, changed(world, person.person_id))
    assert world.rows("lease") == []
