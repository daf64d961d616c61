"""Signing in, renewing and signing out, over HTTP on a real database."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from accounts.adapters.housekeeping import INTERVAL_SECONDS, Housekeeping
from accounts.adapters.tables import refresh_token, session, sign_in_failure
from accounts.bootstrap import Dependencies
from accounts.domain.errors import AccountsError
from accounts.domain.session import LIFETIME
from accounts.domain.throttle import MOST_FAILURES, WINDOW
from dynabench_common.testing import FixedClock
from sqlalchemy import Engine, select
from werkzeug.test import TestResponse

PASSWORD = "violet otter canoe"


def cookie_of(answer: TestResponse) -> str:
    return answer.headers["Set-Cookie"].split(";")[0].partition("=")[2]


def sign_in(api: Any, user_name: str = "ada", password: str = PASSWORD) -> TestResponse:
    answer: TestResponse = api.call("POST", "/sessions", {"user_name": user_name, "password": password})
    return answer


def refresh(api: Any, token: str) -> TestResponse:
    answer: TestResponse = api.call(
        "POST", "/sessions/refresh", headers={"Cookie": f"dynabench_refresh={token}"}
    )
    return answer


def problem(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["type"]


def test_signing_in_gives_an_access_token_and_a_cookie_out_of_scripts_reach(api: Any) -> None:
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
def test_a_wrong_password_and_an_unknown_name_read_the_same(api: Any, user_name: str, password: str) -> None:
    api.new_person("ada")
    answer = sign_in(api, user_name, password)
    assert problem(answer) == (401, "/problems/credentials-wrong")
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("user_name", ["ada", "nobody"])
def test_ten_failures_close_sign_in_for_a_quarter_of_an_hour(
    api: Any, clock: FixedClock, user_name: str
) -> None:
    api.new_person("ada")
    for _ in range(MOST_FAILURES):
        assert sign_in(api, user_name, "wrong password").status_code == 401
    closed = sign_in(api, user_name)
    assert problem(closed) == (429, "/problems/sign-in-closed")
    assert closed.headers["Retry-After"] == str(int(WINDOW.total_seconds()))
    clock.move(WINDOW.total_seconds())
    assert sign_in(api, user_name).status_code == (200 if user_name == "ada" else 401)


def test_a_success_forgets_the_failures(api: Any, engine: Engine) -> None:
    api.new_person("ada")
    for _ in range(MOST_FAILURES - 1):
        sign_in(api, "ada", "wrong password")
    assert sign_in(api).status_code == 200
    with engine.connect() as connection:
        assert connection.execute(select(sign_in_failure)).all() == []


def test_failures_at_once_are_all_counted(dependencies: Dependencies, engine: Engine) -> None:
    from accounts.service_layer.commands import SignIn

    def attempt(_: int) -> None:
        with pytest.raises(AccountsError):
            dependencies.sessions.sign_in(SignIn("ada", "wrong password"))

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(attempt, range(6)))
    with engine.connect() as connection:
        assert connection.scalar(select(sign_in_failure.c.count)) == 6


def test_refreshing_replaces_the_cookie_and_reads_the_roles_anew(api: Any, administrator: Any) -> None:
    ada = api.new_person("ada")
    token = cookie_of(sign_in(api))
    administrator.call("PUT", f"/people/{ada.person_id}/roles", {"roles": ["owner:sentiment"]})
    answer = refresh(api, token)
    assert answer.status_code == 200
    assert answer.get_json()["person"]["roles"] == ["annotator", "owner:sentiment"]
    assert cookie_of(answer) != token
    assert refresh(api, cookie_of(answer)).status_code == 200


def test_parallel_requests_within_the_grace_get_the_same_successor(api: Any, clock: FixedClock) -> None:
    api.new_person("ada")
    token = cookie_of(sign_in(api))
    first = cookie_of(refresh(api, token))
    clock.move(30)
    assert cookie_of(refresh(api, token)) == first
    assert refresh(api, first).status_code == 200
    assert cookie_of(refresh(api, token)) == first


def test_truly_parallel_requests_get_one_successor(
    api: Any, dependencies: Dependencies, engine: Engine
) -> None:
    api.new_person("ada")
    token = cookie_of(sign_in(api))
    barrier = threading.Barrier(8)

    def attempt(_: int) -> str:
        barrier.wait()
        return dependencies.sessions.refresh(token).refresh_token

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(attempt, range(8)))) == 1
    with engine.connect() as connection:
        assert len(connection.execute(select(refresh_token)).all()) == 3


def test_a_replaced_token_that_comes_back_late_ends_the_session_for_both(api: Any, clock: FixedClock) -> None:
    api.new_person("ada")
    stolen = cookie_of(sign_in(api))
    current = cookie_of(refresh(api, stolen))
    clock.move(31)
    assert problem(refresh(api, stolen)) == (401, "/problems/session-revoked")
    assert problem(refresh(api, current)) == (401, "/problems/session-ended")
    assert sign_in(api).status_code == 200


@pytest.mark.parametrize("token", ["", "made-up", "x" * 5_000, "ü"])
def test_a_made_up_refresh_token_opens_nothing(api: Any, token: str) -> None:
    assert problem(refresh(api, token)) == (401, "/problems/session-ended")


def test_no_cookie_means_no_session(api: Any) -> None:
    assert problem(api.call("POST", "/sessions/refresh")) == (401, "/problems/session-ended")


def test_signing_out_ends_the_session_and_clears_the_cookie(api: Any) -> None:
    api.new_person("ada")
    token = cookie_of(sign_in(api))
    for _ in range(2):
        answer = api.call("DELETE", "/sessions", headers={"Cookie": f"dynabench_refresh={token}"})
        assert answer.status_code == 204
        assert "Max-Age=0" in answer.headers["Set-Cookie"]
    assert problem(refresh(api, token)) == (401, "/problems/session-ended")
    assert api.call("DELETE", "/sessions").status_code == 204


def test_a_session_lasts_thirty_days(api: Any, clock: FixedClock, engine: Engine) -> None:
    api.new_person("ada")
    token = cookie_of(sign_in(api))
    clock.move(LIFETIME.total_seconds())
    assert problem(refresh(api, token)) == (401, "/problems/session-ended")
    clock.move(2 * 86_400)
    sign_in(api, "ada", "wrong password")
    clock.move(INTERVAL_SECONDS)
    Housekeeping(engine, clock).clean()
    with engine.connect() as connection:
        for table in (session, refresh_token, sign_in_failure):
            assert connection.execute(select(table)).all() == []
