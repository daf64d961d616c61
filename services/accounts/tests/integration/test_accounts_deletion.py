"""One's own data, and the deletion of one's account: afterwards no row of the database has a name of the person."""

import json
from typing import Any
from uuid import uuid4

import pyotp
import pytest
from accounts.bootstrap import AppDependencies
from accounts.database import metadata
from accounts.notifications.adapters.projection import NoticeProjection
from accounts.service_layer.people import EnsurePerson, ensure_person
from dynabench.person.v1.person_pb2 import PersonDeleted
from dynabench_common.events.cloud_events import Event
from dynabench_common.testing import FixedClock
from sqlalchemy import Engine, select, text

from .conftest import PASSWORD, Api, Come

NAMES = ("lovelace", "countess")
"""Parts of the person's user name, mail address and nickname."""


@pytest.fixture
def ada(api: Api) -> Api:
    """A person of whom every table of accounts keeps something."""
    ada = api.new_person("lovelace")
    ada.call("PUT", "/me/nickname", {"nickname": "Countess of Ada"})
    ada.call("POST", "/tokens", {"name": "lovelace's notebook"})
    ada.call("PUT", "/me/task-request", {"task_slug": "irony", "reason": "I study irony."})
    new_email = {"email": "countess@example.org", "current_password": PASSWORD}
    ada.call("POST", "/me/email-changes", new_email)
    api.call("POST", "/password-resets", {"email": "lovelace@example.org"})
    wrong = {"user_name": "lovelace", "password": "wrong otter canoe"}
    assert api.call("POST", "/sessions", wrong).status_code == 401
    return ada


def delete(person: Api, password: str = PASSWORD, **more: Any) -> Any:
    body = {"current_password": password, "withdraws_texts": False, **more}
    return person.call("POST", "/me/deletion", body)


def problem(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["type"].rpartition("/")[2]


def rows_with(engine: Engine, words: tuple[str, ...]) -> set[str]:
    """Return the tables that have one of the words in any column."""
    found = set()
    with engine.connect() as connection:
        for table in metadata.sorted_tables:
            for row in connection.execute(text(f"SELECT t::text FROM {table.name} t")).scalars():
                plain = bytes.fromhex(row.split("\\x")[1].split('"')[0]) if "\\x" in row else b""
                if any(word in row.lower() or word.encode() in plain.lower() for word in words):
                    found.add(table.name)
    return found


def test_no_row_names_a_person_who_deleted_the_account(ada: Api, engine: Engine, outbox_rows: Any) -> None:
    assert {"person", "nickname", "api_token", "sign_in_failure", "link", "mail"} <= rows_with(engine, NAMES)
    assert delete(ada, withdraws_texts=True).status_code == 204
    assert rows_with(engine, NAMES) == set()
    events = [row for row in outbox_rows() if row.type.endswith("PersonDeleted")]
    sent = PersonDeleted.FromString(bytes(events[0].payload))
    assert (sent.person_id, sent.withdraws_texts) == (ada.person_id, True)
    assert b"person.deleted" in outbox_rows()[-1].payload


def test_who_deleted_the_account_is_out_and_another_person_may_take_the_names(api: Api, ada: Api) -> None:
    token = ada.call("POST", "/tokens", {"name": "program"}).get_json()["token"]
    assert delete(ada).status_code == 204
    assert ada.call("GET", "/me").status_code == 401
    assert api.call("POST", "/sessions/api-token", {"token": token}).status_code in (401, 404)
    assert api.call("POST", "/sessions", {"user_name": "lovelace", "password": PASSWORD}).status_code == 401
    for password in ("", "!"):
        name = f"deleted-{ada.person_id.replace('-', '')}"
        assert api.call("POST", "/sessions", {"user_name": name, "password": password}).status_code == 401
    other = api.new_person("lovelace")
    assert other.person_id != ada.person_id
    assert other.call("PUT", "/me/nickname", {"nickname": "Countess of Ada"}).status_code in (200, 204)


def test_the_password_and_the_code_of_a_second_factor_are_needed(ada: Api, clock: FixedClock) -> None:
    assert problem(delete(ada, "wrong otter canoe")) == (422, "current-password-wrong")
    secret = ada.call("POST", "/me/second-factor", {"current_password": PASSWORD}).get_json()["secret"]
    ada.call("PUT", "/me/second-factor", {"code": pyotp.TOTP(secret).at(clock.now())})
    clock.move(30)
    assert problem(delete(ada, code="000000")) == (422, "code-wrong")
    assert delete(ada, code=pyotp.TOTP(secret).at(clock.now())).status_code == 204


def test_the_last_administrator_stays(administrator: Api, api: Api, dependencies: AppDependencies) -> None:
    assert problem(delete(administrator)) == (409, "last-administrator")
    ensure_person(EnsurePerson("hopper", "hopper@example.org", PASSWORD, ("admin",), "expert"), dependencies)
    assert delete(administrator).status_code == 204
    listed = api.signed_in("hopper").call("GET", "/people").get_json()["items"]
    assert f"deleted-{administrator.person_id.replace('-', '')}" in [each["user_name"] for each in listed]


def test_mails_to_an_address_that_another_account_has_too_are_kept(api: Api, mails: Come) -> None:
    body = {"user_name": "byron", "email": "shared@example.org", "password": PASSWORD}
    for name in ("byron", "milbanke"):
        assert api.call("POST", "/people", {**body, "user_name": name}).status_code == 201
    api.call("POST", "/password-resets", {"email": "shared@example.org"})
    assert delete(api.signed_in("byron")).status_code == 204
    assert len(mails()) == 1


def test_people_read_their_own_rows_and_no_secret(ada: Api, api: Api, engine: Engine) -> None:
    other = api.new_person("byron")
    other.call("PUT", "/me/nickname", {"nickname": "Lord B"})
    answer = ada.call("GET", "/people/me/data")
    rows = [json.loads(line) for line in answer.text.splitlines()]
    assert {"person", "session", "api_token", "nickname", "task_request", "link"} <= {
        each["table"] for each in rows
    }
    person = next(each for each in rows if each["table"] == "person")
    assert (person["user_name"], person["email"]) == ("lovelace", "lovelace@example.org")
    assert "Lord B" not in answer.text
    assert other.person_id not in answer.text
    with engine.connect() as connection:
        stored = connection.execute(select(metadata.tables["person"].c.password_hash)).scalars().all()
    assert not [each for each in stored if each in answer.text]
    assert Api(api.client).call("GET", "/people/me/data").status_code == 401


def test_notices_and_their_settings_go(ada: Api, engine: Engine, clock: FixedClock, outbox_rows: Any) -> None:
    ada.call(
        "PUT",
        "/me/notice-settings",
        {"mail": "daily", "not_on_page": [], "not_by_mail": [], "language": "de"},
    )
    assert delete(ada).status_code == 204
    deleted = next(row for row in outbox_rows() if row.type.endswith("PersonDeleted"))
    event = Event(
        id=uuid4(),
        type=deleted.type,
        source="/accounts",
        time=clock.now(),
        aggregate_id=deleted.aggregate_id,
        aggregate_version=deleted.aggregate_version,
        message=PersonDeleted.FromString(bytes(deleted.payload)),
        topic=deleted.topic,
    )
    setting = metadata.tables["notice_setting"]
    with engine.begin() as connection:
        assert connection.execute(select(setting)).all()
        NoticeProjection(clock).apply(connection, [event])
        assert not connection.execute(select(setting)).all()
