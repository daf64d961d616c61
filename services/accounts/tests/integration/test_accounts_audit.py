"""The audit log: kept as it comes, shown to administrators and to the owners of a task."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from accounts.adapters.audit_log import AuditProjection
from accounts.adapters.tables import audit_entry, dead_letter
from dynabench.audit.v1 import audit_pb2
from dynabench_common.events.audit import Action, action_taken
from dynabench_common.events.cloud_events import Event, PermanentEventError
from dynabench_common.events.dead_letters import note
from dynabench_common.http.schemas import encode_cursor
from sqlalchemy import Engine, delete, func, select
from werkzeug.test import TestResponse

from .conftest import Api

NOON = datetime(2026, 11, 4, 12, tzinfo=UTC)


def entry(action: str, minutes: int = 0, actor_id: UUID | None = None, **more: Any) -> Event:
    stated = Action(action, actor_id, "round", more.pop("object_id", None) or uuid4(), **more)
    stored = action_taken(stated, NOON + timedelta(minutes=minutes))
    message = audit_pb2.ActionTaken.FromString(stored.payload)
    return Event(
        uuid4(), stored.type, "/test", stored.occurred_at, stored.aggregate_id, 1, message, stored.topic
    )


Keep = Callable[..., None]


@pytest.fixture
def keep(engine: Engine, owner_engine: Engine) -> Iterator[Keep]:
    def keep(*entries: Event) -> None:
        with engine.begin() as connection:
            AuditProjection().apply(connection, entries)

    yield keep
    with owner_engine.begin() as connection:
        connection.execute(delete(audit_entry))


def actions(answer: TestResponse) -> list[str]:
    assert answer.status_code == 200, answer.get_json()
    return [item["action"] for item in answer.get_json()["items"]]


def test_entries_come_newest_first_page_by_page(api: Api, administrator: Api, keep: Keep) -> None:
    keep(entry("round.opened", 1), entry("round.closed", 3), entry("round.paused", 2))
    first = administrator.call("GET", "/audit?limit=2")
    assert actions(first) == ["round.closed", "round.paused"]
    rest = administrator.call("GET", f"/audit?limit=2&cursor={first.get_json()['next_cursor']}")
    assert actions(rest) == ["round.opened"]
    assert rest.get_json()["next_cursor"] is None
    other = administrator.call("GET", f"/audit?cursor={encode_cursor(UUID(int=1))}")
    assert (other.status_code, other.get_json()["field"]) == (422, "cursor")


def test_an_entry_names_its_actor_and_reason(api: Api, administrator: Api, keep: Keep) -> None:
    ada = api.new_person("ada")
    keep(
        entry(
            "round.closed",
            actor_id=UUID(ada.person_id),
            reason="The goal is reached.",
            details={"to": "closed"},
        )
    )
    found = administrator.call("GET", "/audit").get_json()["items"][0]
    assert (found["actor_name"], found["reason"]) == ("ada", "The goal is reached.")
    assert found["details"] == {"to": "closed"}


@pytest.mark.parametrize(
    ("role", "is_told_to_the_owner"),
    [(None, False), ("owner:nli", False), ("owner:sentiment", True), ("admin", True)],
)
def test_owners_are_told_the_names_of_owners_and_administrators_alone(
    api: Api, administrator: Api, keep: Keep, role: str | None, is_told_to_the_owner: bool
) -> None:
    owner, actor = api.new_person("olga"), api.new_person("ada")
    roles = {owner.person_id: ["owner:sentiment"], actor.person_id: [role] if role else []}
    for person_id, held in roles.items():
        administrator.call("PUT", f"/people/{person_id}/roles", {"roles": held})
    keep(entry("example.appealed", actor_id=UUID(actor.person_id), task_slug="sentiment"))
    path = "/audit?task=sentiment"
    shown = [each.call("GET", path).get_json()["items"][0] for each in (administrator, api.signed_in("olga"))]
    assert [each["actor_name"] for each in shown] == ["ada", "ada" if is_told_to_the_owner else None]
    assert {each["actor_id"] for each in shown} == {actor.person_id}


def test_an_entry_that_comes_twice_is_kept_once(engine: Engine, keep: Keep) -> None:
    same = entry("round.closed")
    keep(same)
    keep(same)
    with engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(audit_entry)).scalar_one() == 1


def test_an_unreadable_entry_is_refused_for_good(engine: Engine) -> None:
    bad = entry("round.closed")
    bad.message.object_id = "nothing"  # type: ignore[attr-defined]
    with (
        engine.begin() as connection,
        pytest.raises(PermanentEventError, match="ActionTaken: object_id is no UUID"),
    ):
        AuditProjection().apply(connection, [bad])


def test_owners_read_their_own_task_alone(api: Api, administrator: Api, keep: Keep) -> None:
    keep(entry("round.closed", task_slug="sentiment"), entry("round.opened", task_slug="nli"))
    owner = api.new_person("olga")
    administrator.call("PUT", f"/people/{owner.person_id}/roles", {"roles": ["owner:sentiment"]})
    owner = api.signed_in("olga")
    assert actions(owner.call("GET", "/audit?task=sentiment")) == ["round.closed"]
    assert owner.call("GET", "/audit?task=nli").status_code == 403
    missing = owner.call("GET", "/audit")
    assert (missing.status_code, missing.get_json()["field"]) == (422, "task")
    assert api.call("GET", "/audit?task=sentiment").status_code == 401


def test_entries_are_found_by_round_and_by_object(administrator: Api, keep: Keep) -> None:
    round_id, object_id = uuid4(), uuid4()
    keep(
        entry("example.adjudicated", 1, round_id=round_id, object_id=object_id),
        entry("round.closed", 2, round_id=round_id),
        entry("round.opened", 3),
    )
    assert actions(administrator.call("GET", f"/audit?round_id={round_id}")) == [
        "round.closed",
        "example.adjudicated",
    ]
    assert actions(administrator.call("GET", f"/audit?object_id={object_id}")) == ["example.adjudicated"]


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/audit?task=a%00b", "task"),
        ("/people?user_name=a%00b", "user_name"),
        ("/tasks/a%00b/owners", "slug"),
    ],
)
def test_text_that_the_database_can_not_hold_is_refused(administrator: Api, path: str, field: str) -> None:
    refused = administrator.call("GET", path)
    assert (refused.status_code, refused.get_json()["field"]) == (422, field)


def test_what_could_not_be_taken_in_is_counted(api: Api, administrator: Api, engine: Engine) -> None:
    class Record:
        topic, partition, offset = "dynabench.audit.v1", 0, 7
        key, value, headers = b"no id", b"", ()

    assert administrator.call("GET", "/dead-letters").get_json() == {"items": [], "held": []}
    note(engine, dead_letter, "accounts", Record, "no id")
    note(engine, dead_letter, "accounts", Record, "no id")
    found = administrator.call("GET", "/dead-letters").get_json()["items"]
    assert [(item["topic"], item["count"], item["newest_reason"]) for item in found] == [
        ("dynabench.audit.v1", 1, "no id")
    ]
    assert api.new_person("ada").call("GET", "/dead-letters").status_code == 403
    with engine.begin() as connection:
        connection.execute(delete(dead_letter))
