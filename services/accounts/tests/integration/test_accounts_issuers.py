"""Sign-in by an issuer, over HTTP: who is recognised, which roles count, and every answer that is refused."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pyotp
import pytest
from accounts.adapters.issuers import build_issuers
from accounts.bootstrap import AppDependencies
from accounts.entrypoints.http.app import create_app
from accounts.service_layer.issuers import end_old_roles
from dynabench_common.http.contracts import checked_against_contract
from dynabench_common.settings import SettingsError
from dynabench_common.testing import FixedClock
from joserfc.jwk import ECKey, OctKey

from .conftest import PASSWORD, Api
from .issuer_forger import CLIENT, Forger, running

DAY = 86400
PUBLIC_URL = "http://127.0.0.1:8080"


@pytest.fixture
def forger(clock: FixedClock) -> Iterator[Forger]:
    with running() as started:
        started.now = clock.now()
        yield started


@pytest.fixture
def campus(dependencies: AppDependencies, forger: Forger) -> Api:
    """The service with one issuer."""
    with running() as other:
        pass
    listed = json.dumps(
        [forger.configuration(), {**other.configuration(), "name": "gone", "title": "Gone University"}]
    )
    app = create_app(replace(dependencies, issuers=build_issuers(listed, PUBLIC_URL)))
    return Api(checked_against_contract(app).test_client(use_cookies=False))


def sign_in(api: Api, forger: Forger, **change: str) -> Any:
    start = api.call("POST", "/issuer-sign-ins", {"issuer": "campus"}).get_json()
    body = {"issuer": "campus", "secret": start["secret"], **forger.visit(start["url"]), **change}
    return api.call("POST", "/sessions/issuer", body)


def signed_in(api: Api, forger: Forger) -> Api:
    answer = sign_in(api, forger)
    assert answer.status_code == 200, answer.get_json()
    found = answer.get_json()
    return Api(api.client, found["access_token"], found["person"]["person_id"], found["person"]["user_name"])


def refused(answer: Any) -> tuple[int, str, str]:
    document = answer.get_json()
    return answer.status_code, document["type"].rpartition("/")[2], document["parameters"].get("reason", "")


def test_the_first_sign_in_creates_the_account_and_the_next_one_finds_it(campus: Api, forger: Forger) -> None:
    assert campus.call("GET", "/issuers").get_json()["items"][0] == {
        "name": "campus",
        "title": "Example University",
    }
    ada = signed_in(campus, forger)
    assert ada.user_name == "ada"
    assert ada.call("GET", "/me/email").get_json()["email"] == "ada@campus.example"
    ways = ada.call("GET", "/me/ways-in").get_json()
    assert (ways["has_password"], ways["issuers"][0]["name"]) == (False, "campus")
    assert signed_in(campus, forger).person_id == ada.person_id
    assert (forger.asked["code_challenge_method"], forger.asked["response_type"]) == ("S256", "code")
    assert forger.asked["redirect_uri"] == f"{PUBLIC_URL}/sign-in/with/campus/done"
    assert forger.requests[0]["code_verifier"]


def test_a_renamed_person_keeps_the_account_and_another_subject_gets_none_of_it(
    campus: Api, forger: Forger
) -> None:
    ada = signed_in(campus, forger)
    forger.claims = {"preferred_username": "ada.lovelace", "email": "lovelace@campus.example"}
    renamed = signed_in(campus, forger)
    assert (renamed.person_id, renamed.user_name) == (ada.person_id, "ada")
    assert renamed.call("GET", "/me/email").get_json()["email"] == "lovelace@campus.example"
    forger.claims = {"sub": "subject-2", "email": "lovelace@campus.example"}
    other = signed_in(campus, forger)
    assert other.person_id != ada.person_id
    assert other.user_name.startswith("ada-")


def test_a_mail_address_alone_never_opens_an_account(campus: Api, forger: Forger) -> None:
    ada = campus.new_person("ada")
    forger.claims = {"email": "ada@example.org"}
    assert signed_in(campus, forger).person_id != ada.person_id


@pytest.mark.parametrize(
    ("name", "user_name"),
    [("Ada Lovelace", "person-"), ("", "ada"), ("🙂", "person-"), ("x" * 5000, "person-")],
)
def test_a_name_that_breaks_a_rule_is_replaced(
    name: str, user_name: str, campus: Api, forger: Forger
) -> None:
    forger.claims = {"preferred_username": name}
    assert signed_in(campus, forger).user_name.startswith(user_name)


def test_nobody_signs_in_with_a_password_that_was_never_chosen(
    campus: Api, forger: Forger, mails: Any, clock: FixedClock
) -> None:
    ada = signed_in(campus, forger)
    for password in ("", "!", PASSWORD):
        body = {"user_name": "ada", "password": password}
        assert campus.call("POST", "/sessions", body).status_code == 401
    campus.call("POST", "/password-resets", {"email": "ada@campus.example"})
    assert mails() == []
    body = {"current_password": "", "new_password": PASSWORD}
    clock.move(601)
    assert refused_type(ada.call("PUT", "/me/password", body)) == (403, "sign-in-again")
    forger.now = clock.now()
    fresh = signed_in(campus, forger)
    assert fresh.call("PUT", "/me/password", body).status_code == 204
    assert campus.signed_in("ada").person_id == ada.person_id


def refused_type(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["type"].rpartition("/")[2]


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ({"nonce": "another"}, "it answers another sign-in"),
        ({"nonce": None}, "it answers another sign-in"),
        ({"aud": "another-platform"}, "it was made for another platform"),
        ({"aud": [CLIENT, "another-platform"]}, "it was made for another platform"),
        ({"aud": [CLIENT, "another"], "azp": "another"}, "it was made for another platform"),
        ({"iss": "https://issuer.example"}, "it names another issuer"),
        ({"exp": 1}, "it has expired, or a clock is wrong"),
        ({"exp": None}, "it has expired, or a clock is wrong"),
        ({"iat": 32503680000, "exp": 32503690000}, "it has expired, or a clock is wrong"),
        ({"sub": None}, "it names no person"),
        ({"sub": ""}, "it names no person"),
        ({"sub": "x" * 256}, "it names no person"),
        ({"email": None}, "it names no mail address"),
    ],
)
def test_a_token_with_a_wrong_claim_is_refused_with_the_reason(
    claims: dict[str, Any], reason: str, campus: Api, forger: Forger
) -> None:
    forger.claims = claims
    assert refused(sign_in(campus, forger)) == (401, "issuer-answer-refused", reason)


@pytest.mark.parametrize(
    ("key", "header"),
    [
        (ECKey.generate_key("P-256"), {"alg": "ES256", "kid": "one"}),
        (ECKey.generate_key("P-256"), {"alg": "ES256", "kid": "two"}),
        (OctKey.import_key("secret of the client"), {"alg": "HS256", "kid": "one"}),
    ],
    ids=["wrong key", "unknown key", "signed with the client's secret"],
)
def test_a_token_signed_by_somebody_else_is_refused(
    key: Any, header: dict[str, str], campus: Api, forger: Forger
) -> None:
    forger.signs_with, forger.header = key, header
    reason = "it is not signed with a key of the issuer"
    assert refused(sign_in(campus, forger)) == (401, "issuer-answer-refused", reason)


def test_a_clock_may_be_a_minute_wrong_and_a_changed_key_counts_at_once(
    campus: Api, forger: Forger, clock: FixedClock
) -> None:
    now = int(clock.now().timestamp())
    forger.claims = {"iat": now + 50, "exp": now - 50}
    assert sign_in(campus, forger).status_code == 200
    forger.key = forger.signs_with = ECKey.generate_key("P-256", {"kid": "two"})
    forger.header = {"alg": "ES256", "kid": "two"}
    assert sign_in(campus, forger).status_code == 200


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"state": "forged"}, "this browser did not begin it"),
        ({"secret": "of another browser"}, "this browser did not begin it"),
        ({"iss": "https://issuer.example"}, "it names another issuer"),
        ({"error": "access_denied"}, "you did not agree, or the issuer does not let you sign in here"),
        ({"code": ""}, "you did not agree, or the issuer does not let you sign in here"),
        ({"code": "forged"}, "the issuer does not know its code, or the client"),
    ],
)
def test_an_answer_that_was_changed_on_its_way_is_refused(
    change: dict[str, str], reason: str, campus: Api, forger: Forger
) -> None:
    assert refused(sign_in(campus, forger, **change)) == (401, "issuer-answer-refused", reason)


def test_an_issuer_that_cannot_be_reached_or_names_itself_otherwise_is_refused(
    campus: Api, forger: Forger
) -> None:
    gone = campus.call("POST", "/issuer-sign-ins", {"issuer": "gone"})
    assert refused_type(gone) == (503, "issuer-unreachable")
    assert refused_type(campus.call("POST", "/issuer-sign-ins", {"issuer": "nobody"})) == (
        404,
        "issuer-not-found",
    )
    forger.token_status = 503
    assert refused_type(sign_in(campus, forger)) == (503, "issuer-unreachable")
    forger.metadata = {"issuer": "https://issuer.example"}
    answer = campus.call("POST", "/issuer-sign-ins", {"issuer": "campus"})
    reason = "its metadata are those of another issuer, or incomplete"
    assert refused(answer) == (401, "issuer-answer-refused", reason)


def test_groups_give_roles_and_a_lost_role_counts_in_running_sessions(
    campus: Api, forger: Forger, outbox_rows: Any
) -> None:
    forger.claims = {"groups": ["admins", "irony", "students"]}
    ada = signed_in(campus, forger)
    assert ada.call("GET", "/people").status_code == 200
    assert ada.call("GET", "/me").get_json()["roles"] == ["admin", "annotator", "owner:irony"]
    assert b"person.roles_changed" in outbox_rows()[-1].payload
    forger.claims = {"groups": ["irony"]}
    fewer = signed_in(campus, forger)
    assert ada.call("GET", "/me").status_code == 401, "an access token with the lost role is refused at once"
    assert fewer.call("GET", "/people").status_code == 403
    assert fewer.call("GET", "/me").get_json()["roles"] == ["annotator", "owner:irony"]


def test_roles_of_an_issuer_end_a_week_after_the_last_sign_in_there(
    campus: Api, forger: Forger, dependencies: AppDependencies, clock: FixedClock
) -> None:
    forger.claims = {"groups": ["irony"]}
    signed_in(campus, forger)
    clock.move(6 * DAY)
    end_old_roles(dependencies)
    forger.now = clock.now()
    ada = signed_in(campus, forger)
    clock.move(7 * DAY + 1)
    assert roles_of(ada, dependencies) == {"annotator", "owner:irony"}
    end_old_roles(dependencies)
    assert roles_of(ada, dependencies) == {"annotator"}
    end_old_roles(dependencies)
    forger.now = clock.now()
    signed_in(campus, forger)
    assert roles_of(ada, dependencies) == {"annotator", "owner:irony"}


def roles_of(person: Api, dependencies: AppDependencies) -> frozenset[str]:
    with dependencies.unit_of_work() as uow:
        return uow.people.get(UUID(person.person_id)).roles


def test_a_role_that_another_issuer_gives_too_stays(
    dependencies: AppDependencies, forger: Forger, clock: FixedClock
) -> None:
    with running() as other:
        other.now = clock.now()
        listed = json.dumps([forger.configuration(), other.configuration(name="lab", title="Lab")])
        app = create_app(replace(dependencies, issuers=build_issuers(listed, PUBLIC_URL)))
        both = Api(checked_against_contract(app).test_client(use_cookies=False))
        forger.claims, other.claims = {"groups": ["irony"]}, {"groups": ["irony", "admins"]}
        ada = both.new_person("ada")
        assert link(ada, forger).status_code == 204
        assert link(both.signed_in("ada"), other, issuer="lab").status_code == 204
        assert roles_of(ada, dependencies) == {"admin", "annotator", "owner:irony"}
        ada = both.signed_in("ada")
        linked = ada.call("GET", "/me/ways-in").get_json()["issuers"]
        assert {each["name"] for each in linked} == {"campus", "lab"}
        assert ada.call("DELETE", "/me/issuers/lab").status_code == 204
        assert roles_of(ada, dependencies) == {"annotator", "owner:irony"}


@pytest.mark.parametrize("groups", [None, "admins", {"admins": 1}, ["Admins", 1, None, ["admins"]]])
def test_a_claim_that_is_no_list_of_groups_gives_no_role(groups: Any, campus: Api, forger: Forger) -> None:
    forger.claims = {"groups": groups}
    assert signed_in(campus, forger).call("GET", "/me").get_json()["roles"] == ["annotator"]


def test_roles_that_no_issuer_gave_stay(campus: Api, forger: Forger, administrator: Api) -> None:
    ada = signed_in(campus, forger)
    path = f"/people/{ada.person_id}/role-changes"
    administrator.call("POST", path, {"grant": ["owner:sarcasm"]})
    forger.claims = {"groups": ["irony"]}
    signed_in(campus, forger)
    forger.claims = {}
    assert signed_in(campus, forger).call("GET", "/me").get_json()["roles"] == ["annotator", "owner:sarcasm"]


def test_a_disabled_person_and_one_with_a_second_factor_are_stopped(
    campus: Api, forger: Forger, administrator: Api, clock: FixedClock
) -> None:
    ada = signed_in(campus, forger)
    secret = ada.call("POST", "/me/second-factor", {"current_password": ""}).get_json()["secret"]
    code = pyotp.TOTP(secret).at(clock.now())
    assert ada.call("PUT", "/me/second-factor", {"code": code}).status_code == 200
    needed = sign_in(campus, forger)
    assert refused_type(needed) == (401, "second-factor-needed")
    clock.move(30)
    body = {"challenge": needed.get_json()["challenge"], "code": pyotp.TOTP(secret).at(clock.now())}
    assert campus.call("POST", "/sessions/second-step", body).status_code == 200
    administrator.call("PUT", f"/people/{ada.person_id}/state", {"state": "disabled", "reason": "left"})
    assert refused_type(sign_in(campus, forger)) == (403, "account-disabled")


def link(person: Api, forger: Forger, password: str = PASSWORD, issuer: str = "campus") -> Any:
    body = {"issuer": issuer, "current_password": password}
    start = person.call("POST", "/me/issuer-links", body)
    if start.status_code != 200:
        return start
    answer = forger.visit(start.get_json()["url"])
    return person.call(
        "POST", "/me/issuers", {"issuer": issuer, "secret": start.get_json()["secret"], **answer}
    )


def test_an_account_with_password_and_second_factor_keeps_both_after_a_link(
    campus: Api, forger: Forger, clock: FixedClock
) -> None:
    ada = campus.new_person("ada")
    secret = ada.call("POST", "/me/second-factor", {"current_password": PASSWORD}).get_json()["secret"]
    ada.call("PUT", "/me/second-factor", {"code": pyotp.TOTP(secret).at(clock.now())})
    assert link(ada, forger).status_code == 204
    assert refused_type(sign_in(campus, forger)) == (401, "second-factor-needed")
    body = {"user_name": "ada", "password": PASSWORD}
    assert refused_type(campus.call("POST", "/sessions", body)) == (401, "second-factor-needed")


def test_an_issuer_is_linked_to_an_account_that_exists(campus: Api, forger: Forger, mails: Any) -> None:
    ada, bob = campus.new_person("ada"), campus.new_person("bob")
    assert refused_type(link(ada, forger, "wrong otter canoe")) == (422, "current-password-wrong")
    assert link(ada, forger).status_code == 204
    assert [mail["Subject"] for mail in mails()] == ["You can sign in to Dynabench with another account"]
    assert signed_in(campus, forger).person_id == ada.person_id
    assert ada.call("GET", "/me/email").get_json()["email"] == "ada@example.org"
    assert refused_type(link(bob, forger)) == (409, "identity-taken")
    assert link(ada, forger).status_code == 204
    assert ada.call("DELETE", "/me/issuers/campus").status_code == 204
    assert refused_type(ada.call("DELETE", "/me/issuers/campus")) == (404, "linked-issuer-not-found")
    assert signed_in(campus, forger).person_id != ada.person_id


def test_only_the_account_that_began_a_link_gets_it(campus: Api, forger: Forger) -> None:
    ada, bob = campus.new_person("ada"), campus.new_person("bob")
    start = campus.call("POST", "/issuer-sign-ins", {"issuer": "campus"}).get_json()
    body = {"issuer": "campus", "secret": start["secret"], **forger.visit(start["url"])}
    assert refused_type(ada.call("POST", "/me/issuers", body)) == (401, "sign-in-step-ended")
    begun = ada.call(
        "POST", "/me/issuer-links", {"issuer": "campus", "current_password": PASSWORD}
    ).get_json()
    body = {"issuer": "campus", "secret": begun["secret"], **forger.visit(begun["url"])}
    assert refused_type(bob.call("POST", "/me/issuers", body)) == (401, "sign-in-step-ended")


def test_the_last_way_in_stays(campus: Api, forger: Forger) -> None:
    ada = signed_in(campus, forger)
    assert refused_type(ada.call("DELETE", "/me/issuers/campus")) == (409, "last-way-in")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"issuer": "http://issuer.example"}, "must begin with https://"),
        ({"name": "No Name"}, "name"),
        ({"roles": {"admins": "king"}}, "'king' is not a role"),
        ({"colour": "blue"}, "colour"),
    ],
)
def test_settings_that_cannot_work_are_refused_at_the_start(change: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        build_issuers(
            json.dumps([{**Forger().configuration(issuer="https://a.example"), **change}]), PUBLIC_URL
        )


def test_issuers_come_from_a_file_too_and_have_different_names(tmp_path: Path) -> None:
    one = Forger().configuration(issuer="https://a.example")
    path = tmp_path / "issuers.json"
    path.write_text(json.dumps([one, {**one, "name": "other", "issuer": "https://b.example"}]))
    assert list(build_issuers(str(path), PUBLIC_URL)) == ["campus", "other"]
    assert not build_issuers("", PUBLIC_URL)
    for text in (json.dumps([one, one]), "[", str(tmp_path / "missing")):
        with pytest.raises(SettingsError, match="SIGN_IN_ISSUERS"):
            build_issuers(text, PUBLIC_URL)
