"""Changing and resetting one's password, and changing one's mail address: over HTTP, by mails that really leave."""

import re
from typing import Any

import pytest
from accounts.adapters import tables
from accounts.domain.link import LIFETIME, MOST_WITHIN_LIFE
from accounts.domain.throttle import MOST_FAILURES
from accounts.mail import queue
from dynabench_common.testing import FixedClock
from sqlalchemy import Engine, select

from .conftest import PASSWORD, Api, token_in, token_in_text

NEW = "seven purple kites"


def sign_in(api: Api, password: str, user_name: str = "ada") -> int:
    return api.call("POST", "/sessions", {"user_name": user_name, "password": password}).status_code


def ask(api: Api, email: str = "ada@example.org") -> Any:
    return api.call("POST", "/password-resets", {"email": email})


def choose(api: Api, token: str, password: str = NEW) -> Any:
    return api.call("POST", "/new-passwords", {"token": token, "password": password})


def test_a_changed_password_ends_other_sessions_and_leaves_the_present_one(api: Api, mails: Any) -> None:
    ada = api.new_person("ada")
    elsewhere = api.signed_in("ada")
    body = {"current_password": PASSWORD, "new_password": NEW}
    assert ada.call("PUT", "/me/password", body).status_code == 204
    assert elsewhere.call("GET", "/me").status_code == 401
    assert ada.call("GET", "/me").status_code == 200
    assert (sign_in(api, PASSWORD), sign_in(api, NEW)) == (401, 200)
    (notice,) = mails()
    assert (notice["To"], notice["Subject"]) == ("ada@example.org", "Your password for Dynabench was changed")
    assert "token=" not in notice.get_content()


@pytest.mark.parametrize(
    ("change", "problem", "field"),
    [
        ({"current_password": "wrong otter canoe"}, "current-password-wrong", "current_password"),
        ({"new_password": "short"}, "new-password-unusable", "new_password"),
        ({"new_password": "ada123456789"}, "new-password-unusable", "new_password"),
    ],
)
def test_a_password_that_is_not_changed_says_why(
    api: Api, mails: Any, change: dict[str, str], problem: str, field: str
) -> None:
    ada = api.new_person("ada")
    body = {"current_password": PASSWORD, "new_password": NEW} | change
    answer = ada.call("PUT", "/me/password", body)
    assert (answer.status_code, answer.get_json()["type"]) == (422, f"/problems/{problem}")
    assert (answer.get_json()["field"], mails()) == (field, [])
    assert sign_in(api, PASSWORD) == 200


def test_guesses_at_the_present_password_are_limited(api: Api, clock: FixedClock) -> None:
    ada = api.new_person("ada")
    body = {"current_password": "wrong otter canoe", "new_password": NEW}
    statuses = [ada.call("PUT", "/me/password", body).status_code for _ in range(MOST_FAILURES + 1)]
    assert statuses == [422] * MOST_FAILURES + [429]
    right = {"current_password": PASSWORD, "new_password": NEW}
    assert ada.call("PUT", "/me/password", right).status_code == 429


def test_a_forgotten_password_is_chosen_anew_by_a_link_that_works_once(api: Api, mails: Any) -> None:
    ada = api.new_person("ada")
    ada.call("POST", "/tokens", {"name": "laptop"})
    asked = ask(api, "ADA@example.org")
    assert (asked.status_code, asked.get_data()) == (202, b"")
    (mail,) = mails()
    assert (mail["To"], mail["From"]) == ("ada@example.org", "Dynabench <no-reply@example.org>")
    assert "Hello ada," in mail.get_content()
    assert "http://127.0.0.1:8080/new-password?token=" in mail.get_content()
    too_easy = choose(api, token_in(mail), "short")
    assert (too_easy.status_code, too_easy.get_json()["field"]) == (422, "password")
    chosen = choose(api, token_in(mail)).get_json()
    assert chosen["person"]["user_name"] == "ada"
    assert [token["name"] for token in chosen["api_tokens"]] == ["laptop"]
    assert ada.call("GET", "/me").status_code == 401
    assert (sign_in(api, PASSWORD), sign_in(api, NEW)) == (401, 200)
    again = choose(api, token_in(mail), "eleven green boats")
    assert (again.status_code, again.get_json()["type"]) == (410, "/problems/link-ended")


def test_what_is_asked_tells_nothing_of_who_is_here(api: Api, mails: Any) -> None:
    api.new_person("ada")
    known, unknown = ask(api), ask(api, "nobody@example.org")
    assert (known.status_code, known.get_data()) == (unknown.status_code, unknown.get_data()) == (202, b"")
    assert {name for name, _ in known.headers} == {name for name, _ in unknown.headers}
    assert len(mails()) == 1
    for email in ("ada@example.org", "nobody@example.org"):
        statuses = [ask(api, email).status_code for _ in range(MOST_FAILURES)]
        assert statuses == [202] * (MOST_FAILURES - 1) + [429]
    assert len(mails()) == MOST_WITHIN_LIFE - 1


def test_all_who_share_an_address_get_a_link_of_their_own(api: Api, mails: Any) -> None:
    for name in ("ada", "bob"):
        body = {"user_name": name, "email": "both@example.org", "password": PASSWORD}
        api.call("POST", "/people", body)
    ask(api, "both@example.org")
    (mail,) = mails()
    found = re.findall(r"^(\w+):\n\S+[?&]token=([\w-]+)$", mail.get_content(), re.MULTILINE)
    assert [name for name, _ in found] == ["ada", "bob"]
    for name, token in reversed(found):
        assert choose(api, token).get_json()["person"]["user_name"] == name


@pytest.mark.long
def test_a_mail_address_gets_few_mails_however_many_accounts_name_it_and_wherever_they_are_asked_from(
    api: Any, mails: Any
) -> None:
    victim = "victim@example.org"
    names = [f"person{number}" for number in range(MOST_WITHIN_LIFE + 3)]
    for number, name in enumerate(names):
        api.call("POST", "/people", {"user_name": name, "email": victim, "password": PASSWORD})
        elsewhere = {"X-Forwarded-For": f"192.0.2.{number}"}
        asked = api.call("POST", "/password-resets", {"email": victim}, headers=elsewhere)
        assert asked.status_code == 202
    assert len(mails()) == MOST_WITHIN_LIFE
    people = [api.signed_in(name) for name in names]
    statuses = [person.call("POST", "/me/email-confirmation", {}).status_code for person in people]
    assert statuses == [202] * MOST_WITHIN_LIFE + [429] * 3
    assert len(mails()) == MOST_WITHIN_LIFE


@pytest.mark.parametrize("token", ["", "x", "\x00", "a" * 43])
def test_a_made_up_link_opens_nothing(api: Api, token: str) -> None:
    assert choose(api, token).status_code in {410, 422}
    assert api.call("POST", "/email-confirmations", {"token": token}).status_code in {410, 422}


def test_a_link_expires_after_an_hour_and_with_any_other_change(
    api: Api, mails: Any, clock: FixedClock
) -> None:
    ada = api.new_person("ada")
    ask(api)
    (late,) = mails()
    clock.move(LIFETIME.total_seconds())
    assert choose(api, token_in(late)).status_code == 410
    ada = api.signed_in("ada")
    ask(api)
    (first,) = mails()
    ada.call("PUT", "/me/password", {"current_password": PASSWORD, "new_password": NEW})
    assert choose(api, token_in(first)).status_code == 410


def test_links_are_stored_hashed_and_sent_mails_without_them(api: Api, mails: Any, engine: Engine) -> None:
    api.new_person("ada")
    ask(api)
    with engine.connect() as connection:
        (waiting,) = connection.execute(select(queue.mail)).all()
        (link,) = connection.execute(select(tables.link)).all()
    assert waiting.body and token_in_text(waiting.body).encode() not in link.digest
    (mail,) = mails()
    with engine.connect() as connection:
        (sent,) = connection.execute(select(queue.mail)).all()
    assert (sent.body, sent.sent_at is not None, sent.attempts) == (None, True, 1)
    assert token_in(mail) not in str(sent)


def test_another_mail_address_counts_once_it_is_confirmed_and_the_old_one_is_told(
    api: Api, mails: Any
) -> None:
    ada = api.new_person("ada")
    ask(api)
    (reset,) = mails()
    body = {"email": "ada@new.example", "current_password": PASSWORD}
    wrong = ada.call("POST", "/me/email-changes", body | {"current_password": "wrong otter canoe"})
    assert (wrong.status_code, wrong.get_json()["field"]) == (422, "current_password")
    unusable = ada.call("POST", "/me/email-changes", body | {"email": "nowhere"})
    assert (unusable.status_code, unusable.get_json()["field"]) == (422, "email")
    assert ada.call("POST", "/me/email-changes", body).status_code == 202
    (link,) = mails()
    assert link["To"] == "ada@new.example"
    assert ada.call("GET", "/me/email").get_json() == {"email": "ada@example.org"}
    assert choose(api, token_in(link)).status_code == 410
    confirmed = api.call("POST", "/email-confirmations", {"token": token_in(link)})
    assert confirmed.get_json()["user_name"] == "ada"
    assert ada.call("GET", "/me/email").get_json() == {"email": "ada@new.example"}
    (notice,) = mails()
    assert (notice["To"], "token=" in notice.get_content()) == ("ada@example.org", False)
    assert choose(api, token_in(reset)).status_code == 410
    assert api.call("POST", "/email-confirmations", {"token": token_in(link)}).status_code == 410
    ask(api)
    assert mails() == []
