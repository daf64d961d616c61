"""Second factors over HTTP: setting up, signing in, recovery, limits, the requirement, and a lost factor."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pyotp
import pytest
from accounts.adapters import tables
from accounts.adapters.access_tokens import JwtAccessTokens
from accounts.adapters.signing_keys import load_or_create
from accounts.bootstrap import AppDependencies
from accounts.domain.throttle import MOST_FAILURES
from accounts.entrypoints.http.app import create_app
from accounts.settings import AccountsSettings
from dynabench_common.http.contracts import checked_against_contract
from dynabench_common.testing import FixedClock
from sqlalchemy import Engine, select

from .conftest import PASSWORD, Api

STEP = timedelta(seconds=30)


class Phone:
    """An authenticator app on a phone with the right time."""

    def __init__(self, clock: FixedClock, secret: str) -> None:
        self._clock = clock
        self._totp = pyotp.TOTP(secret)

    def code(self) -> str:
        """Return the next code, which nobody has used."""
        self._clock.move(STEP.total_seconds())
        return self.same_code()

    def same_code(self) -> str:
        return self._totp.at(self._clock.now())


def turn_on(person: Api, clock: FixedClock) -> tuple[Phone, list[str]]:
    setup = person.call("POST", "/me/second-factor", {"current_password": PASSWORD}).get_json()
    assert setup["uri"].startswith("otpauth://totp/Dynabench:")
    phone = Phone(clock, setup["secret"])
    answer = person.call("PUT", "/me/second-factor", {"code": phone.code()})
    assert answer.status_code == 200, answer.get_json()
    return phone, answer.get_json()["codes"]


def first_step(api: Api, user_name: str = "ada") -> Any:
    return api.call("POST", "/sessions", {"user_name": user_name, "password": PASSWORD})


def second_step(api: Api, challenge: str, code: str) -> Any:
    body = {"challenge": challenge, "code": code, "device": "Firefox, Linux"}
    return api.call("POST", "/sessions/second-step", body)


def problem(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["type"].removeprefix("/problems/")


def test_signing_in_needs_a_code_once_the_app_is_confirmed(api: Api, clock: FixedClock, mails: Any) -> None:
    ada, elsewhere = api.new_person("ada"), api.signed_in("ada")
    ada.call("POST", "/me/second-factor", {"current_password": PASSWORD})
    assert first_step(api).status_code == 200, "an app that nobody confirmed counts for nothing"
    phone, codes = turn_on(ada, clock)
    assert (len(set(codes)), elsewhere.call("GET", "/me").status_code) == (10, 401)
    shown = {"is_on": True, "is_missing": False, "recovery_codes": 10}
    assert ada.call("GET", "/me/second-factor").get_json() == shown
    assert [mail["Subject"] for mail in mails()] == ["Your account for Dynabench has a second factor"]
    first = first_step(api)
    assert problem(first) == (401, "second-factor-needed")
    assert "dynabench_refresh" not in first.headers.get("Set-Cookie", "")
    answer = second_step(api, first.get_json()["challenge"], phone.code())
    assert answer.status_code == 200
    assert answer.get_json()["person"]["user_name"] == "ada"


def test_a_code_counts_once_and_a_recovery_code_too(api: Api, clock: FixedClock) -> None:
    ada = api.new_person("ada")
    phone, codes = turn_on(ada, clock)
    challenge = first_step(api).get_json()["challenge"]
    assert problem(second_step(api, challenge, phone.same_code())) == (422, "code-wrong")
    code = phone.code()
    assert second_step(api, challenge, code).status_code == 200
    assert problem(second_step(api, challenge, code)) == (422, "code-wrong")
    assert second_step(api, challenge, codes[0].lower().replace("-", " ")).status_code == 200
    assert problem(second_step(api, challenge, codes[0])) == (422, "code-wrong")
    assert ada.call("GET", "/me/second-factor").get_json()["recovery_codes"] == 9
    fresh = ada.call("POST", "/me/recovery-codes", {"code": codes[1]}).get_json()["codes"]
    assert problem(second_step(api, challenge, codes[2])) == (422, "code-wrong")
    assert second_step(api, challenge, fresh[0]).status_code == 200


def test_recovery_codes_are_stored_as_digests(api: Api, clock: FixedClock, engine: Engine) -> None:
    _, codes = turn_on(api.new_person("ada"), clock)
    with engine.connect() as connection:
        row = connection.execute(select(tables.person)).one()
    assert codes[0].replace("-", "") not in str(row)


def test_guesses_are_limited_also_over_several_first_steps(api: Api, clock: FixedClock) -> None:
    phone, codes = turn_on(api.new_person("ada"), clock)
    statuses = [
        second_step(api, first_step(api).get_json()["challenge"], "000000").status_code
        for _ in range(MOST_FAILURES + 1)
    ]
    assert statuses == [422] * MOST_FAILURES + [429]
    challenge = first_step(api).get_json()["challenge"]
    assert problem(second_step(api, challenge, codes[0])) == (429, "codes-closed")
    clock.move(3600)
    assert second_step(api, first_step(api).get_json()["challenge"], phone.code()).status_code == 200


@pytest.mark.parametrize("challenge", ["", "x", "\x00", "a" * 43])
def test_a_made_up_first_step_opens_nothing(api: Api, challenge: str) -> None:
    assert second_step(api, challenge, "000000").status_code in {401, 422}


def test_a_first_step_ends_after_ten_minutes_and_with_a_new_password(api: Api, clock: FixedClock) -> None:
    ada = api.new_person("ada")
    phone, _ = turn_on(ada, clock)
    challenge = first_step(api).get_json()["challenge"]
    clock.move(601)
    assert problem(second_step(api, challenge, phone.code())) == (401, "sign-in-step-ended")
    challenge = first_step(api).get_json()["challenge"]
    body = {"current_password": PASSWORD, "new_password": "seven purple kites"}
    assert ada.call("PUT", "/me/password", body).status_code == 204
    assert problem(second_step(api, challenge, phone.code())) == (401, "sign-in-step-ended")


def test_turning_it_off_needs_password_and_code(
    api: Api, administrator: Api, clock: FixedClock, mails: Any
) -> None:
    ada = api.new_person("ada")
    assert problem(ada.call("POST", "/me/recovery-codes", {"code": "1"})) == (409, "second-factor-off")
    wrong = ada.call("POST", "/me/second-factor", {"current_password": "wrong otter canoe"})
    assert problem(wrong) == (422, "current-password-wrong")
    phone, _ = turn_on(ada, clock)
    again = ada.call("POST", "/me/second-factor", {"current_password": PASSWORD})
    assert problem(again) == (409, "second-factor-on")
    path = "/me/second-factor/removal"
    body = {"current_password": PASSWORD, "code": "000000"}
    assert problem(ada.call("POST", path, body)) == (422, "code-wrong")
    body = {"current_password": "wrong otter canoe", "code": phone.code()}
    assert problem(ada.call("POST", path, body)) == (422, "current-password-wrong")
    assert ada.call("POST", path, {"current_password": PASSWORD, "code": phone.code()}).status_code == 204
    assert first_step(api).status_code == 200
    assert len(mails()) == 2


def test_an_administrator_resets_a_lost_factor_with_a_reason(
    api: Api, administrator: Api, clock: FixedClock, outbox_rows: Any, mails: Any
) -> None:
    ada = api.new_person("ada")
    path = f"/people/{ada.person_id}/second-factor-reset"
    assert problem(administrator.call("POST", path, {"reason": "lost"})) == (409, "second-factor-off")
    turn_on(ada, clock)
    assert ada.call("POST", path, {"reason": "mine"}).status_code == 403
    assert administrator.call("POST", path, {"reason": " "}).status_code == 422
    assert administrator.call("GET", f"/people/{ada.person_id}").get_json()["has_second_factor"]
    assert administrator.call("POST", path, {"reason": "Phone in the lake"}).status_code == 204
    assert not administrator.call("GET", f"/people/{ada.person_id}").get_json()["has_second_factor"]
    assert ada.call("GET", "/me").status_code == 401
    assert first_step(api).status_code == 200
    entry = outbox_rows()[-1]
    assert b"Phone in the lake" in entry.payload
    assert b"person.second_factor_reset" in entry.payload
    assert len(mails()) == 2


@pytest.fixture
def strict(dependencies: AppDependencies, accounts_settings: AccountsSettings) -> Api:
    """The service that requires a second factor of administrators and owners."""
    key = load_or_create(accounts_settings.signing_key_file)[0]
    tokens = JwtAccessTokens(key, requires_second_factor=True)
    app = create_app(replace(dependencies, access_tokens=tokens))
    return Api(checked_against_contract(app).test_client(use_cookies=False))


def test_where_it_is_required_roles_count_only_with_it(
    strict: Api, administrator: Api, clock: FixedClock
) -> None:
    grace = strict.signed_in("grace")
    secret = grace.call("POST", "/tokens", {"name": "script"}).get_json()["token"]
    exchanged = strict.call("POST", "/tokens/exchange", {"api_token": secret}).get_json()["access_token"]
    for token in (grace.token, exchanged):
        refused = Api(strict.client, token).call("GET", "/people")
        assert problem(refused) == (403, "second-factor-missing")
    assert grace.call("GET", "/me").status_code == 200
    assert grace.call("GET", "/me/second-factor").get_json()["is_missing"]
    phone, _ = turn_on(grace, clock)
    challenge = first_step(strict, "grace").get_json()["challenge"]
    token = second_step(strict, challenge, phone.code()).get_json()["access_token"]
    assert Api(strict.client, token).call("GET", "/people").status_code == 200


def test_where_it_is_required_annotators_need_none(strict: Api) -> None:
    ada = strict.new_person("ada")
    assert not ada.call("GET", "/me/second-factor").get_json()["is_missing"]
    assert problem(ada.call("GET", "/people")) == (403, "not-allowed")


def test_a_person_sees_and_ends_their_sessions(api: Api, clock: FixedClock) -> None:
    ada = api.new_person("ada")
    body = {"user_name": "ada", "password": PASSWORD, "device": "Firefox, Linux"}
    clock.move(60)
    other = Api(api.client, api.call("POST", "/sessions", body).get_json()["access_token"])
    clock.move(60)
    third = api.signed_in("ada")
    listed = other.call("GET", "/me/sessions").get_json()["items"]
    assert [each["is_current"] for each in listed] == [True, False, False]
    assert listed[0]["device"] == "Firefox, Linux"
    assert listed[1]["last_used_at"] > listed[2]["last_used_at"]
    oldest = listed[2]["session_id"]
    assert other.call("DELETE", f"/me/sessions/{oldest}").status_code == 204
    assert problem(other.call("DELETE", f"/me/sessions/{oldest}")) == (404, "session-not-found")
    assert ada.call("GET", "/me").status_code == 401
    bob = api.new_person("bob")
    path = f"/me/sessions/{listed[0]['session_id']}"
    assert problem(bob.call("DELETE", path)) == (404, "session-not-found")
    assert other.call("DELETE", "/me/sessions").status_code == 204
    assert (third.call("GET", "/me").status_code, other.call("GET", "/me").status_code) == (401, 200)
    assert len(other.call("GET", "/me/sessions").get_json()["items"]) == 1
