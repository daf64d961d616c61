"""Signing up and roles, over HTTP and down to the outbox."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import pytest
from accounts.domain.errors import AlreadyTaken
from accounts.service_layer.dependencies import HttpDependencies
from accounts.service_layer.people import EnsurePerson, SignUp, ensure_person, sign_up
from dynabench.audit.v1 import audit_pb2
from dynabench.person.v1 import person_pb2
from dynabench_common.testing import FixedClock

from .conftest import Api

PASSWORD = "violet otter canoe"
ADA = {"user_name": "Ada", "email": "Ada@Example.org", "password": PASSWORD}
Rows = Callable[[], list[Any]]


def test_signing_up_makes_a_person_and_one_event(api: Api, outbox_rows: Rows) -> None:
    answer = api.call("POST", "/people", ADA)
    person = answer.get_json()
    assert answer.status_code == 201
    assert set(person) == {"person_id", "user_name", "roles", "cohort", "registered_at"}
    assert (person["user_name"], person["roles"], person["cohort"]) == ("ada", ["annotator"], "volunteer")
    (row,) = outbox_rows()
    event = person_pb2.PersonRegistered.FromString(row.payload)
    assert (row.type, row.topic) == ("dynabench.person.v1.PersonRegistered", "dynabench.person.v1")
    assert (event.person_id, row.aggregate_version) == (person["person_id"], 1)
    assert str(row.aggregate_id) == person["person_id"]


@pytest.mark.parametrize(
    ("change", "status", "problem", "field"),
    [
        ({"user_name": "ADA"}, 409, "user-name-taken", "user_name"),
        ({"user_name": "e"}, 422, "user-name-unusable", "user_name"),
        ({"user_name": "eve", "email": "nowhere"}, 422, "email-unusable", "email"),
        ({"user_name": "eve", "password": "short"}, 422, "password-unusable", "password"),
        ({"user_name": "evelina", "password": "evelina1234"}, 422, "password-unusable", "password"),
        ({"user_name": "eve\x00"}, 422, "input-invalid", None),
        ({"user_name": "eve", "password": "\ud800" * 12}, 422, "input-invalid", None),
        ({"user_name": 7}, 422, "input-invalid", "user_name"),
        ({"user_name": "x" * 100_000}, 422, "input-invalid", "user_name"),
        ({"password": None}, 422, "input-invalid", "password"),
        ({"roles": ["admin"]}, 422, "input-invalid", "roles"),
    ],
)
def test_a_bad_sign_up_names_the_field_and_stores_nothing(
    api: Api, outbox_rows: Rows, change: dict[str, Any], status: int, problem: str, field: str | None
) -> None:
    api.call("POST", "/people", ADA)
    answer = api.call("POST", "/people", ADA | {"email": "eve@example.org"} | change)
    body = answer.get_json()
    assert (answer.status_code, body["type"]) == (status, f"/problems/{problem}")
    assert answer.content_type == "application/problem+json"
    assert body["remedy"]
    assert field is None or body["field"] == field
    assert len(outbox_rows()) == 1


@pytest.mark.parametrize(
    ("body", "status"),
    [(b"", 400), (b"{", 400), (b"[]", 422), (b"\xff\xfe", 400), (b"null", 422), (b"7", 422)],
)
def test_a_body_that_is_no_object_is_refused(api: Api, body: bytes, status: int) -> None:
    answer = api.client.post("/api/accounts/v1/people", data=body, content_type="application/json")
    assert answer.status_code == status
    assert answer.content_type == "application/problem+json"


def test_of_people_who_want_one_name_at_once_one_gets_it(dependencies: HttpDependencies) -> None:
    def attempt(number: int) -> bool:
        command = SignUp("ada", f"ada{number}@example.org", PASSWORD)
        try:
            sign_up(command, dependencies)
        except AlreadyTaken:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(8))) == 1


def test_the_owners_of_a_task_are_listed_by_name(api: Api, dependencies: HttpDependencies) -> None:
    for name, role in (("zoe", "owner:nli"), ("ada", "owner:nli"), ("ben", "owner:nli-2"), ("eve", "admin")):
        command = EnsurePerson(name, f"{name}@example.org", PASSWORD, ("annotator", role), "volunteer")
        ensure_person(command, dependencies)
    assert api.call("GET", "/tasks/nli/owners").status_code == 401
    api = api.signed_in("eve")
    owners = api.call("GET", "/tasks/nli/owners").get_json()["items"]
    assert [owner["user_name"] for owner in owners] == ["ada", "zoe"]
    assert set(owners[0]) == {"person_id", "user_name"}
    assert api.call("GET", "/tasks/nothing/owners").get_json() == {"items": []}


def test_an_administrator_sets_roles_and_others_hear_of_it(
    api: Api, administrator: Api, outbox_rows: Rows
) -> None:
    ada = api.new_person("ada")
    path = f"/people/{ada.person_id}/roles"
    for _ in range(2):
        answer = administrator.call("PUT", path, {"roles": ["owner:sentiment"]})
        assert answer.get_json()["roles"] == ["annotator", "owner:sentiment"]
    changes = [row for row in outbox_rows() if row.type.endswith("PersonRolesChanged")]
    assert [row.aggregate_version for row in changes] == [2]
    event = person_pb2.PersonRolesChanged.FromString(changes[0].payload)
    assert list(event.roles) == ["annotator", "owner:sentiment"]
    (entry,) = [row for row in outbox_rows() if row.type.endswith("ActionTaken")]
    action = audit_pb2.ActionTaken.FromString(entry.payload)
    assert (action.action, action.actor_id) == ("person.roles_changed", str(administrator.person_id))
    assert (action.object_kind, action.object_id) == ("person", str(ada.person_id))
    assert action.details == {"before": "annotator", "after": "annotator, owner:sentiment"}
    assert api.signed_in("ada").call("GET", "/me").get_json()["roles"] == ["annotator", "owner:sentiment"]


def test_setting_roles_of_nobody_or_to_nonsense_is_refused(api: Api, administrator: Api) -> None:
    missing = administrator.call("PUT", f"/people/{UUID(int=0)}/roles", {"roles": []})
    assert (missing.status_code, missing.get_json()["type"]) == (404, "/problems/person-not-found")
    malformed = administrator.call("PUT", "/people/grace/roles", {"roles": []})
    assert (malformed.status_code, malformed.get_json()["field"]) == (422, "person_id")
    nonsense = administrator.call("PUT", f"/people/{administrator.person_id}/roles", {"roles": ["emperor"]})
    assert (nonsense.status_code, nonsense.get_json()["field"]) == (422, "roles")


def test_an_administrator_finds_people_by_page_and_by_name(api: Api, administrator: Api) -> None:
    for name in ("ada", "bob", "cleo"):
        api.new_person(name)
    first = administrator.call("GET", "/people?limit=3").get_json()
    rest = administrator.call("GET", f"/people?limit=3&cursor={first['next_cursor']}").get_json()
    assert [p["user_name"] for p in first["items"] + rest["items"]] == ["grace", "ada", "bob", "cleo"]
    assert rest["next_cursor"] is None
    found = administrator.call("GET", "/people?user_name=BOB").get_json()["items"]
    assert [p["user_name"] for p in found] == ["bob"]
    refused = administrator.call("GET", "/people?cursor=bm90IG91cnM")
    assert (refused.status_code, refused.get_json()["field"]) == (422, "cursor")
    assert administrator.call("GET", "/people?cursor=WyJ4Il0").status_code == 422


def test_ensuring_a_person_twice_changes_nothing(dependencies: HttpDependencies, outbox_rows: Rows) -> None:
    command = EnsurePerson("demo", "demo@example.org", PASSWORD, ("owner:sentiment",), "expert")
    first, second = (ensure_person(command, dependencies) for _ in range(2))
    assert first.person_id == second.person_id
    assert second.roles == {"annotator", "owner:sentiment"}
    assert len(outbox_rows()) == 1


def test_ensuring_a_person_adds_roles_and_sets_the_password(api: Api, dependencies: HttpDependencies) -> None:
    ada = api.new_person("ada")
    command = EnsurePerson("ada", "other@example.org", "seven purple kites", ("admin",), "crowd")
    ensure_person(command, dependencies)
    again = api.signed_in("ada", "seven purple kites")
    me = again.call("GET", "/me").get_json()
    assert (me["person_id"], me["roles"], me["cohort"]) == (
        ada.person_id,
        ["admin", "annotator"],
        "volunteer",
    )
    old = api.call("POST", "/sessions", {"user_name": "ada", "password": PASSWORD})
    assert old.status_code == 401


def test_whether_a_mail_address_has_an_account_is_not_told(api: Api, dependencies: HttpDependencies) -> None:
    assert api.call("POST", "/people", ADA).status_code == 201
    same = api.call("POST", "/people", {**ADA, "user_name": "eve", "email": "ADA@example.ORG"})
    assert same.status_code == 201
    command = EnsurePerson("bob", "ada@example.org", PASSWORD, (), "volunteer")
    ensure_person(command, dependencies)


def test_sign_ups_of_an_address_are_limited_before_a_password_is_hashed(
    api: Any, dependencies: HttpDependencies, monkeypatch: pytest.MonkeyPatch, clock: FixedClock
) -> None:
    hashed: list[str] = []

    def note(_self: object, word: str) -> str:
        hashed.append(word)
        return "x"

    monkeypatch.setattr(type(dependencies.passwords), "hash", note)

    def attempt(number: int, address: str) -> int:
        body = {"user_name": f"ada{number}", "email": "ada@example.org", "password": PASSWORD}
        status: int = api.call("POST", "/people", body, headers={"X-Forwarded-For": address}).status_code
        return status

    most = dependencies.sign_up_limit.most
    assert {attempt(number, "192.0.2.1") for number in range(most)} == {201}
    assert [attempt(most, "192.0.2.1"), attempt(most, "192.0.2.2")] == [429, 201]
    assert len(hashed) == most + 1
    clock.move(dependencies.sign_up_limit.window.total_seconds())
    assert attempt(most + 1, "192.0.2.1") == 201


def test_owners_find_people_by_their_user_names(api: Api, dependencies: HttpDependencies) -> None:
    for name, role in (("zoe", "owner:nli"), ("ada", "annotator"), ("gone", "annotator")):
        command = EnsurePerson(name, f"{name}@example.org", PASSWORD, (role,), "volunteer")
        ensure_person(command, dependencies)
    path = "/people/named?user_name=%20ADA&user_name=nobody&user_name=%F0%9F%99%82"
    assert api.signed_in("ada").call("GET", path).status_code == 403
    found = api.signed_in("zoe").call("GET", path).get_json()["items"]
    assert [(each["user_name"], set(each)) for each in found] == [("ada", {"person_id", "user_name"})]
    for query in ("", "?user_name=%00"):
        assert api.signed_in("zoe").call("GET", f"/people/named{query}").status_code == 422
