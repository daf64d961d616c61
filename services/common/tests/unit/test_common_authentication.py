"""Authentication: the caller of a request."""

import base64
import json
from typing import Any
from uuid import uuid4

import pytest
from dynabench_common.auth.authentication import Ended, EndedSessions, Principal, Verifier
from dynabench_common.problems import Problem
from dynabench_common.service_tokens import CALLERS
from dynabench_common.testing import SERVICE_TOKENS, FixedClock, Issuer, service_headers

PERSON = uuid4()


def refusal(issuer: Issuer, header: str) -> str:
    with pytest.raises(Problem) as caught:
        issuer.verifier().principal(header)
    assert caught.value.status == 401
    assert caught.value.field == "Authorization"
    return caught.value.slug


def test_a_signed_token_names_the_person_and_the_roles() -> None:
    issuer = Issuer()
    principal = issuer.verifier().principal(
        f"Bearer {issuer.token(PERSON, ['annotator', 'owner:sentiment'], 'expert')}"
    )
    assert principal.person_id == PERSON
    assert principal.owns("sentiment")
    assert not principal.owns("nli")
    assert principal.cohort == "expert"


def test_nobody_and_services() -> None:
    verifier = Issuer().verifier()
    assert verifier.principal(None).person_id is None
    for service in CALLERS:
        assert verifier.principal(service_headers(service)["Authorization"]) == Principal(service=service)


def test_a_forged_token_is_refused() -> None:
    assert refusal(Issuer(), f"Bearer {Issuer().token(PERSON)}") == "token-invalid"


def test_an_unsigned_token_is_refused() -> None:
    head = "eyJhbGciOiJub25lIn0"
    body = Issuer().token(PERSON).split(".")[1]
    assert refusal(Issuer(), f"Bearer {head}.{body}.") == "token-invalid"


@pytest.mark.parametrize("name", ["alg", "crit", "kid", "typ", "b64", "enc", "zip"])
@pytest.mark.parametrize("value", [5, None, True, [], [[]], {"a": 1}, "\ud83d", ["exp"]])
def test_a_token_with_any_header_is_refused(name: str, value: object) -> None:
    header = json.dumps({"alg": "EdDSA", name: value}).encode()
    head = base64.urlsafe_b64encode(header).decode().rstrip("=")
    assert refusal(Issuer(), f"Bearer {head}.e30.eHg") == "token-invalid"


@pytest.mark.parametrize(
    ("claims", "slug"),
    [
        ({"aud": "elsewhere"}, "token-invalid"),
        ({"iss": "elsewhere"}, "token-invalid"),
        ({"sub": "x"}, "token-invalid"),
    ],
)
def test_a_token_for_something_else_is_refused(claims: dict[str, Any], slug: str) -> None:
    issuer = Issuer()
    assert refusal(issuer, f"Bearer {issuer.token(PERSON, **claims)}") == slug


def test_a_token_expires_also_when_it_was_seen_before() -> None:
    clock = FixedClock()
    issuer = Issuer(clock)
    verifier = issuer.verifier()
    header = f"Bearer {issuer.token(PERSON)}"
    assert verifier.principal(header).person_id == PERSON
    clock.move(901)
    with pytest.raises(Problem) as caught:
        verifier.principal(header)
    assert caught.value.slug == "token-expired"


@pytest.mark.parametrize("header", ["Bearer", "Basic abc", "Bearer ", "Bearer schlüssel", "x"])
def test_a_malformed_header_is_refused(header: str) -> None:
    assert refusal(Issuer(), header) == "token-malformed"


def test_unknown_tokens_fetch_the_keys_at_most_every_few_seconds() -> None:
    clock = FixedClock()
    issuer = Issuer(clock)
    fetches = []

    def jwks() -> dict[str, object]:
        fetches.append(clock.now())
        return issuer.jwks()

    verifier = Verifier(jwks, SERVICE_TOKENS, clock)
    forged = f"Bearer {Issuer(clock).token(PERSON)}"
    for _ in range(10):
        with pytest.raises(Problem):
            verifier.principal(forged)
    assert len(fetches) == 1
    clock.move(6)
    with pytest.raises(Problem):
        verifier.principal(forged)
    assert len(fetches) == 2


def test_a_forged_token_does_not_sign_others_out_while_the_keys_cannot_be_read() -> None:
    clock = FixedClock()
    issuer = Issuer(clock)
    away: list[bool] = []

    def jwks() -> dict[str, object]:
        if away:
            raise OSError("accounts is away")
        return issuer.jwks()

    verifier = Verifier(jwks, SERVICE_TOKENS, clock)
    assert verifier.principal(f"Bearer {issuer.token(PERSON)}").person_id == PERSON
    away.append(True)
    clock.move(60)
    with pytest.raises(Problem) as caught:
        verifier.principal(f"Bearer {Issuer(clock).token(PERSON)}")
    assert caught.value.slug == "token-invalid"
    assert verifier.principal(f"Bearer {issuer.token(PERSON, ['admin'])}").is_admin


def test_a_token_ends_with_the_session_that_it_names() -> None:
    issuer = Issuer()
    ended: set[str] = set()
    verifier = Verifier(issuer.jwks, SERVICE_TOKENS, ended=lambda: Ended(ended))
    header = f"Bearer {issuer.token(PERSON, sid='session-1')}"
    assert verifier.principal(header).session_id == "session-1"
    ended.add("session-1")
    with pytest.raises(Problem) as refused:
        verifier.principal(header)
    assert (refused.value.status, refused.value.slug) == (401, "token-expired")
    assert verifier.principal(f"Bearer {issuer.token(PERSON, sid='session-2')}").person_id == PERSON


def test_while_nobody_can_say_what_ended_the_last_known_holds() -> None:
    first, second = Ended({"session-1"}), Ended({"session-2"})
    answers: list[Ended | OSError] = [first, OSError("away"), second]

    def source() -> Ended:
        answer = answers.pop(0)
        if isinstance(answer, OSError):
            raise answer
        return answer

    ended = EndedSessions(source, look_seconds=0)
    assert [ended(), ended(), ended()] == [first, first, second]


@pytest.mark.parametrize(
    ("rule", "present", "is_refused"),
    [
        ("nobody's roles changed", {}, False),
        ("the roles of another person changed", {str(uuid4()): 9}, False),
        ("the token has the present roles", {str(PERSON): 2}, False),
        ("the roles changed after the token was issued", {str(PERSON): 3}, True),
    ],
)
def test_a_token_ends_when_the_roles_of_its_person_change(
    rule: str, present: dict[str, int], is_refused: bool
) -> None:
    issuer = Issuer()
    verifier = Verifier(issuer.jwks, SERVICE_TOKENS, ended=lambda: Ended(roles_versions=present))
    header = f"Bearer {issuer.token(PERSON, sid='session-1', roles_version=2)}"
    if is_refused:
        with pytest.raises(Problem) as refused:
            verifier.principal(header)
        assert refused.value.slug == "token-expired"
    else:
        assert verifier.principal(header).roles_version == 2


@pytest.mark.parametrize(
    ("rule", "principal", "sees"),
    [
        ("nobody does not see a private task", Principal(), False),
        ("an annotator does not", Principal(PERSON, frozenset({"annotator"})), False),
        (
            "an owner or member of another task does not",
            Principal(PERSON, frozenset({"owner:b", "member:b"})),
            False,
        ),
        ("a member does", Principal(PERSON, frozenset({"member:a"})), True),
        ("an owner does", Principal(PERSON, frozenset({"owner:a"})), True),
        ("an administrator does", Principal(PERSON, frozenset({"admin"})), True),
        ("a service does", Principal(service="web"), True),
    ],
)
def test_who_sees_a_private_task(rule: str, principal: Principal, sees: bool) -> None:
    assert principal.sees("a") is sees
