"""Signing in, renewing and signing out, over HTTP on a real database."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
from accounts.adapters.tables import refresh_token, session, sign_in_failure
from accounts.bootstrap import CLEAN_SECONDS, clean
from accounts.domain.errors import AccountsError, FieldRefused
from accounts.domain.session import LIFETIME
from accounts.domain.throttle import MOST_FAILURES, MOST_FAILURES_OF_ADDRESS, RAISED_FOR, WINDOW, known_at
from accounts.service_layer import sessions
from accounts.service_layer.dependencies import HttpDependencies
from accounts.service_layer.limits import raise_limits
from dynabench_common.testing import FixedClock, service_token
from sqlalchemy import Engine, select
from werkzeug.test import TestResponse

from .conftest import Api

PASSWORD = "violet otter canoe"
ADDRESS = "127.0.0.1"
KNOWN = known_at("ada", ADDRESS)
SIGN_UPS = f"sign-up from {ADDRESS}"


def cookie_of(answer: TestResponse) -> str:
    return answer.headers["Set-Cookie"].split(";")[0].partition("=")[2]


def sign_in(
    api: Api, user_name: str = "ada", password: str = PASSWORD, address: str = ADDRESS
) -> TestResponse:
    body = {"user_name": user_name, "password": password}
    answer: TestResponse = api.call("POST", "/sessions", body, headers={"X-Forwarded-For": address})
    return answer


@dataclass
class Session:
    """Calls with one access token."""

    client: Any
    token: str

    def call(self, method: str, path: str, body: object = None) -> TestResponse:
        headers = {"Authorization": f"Bearer {self.token}"}
        answer: TestResponse = self.client.open(
            f"/api/accounts/v1{path}", method=method, json=body, headers=headers
        )
        return answer


def refresh(api: Api, token: str) -> TestResponse:
    answer: TestResponse = api.call(
        "POST", "/sessions/refresh", headers={"Cookie": f"dynabench_refresh={token}"}
    )
    return answer


def problem(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["type"]


def test_signing_in_gives_an_access_token_and_a_cookie_out_of_scripts_reach(api: Api) -> None:
    api.new_person("ada")
    answer = sign_in(api, " ADA ")
    body = answer.get_json()
    assert answer.status_code == 200
    assert (body["expires_in"], body["person"]["user_name"]) == (900, "ada")
    cookie = answer.headers["Set-Cookie"]
    for part in ("dynabench_refresh=", "HttpOnly", "SameSite=Lax", "Path=/", "Expires="):
        assert part in cookie
    assert "Secure" not in cookie
    me = api.call("GET", "/me", headers={"Authorization": f"Bearer {body['access_token']}"})
    assert me.get_json() == body["person"]


@pytest.mark.parametrize(
    ("user_name", "password"), [("ada", "wrong password"), ("nobody", PASSWORD), ("!", "x")]
)
def test_a_wrong_password_and_an_unknown_name_read_the_same(api: Api, user_name: str, password: str) -> None:
    api.new_person("ada")
    answer = sign_in(api, user_name, password)
    assert problem(answer) == (401, "/problems/credentials-wrong")
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("user_name", ["ada", "nobody"])
def test_ten_failures_close_sign_in_for_a_quarter_of_an_hour(
    api: Api, clock: FixedClock, user_name: str
) -> None:
    api.new_person("ada")
    for _ in range(MOST_FAILURES):
        assert sign_in(api, user_name, "wrong password").status_code == 401
    closed = sign_in(api, user_name)
    assert problem(closed) == (429, "/problems/sign-in-closed")
    assert closed.headers["Retry-After"] == str(int(WINDOW.total_seconds()))
    clock.move(WINDOW.total_seconds())
    assert sign_in(api, user_name).status_code == (200 if user_name == "ada" else 401)


def test_a_success_forgets_the_failures(api: Api, engine: Engine) -> None:
    api.new_person("ada")
    for _ in range(MOST_FAILURES - 1):
        sign_in(api, "ada", "wrong password")
    assert sign_in(api).status_code == 200
    with engine.connect() as connection:
        stored = select(sign_in_failure.c.user_name, sign_in_failure.c.count)
        counted = dict(connection.execute(stored).tuples().all())
    assert counted == {KNOWN: 1, SIGN_UPS: 1}


def test_a_stranger_elsewhere_closes_nobodys_sign_in(api: Any) -> None:
    api.new_person("ada")
    for _ in range(MOST_FAILURES + 1):
        stranger = sign_in(api, "ada", "wrong password", address="192.0.2.7")
    assert problem(stranger) == (429, "/problems/sign-in-closed")
    assert sign_in(api, address="192.0.2.7").status_code == 429
    assert sign_in(api, address="192.0.2.8").status_code == 200


@pytest.mark.long
def test_who_tries_many_names_is_stopped_by_address(api: Any) -> None:
    for number in range(MOST_FAILURES_OF_ADDRESS):
        assert sign_in(api, f"name{number}", "wrong password", address="2001:db8::1").status_code == 401
    assert sign_in(api, "another", "wrong password", address="2001:db8::2").status_code == 429
    assert sign_in(api, "another", "wrong password", address="2001:db8:1::1").status_code == 401


@pytest.mark.long
def test_people_behind_one_address_go_on_when_one_of_them_closes_it(
    api: Any, dependencies: HttpDependencies
) -> None:
    """A class: who signed in from there before is not kept out, and the others read whom to ask."""
    shared = "198.51.100.7"
    api.new_person("ada")
    api.new_person("bob")
    assert sign_in(api, "bob", address=shared).status_code == 200
    for number in range(MOST_FAILURES_OF_ADDRESS):
        sign_in(api, f"name{number // 5}", "wrong password", address=shared)
    assert sign_in(api, "bob", "wrong password", address=shared).status_code == 401
    assert sign_in(api, "bob", address=shared).status_code == 200
    newcomer = sign_in(api, "ada", address=shared)
    assert problem(newcomer) == (429, "/problems/sign-in-closed")
    said = newcomer.get_json()
    assert shared in said["detail"]
    assert "share" in said["detail"]
    assert "administrator" in said["remedy"]
    raise_limits(shared, 2, dependencies)
    assert sign_in(api, "ada", address=shared).status_code == 200


@pytest.mark.parametrize(("address", "times"), [("nowhere", 2), ("", 2), (ADDRESS, 0), (ADDRESS, 1_001)])
def test_limits_that_cannot_be_raised_say_why(
    dependencies: HttpDependencies, address: str, times: int
) -> None:
    with pytest.raises(FieldRefused):
        raise_limits(address, times, dependencies)


@pytest.mark.long
def test_raised_limits_hold_for_a_day(api: Any, dependencies: HttpDependencies, clock: FixedClock) -> None:
    raise_limits(ADDRESS, 2, dependencies)
    clock.move(RAISED_FOR.total_seconds())
    clean(dependencies.engine, clock.now())
    for number in range(MOST_FAILURES_OF_ADDRESS):
        sign_in(api, f"name{number}", "wrong password")
    assert sign_in(api, "another", "wrong password").status_code == 429


def test_tries_at_once_are_no_way_around_the_limit(
    dependencies: HttpDependencies, monkeypatch: pytest.MonkeyPatch
) -> None:
    verified = []

    def verify(_self: object, _stored: str | None, password: str) -> bool:
        verified.append(password)
        return False

    monkeypatch.setattr(type(dependencies.passwords), "verify", verify)

    def attempt(number: int) -> None:
        with pytest.raises(AccountsError):
            sessions.sign_in(sessions.SignIn("ada", f"guess {number}"), dependencies)

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(attempt, range(4 * MOST_FAILURES)))
    assert len(verified) == MOST_FAILURES


def test_signing_out_ends_the_access_token_and_what_it_could_make(api: Any) -> None:
    ada = api.new_person("ada")
    answer = sign_in(api)
    other = Session(ada.client, answer.get_json()["access_token"])
    assert other.call("GET", "/me").status_code == 200
    api.call("DELETE", "/sessions", headers={"Cookie": f"dynabench_refresh={cookie_of(answer)}"})
    assert problem(other.call("GET", "/me")) == (401, "/problems/token-expired")
    assert problem(other.call("POST", "/tokens", {"name": "later"})) == (401, "/problems/token-expired")
    assert ada.call("GET", "/me").status_code == 200


def test_revoking_an_api_token_ends_what_came_of_it(api: Any) -> None:
    ada = api.new_person("ada")
    made = ada.call("POST", "/tokens", {"name": "script"}).get_json()
    exchanged = api.call("POST", "/tokens/exchange", {"api_token": made["token"]}).get_json()
    script = Session(ada.client, exchanged["access_token"])
    assert script.call("GET", "/me").status_code == 200
    ada.call("DELETE", f"/tokens/{made['token_id']}")
    assert script.call("GET", "/me").status_code == 401


def test_services_are_told_what_ended_lately(api: Any, clock: FixedClock) -> None:
    def ended(token: str) -> TestResponse:
        answer: TestResponse = api.call(
            "GET", "/ended-sessions", headers={"Authorization": f"Bearer {token}"}
        )
        return answer

    ada = api.new_person("ada")
    token = cookie_of(sign_in(api))
    api.call("DELETE", "/sessions", headers={"Cookie": f"dynabench_refresh={token}"})
    assert len(ended(service_token("web")).get_json()["session_ids"]) == 1
    assert ended(ada.token).status_code == 403
    clock.move(900)
    assert ended(service_token("web")).get_json() == {"session_ids": [], "roles_versions": {}}


def test_failures_at_once_are_all_counted(dependencies: HttpDependencies, engine: Engine) -> None:
    def attempt(_: int) -> None:
        with pytest.raises(AccountsError):
            sessions.sign_in(sessions.SignIn("ada", "wrong password"), dependencies)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(attempt, range(6)))
    with engine.connect() as connection:
        assert set(connection.scalars(select(sign_in_failure.c.count))) == {6}


def test_refreshing_replaces_the_cookie_and_reads_the_roles_anew(api: Api, administrator: Api) -> None:
    ada = api.new_person("ada")
    token = cookie_of(sign_in(api))
    administrator.call("PUT", f"/people/{ada.person_id}/roles", {"roles": ["owner:sentiment"]})
    answer = refresh(api, token)
    assert answer.status_code == 200
    assert answer.get_json()["person"]["roles"] == ["annotator", "owner:sentiment"]
    assert cookie_of(answer) != token
    assert refresh(api, cookie_of(answer)).status_code == 200


def test_parallel_requests_within_the_grace_get_the_same_successor(api: Api, clock: FixedClock) -> None:
    api.new_person("ada")
    token = cookie_of(sign_in(api))
    first = cookie_of(refresh(api, token))
    clock.move(30)
    assert cookie_of(refresh(api, token)) == first
    assert refresh(api, first).status_code == 200
    assert cookie_of(refresh(api, token)) == first


def test_truly_parallel_requests_get_one_successor(
    api: Api, dependencies: HttpDependencies, engine: Engine
) -> None:
    api.new_person("ada")
    token = cookie_of(sign_in(api))
    barrier = threading.Barrier(8)

    def attempt(_: int) -> str:
        barrier.wait()
        return sessions.refresh(token, dependencies).refresh_token

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(attempt, range(8)))) == 1
    with engine.connect() as connection:
        assert len(connection.execute(select(refresh_token)).all()) == 3


def test_a_replaced_token_that_comes_back_late_ends_the_session_for_both(api: Api, clock: FixedClock) -> None:
    api.new_person("ada")
    stolen = cookie_of(sign_in(api))
    current = cookie_of(refresh(api, stolen))
    clock.move(31)
    assert problem(refresh(api, stolen)) == (401, "/problems/session-revoked")
    assert problem(refresh(api, current)) == (401, "/problems/session-ended")
    assert sign_in(api).status_code == 200


@pytest.mark.parametrize("token", ["", "made-up", "x" * 5_000, "ü"])
def test_a_made_up_refresh_token_opens_nothing(api: Api, token: str) -> None:
    assert problem(refresh(api, token)) == (401, "/problems/session-ended")


def test_no_cookie_means_no_session(api: Api) -> None:
    assert problem(api.call("POST", "/sessions/refresh")) == (401, "/problems/session-ended")


def test_signing_out_ends_the_session_and_clears_the_cookie(api: Api) -> None:
    api.new_person("ada")
    token = cookie_of(sign_in(api))
    for _ in range(2):
        answer = api.call("DELETE", "/sessions", headers={"Cookie": f"dynabench_refresh={token}"})
        assert answer.status_code == 204
        assert "Max-Age=0" in answer.headers["Set-Cookie"]
    assert problem(refresh(api, token)) == (401, "/problems/session-ended")
    assert api.call("DELETE", "/sessions").status_code == 204


def test_a_session_lasts_thirty_days(api: Api, clock: FixedClock, engine: Engine) -> None:
    api.new_person("ada")
    token = cookie_of(sign_in(api))
    clock.move(LIFETIME.total_seconds())
    assert problem(refresh(api, token)) == (401, "/problems/session-ended")
    clock.move(2 * 86_400)
    sign_in(api, "ada", "wrong password")
    clock.move(CLEAN_SECONDS)
    clean(engine, clock.now())
    with engine.connect() as connection:
        for table in (session, refresh_token, sign_in_failure):
            assert connection.execute(select(table)).all() == []
