"""API tokens, access tokens and keys over HTTP."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
from accounts.adapters.tables import api_token
from accounts.domain.api_token import MOST_PER_PERSON
from accounts.service_layer.dependencies import HttpDependencies
from accounts.settings import AccountsSettings
from dynabench_common.auth.authentication import AUDIENCE, ISSUER
from dynabench_common.testing import FixedClock, service_token
from joserfc import jwt
from joserfc.jwk import OctKey, OKPKey
from sqlalchemy import Engine, select
from werkzeug.test import TestResponse

from .conftest import Api


def problem(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["type"]


def test_an_api_token_is_shown_once_and_kept_as_a_digest(api: Api, engine: Engine) -> None:
    ada = api.new_person("ada")
    made = ada.call("POST", "/tokens", {"name": "laptop"})
    body = made.get_json()
    assert made.status_code == 201
    assert body["token"].startswith("dbt_")
    (listed,) = ada.call("GET", "/tokens").get_json()["items"]
    assert listed == {key: value for key, value in body.items() if key != "token"}
    with engine.connect() as connection:
        row = connection.execute(select(api_token)).one()
    assert body["token"].encode() not in bytes(row.digest)
    assert len(row.digest) == 32


def test_an_api_token_is_exchanged_for_an_access_token_until_it_is_revoked(
    api: Api, clock: FixedClock, outbox_rows: Callable[[], list[Any]]
) -> None:
    ada = api.new_person("ada")
    made = ada.call("POST", "/tokens", {"name": "laptop"}).get_json()
    clock.move(120)
    exchanged = api.call("POST", "/tokens/exchange", {"api_token": made["token"]})
    assert exchanged.get_json()["person"]["user_name"] == "ada"
    access = exchanged.get_json()["access_token"]
    assert api.call("GET", "/me", headers={"Authorization": f"Bearer {access}"}).status_code == 200
    (listed,) = ada.call("GET", "/tokens").get_json()["items"]
    assert listed["last_used_at"] == "2026-01-05T12:02:00Z"
    for _ in range(2):
        assert ada.call("DELETE", f"/tokens/{made['token_id']}").status_code == 204
    refused = api.call("POST", "/tokens/exchange", {"api_token": made["token"]})
    assert problem(refused) == (401, "/problems/api-token-refused")
    assert ada.call("GET", "/tokens").get_json()["items"][0]["revoked_at"] == "2026-01-05T12:02:00Z"
    sent = [bytes(row.payload) for row in outbox_rows()]
    assert any(sent)
    assert b"dbt_" not in b"".join(sent), "events, and so the broker, get no token"


def test_another_persons_api_token_does_not_exist_for_me(api: Api) -> None:
    made = api.new_person("ada").call("POST", "/tokens", {"name": "laptop"}).get_json()
    bob = api.new_person("bob")
    assert bob.call("GET", "/tokens").get_json() == {"items": [], "next_cursor": None}
    refused = bob.call("DELETE", f"/tokens/{made['token_id']}")
    assert problem(refused) == (404, "/problems/api-token-not-found")
    assert api.call("POST", "/tokens/exchange", {"api_token": made["token"]}).status_code == 200


@pytest.mark.parametrize("token", ["", "dbt_", "dbt_made-up", "é" * 47, "x" * 900])
def test_a_made_up_api_token_is_refused(api: Api, token: str) -> None:
    answer = api.call("POST", "/tokens/exchange", {"api_token": token})
    assert problem(answer) == (401, "/problems/api-token-refused")


def test_a_person_holds_a_limited_number_of_live_api_tokens(api: Api) -> None:
    ada = api.new_person("ada")
    made = [ada.call("POST", "/tokens", {"name": f"number {n}"}) for n in range(MOST_PER_PERSON)]
    refused = ada.call("POST", "/tokens", {"name": "one more"})
    assert problem(refused) == (409, "/problems/api-tokens-exhausted")
    ada.call("DELETE", f"/tokens/{made[0].get_json()['token_id']}")
    assert ada.call("POST", "/tokens", {"name": "one more"}).status_code == 201
    page = ada.call("GET", "/tokens?limit=40").get_json()
    rest = ada.call("GET", f"/tokens?limit=40&cursor={page['next_cursor']}").get_json()
    names = [item["name"] for item in page["items"] + rest["items"]]
    assert names == ["one more", *(f"number {n}" for n in reversed(range(MOST_PER_PERSON)))]


def test_a_token_needs_a_name(api: Api) -> None:
    answer = api.new_person("ada").call("POST", "/tokens", {"name": " "})
    assert (answer.status_code, answer.get_json()["field"]) == (422, "name")


def test_the_published_keys_check_access_tokens_and_hold_no_private_part(api: Api, clock: FixedClock) -> None:
    ada = api.new_person("ada")
    assert ada.token is not None
    (key,) = api.call("GET", "/jwks").get_json()["keys"]
    assert set(key) == {"kty", "crv", "x", "kid", "use", "alg"}
    decoded = jwt.decode(ada.token, OKPKey.import_key(key), algorithms=["EdDSA"])
    assert decoded.header["kid"] == key["kid"]
    claims = decoded.claims
    assert (claims["iss"], claims["aud"], claims["sub"]) == (ISSUER, AUDIENCE, ada.person_id)
    assert (claims["roles"], claims["cohort"]) == (["annotator"], "volunteer")
    assert claims["exp"] - claims["iat"] == 900


def part(value: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def tampered(kind: str, person_id: str, token: str, jwks: dict[str, Any], clock: FixedClock) -> str:
    """Return a token that must not be believed."""
    now = int(clock.now().timestamp())
    claims = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": person_id,
        "roles": ["admin"],
        "iat": now,
        "exp": now + 900,
    }
    header, _body, signature = token.split(".")
    if kind == "none":
        return f"{part({'alg': 'none', 'typ': 'JWT'})}.{part(claims)}."
    if kind == "other key":
        return jwt.encode({"alg": "EdDSA"}, claims, OKPKey.generate_key("Ed25519"), algorithms=["EdDSA"])
    if kind == "public key as secret":
        secret = OctKey.import_key(jwks["keys"][0]["x"] * 2)
        return jwt.encode({"alg": "HS256"}, claims, secret)
    if kind == "changed claims":
        return f"{header}.{part(claims)}.{signature}"
    return kind


@pytest.mark.parametrize(
    "kind",
    ["none", "other key", "public key as secret", "changed claims", "a.b.c", "x", "....", "e30.e30.e30"],
)
def test_a_forged_access_token_is_refused(
    api: Api, dependencies: HttpDependencies, clock: FixedClock, kind: str
) -> None:
    ada = api.new_person("ada")
    assert ada.token is not None
    token = tampered(kind, ada.person_id, ada.token, dependencies.jwks, clock)
    answer = api.call("GET", "/me", headers={"Authorization": f"Bearer {token}"})
    assert problem(answer) == (401, "/problems/token-invalid")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ({"aud": "elsewhere"}, "token-invalid"),
        ({"iss": "elsewhere"}, "token-invalid"),
        ({"exp": 1}, "token-expired"),
        ({"sub": "nobody"}, "token-invalid"),
        ({"exp": None}, "token-invalid"),
    ],
)
def test_a_token_of_ours_for_another_purpose_or_time_is_refused(
    api: Api, accounts_settings: AccountsSettings, clock: FixedClock, claims: dict[str, Any], expected: str
) -> None:
    from accounts.adapters.signing_keys import load_or_create

    ada = api.new_person("ada")
    now = int(clock.now().timestamp())
    body = {"iss": ISSUER, "aud": AUDIENCE, "sub": ada.person_id, "roles": [], "exp": now + 900} | claims
    [key] = load_or_create(accounts_settings.signing_key_file)
    token = jwt.encode({"alg": "EdDSA"}, body, key, algorithms=["EdDSA"])
    answer = api.call("GET", "/me", headers={"Authorization": f"Bearer {token}"})
    assert problem(answer) == (401, f"/problems/{expected}")


def test_an_access_token_expires_after_fifteen_minutes(api: Api, clock: FixedClock) -> None:
    ada = api.new_person("ada")
    clock.move(899)
    assert ada.call("GET", "/me").status_code == 200
    clock.move(1)
    assert problem(ada.call("GET", "/me")) == (401, "/problems/token-expired")


@pytest.mark.parametrize("header", ["Basic YTpi", "Bearer", "Bearer ", "nonsense", "Bearer ünïcode"])
def test_an_authorization_header_of_another_form_is_refused(api: Api, header: str) -> None:
    answer = api.call("GET", "/me", headers={"Authorization": header.encode().decode("latin-1")})
    assert problem(answer) == (401, "/problems/token-malformed")


NOBODY, PERSON, SERVICE, ADMIN = "nobody", "person", "service", "administrator"


@pytest.mark.parametrize(
    ("method", "path", "body", "allowed"),
    [
        ("POST", "/people", {}, {NOBODY, PERSON, SERVICE, ADMIN}),
        ("POST", "/sessions", {}, {NOBODY, PERSON, SERVICE, ADMIN}),
        ("DELETE", "/sessions", None, {NOBODY, PERSON, SERVICE, ADMIN}),
        ("POST", "/tokens/exchange", {}, {NOBODY, PERSON, SERVICE, ADMIN}),
        ("GET", "/jwks", None, {NOBODY, PERSON, SERVICE, ADMIN}),
        ("GET", "/me", None, {PERSON, ADMIN}),
        ("POST", "/tokens", {"name": "x"}, {PERSON, ADMIN}),
        ("GET", "/tokens", None, {PERSON, ADMIN}),
        ("DELETE", f"/tokens/{'0' * 8}-0000-0000-0000-{'0' * 12}", None, {PERSON, ADMIN}),
        ("GET", "/people", None, {ADMIN}),
        ("PUT", f"/people/{'0' * 8}-0000-0000-0000-{'0' * 12}/roles", {"roles": []}, {ADMIN}),
    ],
)
def test_each_route_lets_in_whom_the_permission_table_names(
    api: Api, administrator: Api, method: str, path: str, body: object, allowed: set[str]
) -> None:
    service = type(api)(api.client, service_token("agent"))
    callers = {NOBODY: api, PERSON: api.new_person("ada"), SERVICE: service, ADMIN: administrator}
    refused = {
        name
        for name, caller in callers.items()
        if (answer := caller.call(method, path, body)).status_code in {401, 403}
        and answer.get_json()["type"] in {"/problems/token-missing", "/problems/not-allowed"}
    }
    assert set(callers) - refused == allowed
