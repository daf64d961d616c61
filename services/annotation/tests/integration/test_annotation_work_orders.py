"""Assigned work: who gets what, what counts for it, and which contexts come first."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from annotation.adapters import tables
from annotation.adapters.deleted_people import DeletedPeopleProjection
from dynabench.task.v1 import task_pb2
from dynabench_common.events.cloud_events import Event
from dynabench_events import EventRecord, decode, encode
from dynabench_events.person import PersonDeleted
from dynabench_events.task import ChecksAssigned, ChecksEnded
from sqlalchemy import select
from werkzeug.test import TestResponse

from .conftest import OWNER, Platform

MESSAGES: dict[str, Any] = {"ChecksAssigned": task_pb2.ChecksAssigned, "ChecksEnded": task_pb2.ChecksEnded}
TOPIC = "سخرية and sarcasm 🙃"


def assign(platform: Platform, round_id: str, *people: UUID, **other: Any) -> TestResponse:
    due_on = (platform.clock.now() + timedelta(days=2)).date().isoformat()
    workers = [{"person_id": str(each), "name": f"person {n}"} for n, each in enumerate(people)]
    body = {"people": workers, "activity": "create", "units": 2, "due_on": due_on, "topic": TOPIC, **other}
    return as_owner(platform, "POST", f"/rounds/{round_id}/work-orders", body)


def as_owner(platform: Platform, method: str, path: str, body: object | None = None) -> TestResponse:
    return platform.call(method, path, body, person=OWNER, roles=[f"owner:{platform.slug}"])


def own(platform: Platform, person: UUID) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = platform.call("GET", "/work-orders", person=person).get_json()["items"]
    return items


def contexts_of(platform: Platform, round_id: str) -> list[str]:
    return [each["context_id"] for each in platform.owner("GET", f"/rounds/{round_id}/contexts")["items"]]


def entries(platform: Platform, person: UUID) -> list[str]:
    outbox = tables.outbox.c
    with platform.dependencies.engine.connect() as connection:
        rows = connection.execute(
            select(outbox.payload).where(outbox.topic == "dynabench.audit.v1")
        ).scalars()
        return [
            text for row in rows for text in (bytes(row).decode(errors="replace"),) if str(person) in text
        ]


def test_several_people_get_the_same_work_and_tries_count_from_then_on(platform: Platform) -> None:
    ada, bob, round_id = uuid4(), uuid4(), platform.open_round()
    platform.example(round_id, ada)
    platform.clock.move(1)
    assert assign(platform, round_id, ada, bob, ada).status_code == 204
    platform.clock.move(1)
    platform.example(round_id, ada, text="Another fine queue.")
    retracted = platform.example(round_id, ada, text="A third fine queue.")
    platform.call("POST", f"/examples/{retracted['example_id']}/retraction", {}, person=ada)
    [order] = own(platform, ada)
    assert (order["topic"], order["units"], order["done"], order["contexts"]) == (TOPIC, 2, 1, 0)
    listed = platform.owner("GET", f"/tasks/{platform.slug}/work-orders")["items"]
    assert {each["person_id"]: each["done"] for each in listed} == {str(ada): 1, str(bob): 0}
    assert len(entries(platform, ada)) == 1


def test_assigned_contexts_come_first_and_alone_count(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round(contexts=5)
    chosen = contexts_of(platform, round_id)[3:]
    assert assign(platform, round_id, person, context_ids=chosen).status_code == 204
    first = platform.assign(round_id, person)["context"]["context_id"]
    second = platform.assign(round_id, person, first)["context"]["context_id"]
    assert {first, second} == set(chosen)
    platform.example(round_id, person)
    order = own(platform, person)[0]
    assert (order["done"], order["contexts"], order["withdrawn_contexts"]) == (1, 2, 0)


def test_withdrawn_contexts_leave_the_others(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round(contexts=3)
    [chosen] = contexts_of(platform, round_id)[:1]
    assign(platform, round_id, person, context_ids=[chosen])
    with platform.dependencies.engine.begin() as connection:
        context = tables.context
        connection.execute(context.update().where(context.c.context_id == chosen).values(is_withdrawn=True))
    assert platform.assign(round_id, person)["context"]["context_id"] != chosen
    assert own(platform, person)[0]["withdrawn_contexts"] == 1
    refused = assign(platform, round_id, uuid4(), context_ids=[chosen])
    assert (refused.status_code, refused.get_json()["field"]) == (422, "context_ids")


def published(platform: Platform, person: UUID) -> list[EventRecord]:
    """Return the events about assigned work: of the person's orders, in the order of their ids."""
    outbox = tables.outbox.c
    with platform.dependencies.engine.connect() as connection:
        rows = connection.execute(
            select(outbox.payload, outbox.type).where(outbox.type.like("%.Checks%")).order_by(outbox.id)
        ).all()
    found = [decode(MESSAGES[row.type.rsplit(".", 1)[1]].FromString(bytes(row.payload))) for row in rows]
    own = {each.order_id for each in found if isinstance(each, ChecksAssigned) and each.person_id == person}
    return [each for each in found if each.aggregate_id in own]


def test_examples_to_check_are_assigned_and_told_to_validation(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round()
    chosen = [platform.example(round_id, uuid4(), text=f"A fine queue {n}.")["example_id"] for n in range(2)]
    checks = {"activity": "validate", "example_ids": chosen}
    assert assign(platform, round_id, person, **checks).status_code == 204
    [order] = own(platform, person)
    assert (order["examples"], order["units"], order["done"]) == (2, 2, None)
    path = f"/work-orders/{order['order_id']}"
    assert as_owner(platform, "POST", f"{path}/withdrawal").status_code == 204
    assigned, ended = published(platform, person)
    assert isinstance(assigned, ChecksAssigned)
    assert isinstance(ended, ChecksEnded)
    assert (str(assigned.round_id), list(map(str, assigned.example_ids))) == (round_id, chosen)


def test_examples_stay_with_work_that_somebody_else_gets(platform: Platform) -> None:
    bob, round_id = uuid4(), platform.open_round()
    chosen = [platform.example(round_id, uuid4(), text=f"A fine queue {n}.")["example_id"] for n in range(2)]
    ada = uuid4()
    assign(platform, round_id, ada, activity="validate", example_ids=chosen)
    path = f"/work-orders/{own(platform, ada)[0]['order_id']}/reassignment"
    body = {"person_id": str(bob), "name": "bob", "units": 1, "due_on": "2100-01-01"}
    assert as_owner(platform, "POST", path, body).status_code == 204
    assert [type(each) for each in published(platform, ada)] == [ChecksAssigned, ChecksEnded]
    [assigned] = published(platform, bob)
    assert isinstance(assigned, ChecksAssigned)
    assert list(map(str, assigned.example_ids)) == chosen


def test_what_was_retracted_is_left_out_of_work_that_somebody_else_gets(platform: Platform) -> None:
    author, ada, round_id = uuid4(), uuid4(), platform.open_round()
    chosen = [platform.example(round_id, author, text=f"A fine queue {n}.")["example_id"] for n in range(2)]
    assign(platform, round_id, ada, activity="validate", example_ids=chosen)
    platform.call("POST", f"/examples/{chosen[0]}/retraction", {}, person=author)
    body = {"name": "bob", "units": 2, "due_on": "2100-01-01"}
    bob = uuid4()
    path = f"/work-orders/{own(platform, ada)[0]['order_id']}/reassignment"
    assert as_owner(platform, "POST", path, {**body, "person_id": str(bob)}).status_code == 204
    [order] = own(platform, bob)
    assert (order["examples"], order["units"]) == (1, 1)
    platform.call("POST", f"/examples/{chosen[1]}/retraction", {}, person=author)
    path = f"/work-orders/{order['order_id']}/reassignment"
    refused = as_owner(platform, "POST", path, {**body, "person_id": str(uuid4())})
    assert (refused.status_code, refused.get_json()["type"]) == (409, "/problems/work-ended")
    assert own(platform, bob) == [order]


def test_examples_of_another_round_or_retracted_ones_are_refused(platform: Platform) -> None:
    author, round_id = uuid4(), platform.open_round()
    retracted = platform.example(round_id, author)["example_id"]
    platform.call("POST", f"/examples/{retracted}/retraction", {}, person=author)
    elsewhere = platform.example(platform.open_round(), author)["example_id"]
    for example_id in (retracted, elsewhere, str(uuid4())):
        checks = {"activity": "validate", "example_ids": [example_id], "units": 1}
        refused = assign(platform, round_id, uuid4(), **checks)
        assert (refused.status_code, refused.get_json()["field"]) == (422, "example_ids")


def test_examples_are_checked_and_each_once(platform: Platform) -> None:
    round_id = platform.open_round()
    chosen = [platform.example(round_id, uuid4())["example_id"]]
    tries = assign(platform, round_id, uuid4(), example_ids=chosen, units=1)
    assert (tries.status_code, tries.get_json()["field"]) == (422, "example_ids")
    too_many = assign(platform, round_id, uuid4(), activity="validate", example_ids=chosen * 2, units=2)
    assert (too_many.status_code, too_many.get_json()["field"]) == (422, "units")


def test_nobody_has_two_open_orders_and_none_is_stored_then(platform: Platform) -> None:
    ada, bob, round_id = uuid4(), uuid4(), platform.open_round()
    assign(platform, round_id, ada)
    refused = assign(platform, round_id, bob, ada).get_json()
    assert (refused["type"], refused["status"]) == ("/problems/work-assigned-before", 409)
    assert "person 1" in refused["detail"]
    assert own(platform, bob) == []
    assert assign(platform, round_id, ada, activity="validate").status_code == 204
    checks = next(each for each in own(platform, ada) if each["activity"] == "validate")
    assert checks["done"] is None


def test_work_is_withdrawn_once(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round()
    assign(platform, round_id, person)
    assert platform.owner("GET", f"/rounds/{round_id}")["has_assigned_work"] is True
    path = f"/work-orders/{own(platform, person)[0]['order_id']}"
    for _ in range(2):
        assert as_owner(platform, "POST", f"{path}/withdrawal").status_code == 204
    assert own(platform, person) == []
    assert platform.owner("GET", f"/rounds/{round_id}")["has_assigned_work"] is False
    assert len(entries(platform, person)) == 2
    late = {"person_id": str(uuid4()), "name": "bob", "units": 1, "due_on": "2100-01-01"}
    assert as_owner(platform, "POST", f"{path}/reassignment", late).status_code == 409
    assert assign(platform, round_id, person).status_code == 204


@pytest.mark.parametrize("to_the_same", [True, False])
def test_what_is_left_goes_to_somebody_else_or_gets_another_day(
    platform: Platform, to_the_same: bool
) -> None:
    ada, round_id = uuid4(), platform.open_round()
    assign(platform, round_id, ada, units=10)
    platform.clock.move(1)
    platform.example(round_id, ada)
    platform.clock.move(1)
    then = ada if to_the_same else uuid4()
    body = {"person_id": str(then), "name": "bob", "units": 9, "due_on": "2100-01-01"}
    path = f"/work-orders/{own(platform, ada)[0]['order_id']}/reassignment"
    assert as_owner(platform, "POST", path, body).status_code == 204
    [order] = own(platform, then)
    assert (order["name"], order["units"], order["done"], order["topic"]) == ("bob", 9, 0, TOPIC)
    assert order["due_on"] == "2100-01-01"
    assert len(own(platform, ada)) == to_the_same


@pytest.mark.parametrize(
    ("other", "field"),
    [
        ({"due_on": "2020-01-01"}, "due_on"),
        ({"topic": "x" * 5_000}, "topic"),
        ({"units": 0}, "units"),
        ({"context_ids": [str(uuid4())]}, "context_ids"),
        ({"people": []}, "people"),
        ({"activity": "think"}, "activity"),
    ],
)
def test_unusable_work_is_refused_by_its_field(platform: Platform, other: dict[str, Any], field: str) -> None:
    refused = assign(platform, platform.open_round(), uuid4(), **other)
    assert (refused.status_code, refused.get_json()["field"]) == (422, field)


@pytest.mark.parametrize(("state", "statuses"), [("closed", [409, 204]), ("paused", [204, 204])])
def test_a_closed_round_takes_checks_alone(platform: Platform, state: str, statuses: Sequence[int]) -> None:
    round_id = platform.open_round()
    platform.set_state(round_id, state)
    given = [assign(platform, round_id, uuid4(), activity=each) for each in ("create", "validate")]
    assert [each.status_code for each in given] == statuses


def test_owners_of_other_tasks_see_and_change_nothing(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round()
    assign(platform, round_id, person)
    order_id = own(platform, person)[0]["order_id"]
    paths = [
        ("GET", f"/tasks/{platform.slug}/work-orders"),
        ("POST", f"/work-orders/{order_id}/withdrawal"),
        ("POST", f"/rounds/{round_id}/work-orders"),
    ]
    body = {"people": [{"person_id": str(person), "name": "a"}], "activity": "create", "units": 1}
    for method, path in paths:
        sent = (
            {**body, "due_on": "2100-01-01"} if path.endswith("/work-orders") and method == "POST" else None
        )
        answer = platform.call(method, path, sent, person=uuid4(), roles=["owner:another"])
        assert answer.status_code == 403, path
    assert as_owner(platform, "POST", f"/work-orders/{uuid4()}/withdrawal").status_code == 404


def test_the_work_of_a_deleted_person_goes(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round()
    assign(platform, round_id, person)
    example_id = platform.example(round_id, uuid4())["example_id"]
    assign(platform, round_id, person, activity="validate", example_ids=[example_id], units=1)
    assert len(own(platform, person)) == 2
    now = platform.clock.now()
    deleted = encode(PersonDeleted(person_id=person, withdraws_texts=False, deleted_at=now))
    event = Event(
        id=uuid4(),
        type=deleted.DESCRIPTOR.full_name,
        source="/accounts",
        time=now,
        aggregate_id=person,
        aggregate_version=1,
        message=deleted,
        topic="dynabench.person.v1",
    )
    with platform.dependencies.engine.begin() as connection:
        DeletedPeopleProjection(platform.clock).apply(connection, [event])
    assert platform.owner("GET", f"/tasks/{platform.slug}/work-orders")["items"] == []
    assert [type(each) for each in published(platform, person)] == [ChecksAssigned, ChecksEnded]
