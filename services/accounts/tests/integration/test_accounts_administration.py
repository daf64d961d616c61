"""Administration of people: search, roles and disabled accounts."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from accounts.domain.errors import LastAdministrator
from accounts.service_layer.dependencies import HttpDependencies
from accounts.service_layer.people import (
    ChangeRoles,
    EnsurePerson,
    SetDisabled,
    change_roles,
    ensure_person,
    set_disabled,
)
from dynabench.audit.v1 import audit_pb2
from dynabench_common.testing import FixedClock

from .conftest import PASSWORD, Api

Rows = Callable[[], list[Any]]
WHY = "They asked for it."


def actions(rows: list[Any]) -> list[audit_pb2.ActionTaken]:
    return [audit_pb2.ActionTaken.FromString(row.payload) for row in rows if row.type.endswith("ActionTaken")]


def known(administrator: Api, person: Api) -> dict[str, Any]:
    found: dict[str, Any] = administrator.call("GET", f"/people/{person.person_id}").get_json()
    return found


def disable(administrator: Api, person: Api, state: str = "disabled", reason: str = WHY) -> Any:
    return administrator.call("PUT", f"/people/{person.person_id}/state", {"state": state, "reason": reason})


def test_people_are_found_by_parts_of_name_and_address(api: Api, administrator: Api) -> None:
    for name in ("ada.lovelace", "bob", "cleo_ada"):
        api.new_person(name)

    def found(words: str) -> list[str]:
        items = administrator.call("GET", "/people", query_string={"search": words}).get_json()["items"]
        return [person["user_name"] for person in items]

    assert found("ADA") == ["ada.lovelace", "cleo_ada"]
    assert found("bob@example") == ["bob"]
    assert found("o_a") == ["cleo_ada"]
    assert found("%") == []
    assert len(found("  ")) == 4
    first = administrator.call("GET", "/people?search=ada&limit=1").get_json()
    rest = administrator.call("GET", f"/people?search=ada&limit=1&cursor={first['next_cursor']}").get_json()
    assert [p["user_name"] for p in first["items"] + rest["items"]] == ["ada.lovelace", "cleo_ada"]
    assert rest["next_cursor"] is None
    assert first["items"][0]["email"] == "ada.lovelace@example.org"


def test_what_is_known_of_a_person_is_for_administrators(
    api: Api, administrator: Api, clock: FixedClock
) -> None:
    ada = api.new_person("ada")
    clock.move(60)
    api.signed_in("ada")
    ada.call("POST", "/tokens", {"name": "laptop"})
    found = known(administrator, ada)
    assert (found["sessions"], found["api_tokens"], found["email"]) == (2, 1, "ada@example.org")
    assert found["last_seen_at"].startswith("2026-01-05T12:01:00")
    assert (found["disabled_at"], found["disabled_by_name"]) == (None, None)
    for path in (f"/people/{ada.person_id}", "/people?search=a", "/people/counts"):
        assert (ada.call("GET", path).status_code, api.call("GET", path).status_code) == (403, 401)
    counts = administrator.call("GET", "/people/counts").get_json()
    assert counts == {"people": 2, "administrators": 1, "disabled": 0, "new": 2}


def test_roles_are_given_and_taken_one_by_one_and_the_log_says_why(
    api: Api, administrator: Api, outbox_rows: Rows
) -> None:
    ada = api.new_person("ada")
    path = f"/people/{ada.person_id}/role-changes"
    administrator.call("POST", path, {"grant": ["owner:nli", "owner:qa"], "reason": WHY})
    changed = administrator.call("POST", path, {"grant": ["admin"], "revoke": ["owner:qa"]}).get_json()
    assert changed["roles"] == ["admin", "annotator", "owner:nli"]
    again = administrator.call("POST", path, {"grant": ["admin"], "revoke": ["owner:qa"]})
    assert again.status_code == 200
    shown = actions(outbox_rows())
    assert [each.reason for each in shown] == [WHY, ""]
    assert shown[0].details["after"] == "annotator, owner:nli, owner:qa"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"grant": ["emperor"]}, "roles"),
        ({"revoke": ["annotator"]}, "revoke"),
        ({"revoke": ["emperor"]}, "roles"),
        ({"grant": "admin"}, "grant"),
        ({"grant": [], "reason": "x" * 501}, "reason"),
    ],
)
def test_roles_that_there_are_not_are_refused(
    api: Api, administrator: Api, body: dict[str, Any], field: str
) -> None:
    ada = api.new_person("ada")
    answer = administrator.call("POST", f"/people/{ada.person_id}/role-changes", body)
    assert (answer.status_code, answer.get_json()["field"]) == (422, field)


def test_nobody_takes_administration_from_themselves(api: Api, administrator: Api) -> None:
    me = f"/people/{administrator.person_id}"
    for answer in (
        administrator.call("POST", f"{me}/role-changes", {"revoke": ["admin"]}),
        administrator.call("PUT", f"{me}/roles", {"roles": ["owner:nli"]}),
        disable(administrator, administrator),
    ):
        assert (answer.status_code, answer.get_json()["type"]) == (409, "/problems/own-administration")
        assert answer.get_json()["remedy"] == "Ask another administrator to do it."
    assert known(administrator, administrator)["roles"] == ["admin", "annotator"]


def test_the_last_administrator_stays_one_whoever_asks(
    api: Api, administrator: Api, dependencies: HttpDependencies
) -> None:
    """Two administrators may act at once: so the one who asks may be no administrator any more."""
    command = EnsurePerson("hedy", "hedy@example.org", PASSWORD, ("admin",), "expert")
    ensure_person(command, dependencies)
    hedy = api.signed_in("hedy")
    assert disable(administrator, hedy).status_code == 200
    grace = UUID(administrator.person_id)
    revoke = ChangeRoles(UUID(hedy.person_id), grace, (), ("admin",), "")
    with pytest.raises(LastAdministrator):
        change_roles(revoke, dependencies)
    with pytest.raises(LastAdministrator) as refused:
        set_disabled(SetDisabled(UUID(hedy.person_id), grace, True, "Why not?"), dependencies)
    assert refused.value.name == "grace"


def test_a_role_taken_away_counts_for_the_tokens_that_were_given_before(
    api: Api, administrator: Api, dependencies: HttpDependencies
) -> None:
    command = EnsurePerson("ivy", "ivy@example.org", PASSWORD, ("admin",), "expert")
    ensure_person(command, dependencies)
    ivy = api.signed_in("ivy")
    assert ivy.call("GET", "/people").status_code == 200
    administrator.call("POST", f"/people/{ivy.person_id}/role-changes", {"revoke": ["admin"]})
    assert ivy.call("GET", "/people").get_json()["type"] == "/problems/token-expired"
    assert ivy.again().call("GET", "/people").status_code == 403


def test_who_is_disabled_is_out_at_once_and_told_why(
    api: Api, administrator: Api, outbox_rows: Rows, clock: FixedClock
) -> None:
    ada = api.new_person("ada")
    token = ada.call("POST", "/tokens", {"name": "laptop"}).get_json()["token"]
    exchanged = api.call("POST", "/tokens/exchange", {"api_token": token}).get_json()["access_token"]
    program = Api(api.client, exchanged, ada.person_id)
    clock.move(1)
    assert disable(administrator, ada).get_json()["disabled_by_name"] == "grace"
    assert (ada.call("GET", "/me").status_code, program.call("GET", "/me").status_code) == (401, 401)
    refused = api.call("POST", "/sessions", {"user_name": "ada", "password": PASSWORD})
    assert (refused.status_code, refused.get_json()["type"]) == (403, "/problems/account-disabled")
    assert WHY in refused.get_json()["detail"]
    guessed = api.call("POST", "/sessions", {"user_name": "ada", "password": "wrong otter canoe"})
    assert guessed.get_json()["type"] == "/problems/credentials-wrong"
    assert api.call("POST", "/tokens/exchange", {"api_token": token}).status_code == 403
    assert disable(administrator, ada, reason="Again.").get_json()["disabled_reason"] == WHY
    assert administrator.call("GET", "/people/counts").get_json()["disabled"] == 1
    assert disable(administrator, ada, "active", "A mistake.").get_json()["disabled_at"] is None
    assert api.signed_in("ada").call("GET", "/me").status_code == 200
    assert api.call("POST", "/tokens/exchange", {"api_token": token}).status_code == 200
    shown = [(each.action, each.reason) for each in actions(outbox_rows())]
    assert shown == [("person.disabled", WHY), ("person.enabled", "A mistake.")]


def test_who_is_disabled_gets_no_link(api: Api, administrator: Api, engine: Any) -> None:
    from accounts.mail import queue
    from sqlalchemy import func, select

    ada = api.new_person("ada")
    disable(administrator, ada)
    assert api.call("POST", "/password-resets", {"email": "ada@example.org"}).status_code == 202
    with engine.connect() as connection:
        assert connection.scalar(select(func.count()).select_from(queue.mail)) == 0


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"state": "disabled", "reason": " "}, "reason"),
        ({"state": "disabled"}, "reason"),
        ({"state": "gone", "reason": WHY}, "state"),
    ],
)
def test_disabling_says_why(api: Api, administrator: Api, body: dict[str, str], field: str) -> None:
    ada = api.new_person("ada")
    answer = administrator.call("PUT", f"/people/{ada.person_id}/state", body)
    assert (answer.status_code, answer.get_json()["field"]) == (422, field)


def test_of_two_administrators_who_remove_each_other_one_stays(
    api: Api, administrator: Api, dependencies: HttpDependencies
) -> None:
    from concurrent.futures import ThreadPoolExecutor
    from uuid import UUID

    from accounts.domain.errors import LastAdministrator

    command = EnsurePerson("hedy", "hedy@example.org", PASSWORD, ("admin",), "expert")
    hedy = ensure_person(command, dependencies)
    grace_id = UUID(administrator.person_id)

    def remove(pair: tuple[UUID, UUID]) -> bool:
        actor, person = pair
        try:
            if actor == grace_id:
                taken = ChangeRoles(actor, person, (), ("admin",), "")
                change_roles(taken, dependencies)
            else:
                out = SetDisabled(actor, person, is_disabled=True, reason=WHY)
                set_disabled(out, dependencies)
        except LastAdministrator:
            return False
        return True

    pairs = [(grace_id, hedy.person_id), (hedy.person_id, grace_id)]
    with ThreadPoolExecutor(2) as pool:
        assert sum(pool.map(remove, pairs)) == 1
