"""People of campaigns: admitted by the crowd service alone, for so many minutes, and without an account."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import pytest
from accounts.adapters import tables
from accounts.entrypoints.http.sessions import COOKIE
from dynabench.person.v1.person_pb2 import PersonRegistered
from dynabench_common.identifiers import new_id
from dynabench_common.testing import FixedClock, service_headers
from sqlalchemy import Engine, select
from werkzeug.test import TestResponse

from .conftest import PASSWORD, Api

CROWD = service_headers("crowd")


def begin(api: Api, person_id: UUID | str, minutes: object = 60) -> TestResponse:
    return api.call("POST", f"/crowd-people/{person_id}/sessions", {"minutes": minutes}, headers=CROWD)


def refresh(api: Api, token: str) -> TestResponse:
    return api.call("POST", "/sessions/refresh", headers={"Cookie": f"{COOKIE}={token}"})


def refusal(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["type"].removeprefix("/problems/")


@pytest.fixture
def worker(api: Api) -> Api:
    """A person of a campaign, with a session."""
    person_id = new_id()
    session = begin(api, person_id).get_json()
    return Api(api.client, session["access_token"], str(person_id))


def test_a_person_of_a_campaign_has_no_name_and_is_announced(worker: Api, outbox_rows: Any) -> None:
    person = worker.call("GET", "/me").get_json()
    assert (person["cohort"], person["roles"]) == ("crowd", ["annotator"])
    assert person["user_name"] == f"crowd-{UUID(worker.person_id).hex}"
    assert worker.call("GET", "/me/email").get_json() == {"email": ""}
    [row] = outbox_rows()
    message = PersonRegistered.FromString(bytes(row.payload))
    assert (message.person_id, message.cohort, list(message.roles)) == (
        worker.person_id,
        "crowd",
        ["annotator"],
    )


def test_admitting_again_changes_nothing(api: Api, engine: Engine, outbox_rows: Any) -> None:
    person_id = new_id()
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: begin(api, person_id).status_code, range(8)))
    assert answers == [200] * 8
    assert len(outbox_rows()) == 1
    with engine.connect() as connection:
        assert connection.scalars(select(tables.person.c.person_id)).all() == [person_id]


def test_a_session_is_renewed_until_its_minutes_are_over(api: Api, clock: FixedClock) -> None:
    person_id = new_id()
    session = begin(api, person_id, minutes=20).get_json()
    assert session["expires_in"] == 15 * 60
    clock.move(14 * 60)
    renewed = refresh(api, session["refresh_token"])
    assert renewed.status_code == 200
    assert renewed.get_json()["expires_in"] == 6 * 60, "an access token does not outlast the session"
    following = renewed.headers["Set-Cookie"].split(";")[0].partition("=")[2]
    clock.move(5 * 60 + 59)
    assert Api(api.client, renewed.get_json()["access_token"]).call("GET", "/me").status_code == 200
    clock.move(1)
    assert Api(api.client, renewed.get_json()["access_token"]).call("GET", "/me").status_code == 401
    assert refusal(refresh(api, following)) == (401, "session-ended")


@pytest.mark.parametrize("minutes", [0, -1, 1441, 1.5, "many", None])
def test_a_session_lasts_a_minute_to_a_day(api: Api, minutes: object) -> None:
    person_id = new_id()
    answer = begin(api, person_id, minutes)
    assert (answer.status_code, answer.get_json()["field"]) == (422, "minutes")


def test_only_people_of_campaigns_are_admitted(api: Api) -> None:
    ada = api.new_person("ada")
    assert refusal(begin(api, ada.person_id)) == (409, "person-not-of-campaign")


def test_a_disabled_person_is_refused(worker: Api, administrator: Api) -> None:
    session = begin(worker, worker.person_id).get_json()
    state = {"state": "disabled", "reason": "A script."}
    assert administrator.call("PUT", f"/people/{worker.person_id}/state", state).status_code == 200
    assert refusal(begin(worker, worker.person_id)) == (403, "account-disabled")
    assert refusal(refresh(Api(worker.client), session["refresh_token"])) == (401, "session-ended")


@pytest.mark.parametrize("headers", [{}, service_headers("web"), service_headers("annotation")])
def test_nobody_else_admits_people(api: Api, headers: Mapping[str, str]) -> None:
    person_id, expected = new_id(), 403 if headers else 401
    session = api.call("POST", f"/crowd-people/{person_id}/sessions", {"minutes": 5}, headers=headers)
    assert session.status_code == expected


def test_an_administrator_does_not_admit_people_either(administrator: Api) -> None:
    answer = administrator.call("POST", f"/crowd-people/{new_id()}/sessions", {"minutes": 5})
    assert answer.status_code == 403


@pytest.mark.parametrize("password", ["", PASSWORD])
def test_a_person_of_a_campaign_cannot_sign_in(worker: Api, password: str) -> None:
    body = {"user_name": f"crowd-{UUID(worker.person_id).hex}", "password": password}
    assert refusal(worker.call("POST", "/sessions", body)) == (401, "credentials-wrong")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PUT", "/me/password", {"current_password": "", "new_password": PASSWORD}),
        ("POST", "/me/email-changes", {"current_password": "", "email": "a@example.org"}),
        ("POST", "/me/email-confirmation", {}),
        ("PUT", "/me/nickname", {"nickname": "Ada"}),
        ("POST", "/tokens", {"name": "a script"}),
        ("PUT", "/me/task-request", {"task_slug": "irony", "reason": "I have texts."}),
    ],
)
def test_what_needs_an_account_is_refused(
    worker: Api, engine: Engine, method: str, path: str, body: Mapping[str, str]
) -> None:
    assert refusal(worker.call(method, path, body)) == (403, "account-needed")
    with engine.connect() as connection:
        for table in (tables.api_token, tables.nickname, tables.task_request, tables.link):
            assert connection.execute(select(table)).all() == []


def test_leaderboards_get_no_name(worker: Api) -> None:
    assert worker.call("GET", f"/nicknames?person_id={worker.person_id}").get_json() == {"items": []}
