"""Access tokens: obtained, renewed and shared between threads."""

import itertools
import threading
from collections.abc import Callable
from typing import Any

import pytest
from dynabench_client import Dynabench, ProblemError, UnreachableError
from dynabench_client.credentials import FixedCredential, Grant, RenewingCredential

from services.client.tests.stub_platform import StubPlatform, Told

PERSON = {"person_id": "p1", "user_name": "ada", "roles": ["annotator"]}
COOKIE = "dynabench_refresh={}; Expires=Mon, 21 Dec 2026 07:39:20 GMT; HttpOnly; Path=/; SameSite=Lax"


class Ticking:
    """A monotonic clock that the test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def numbered(expires_in: float = 900) -> Any:
    counter = itertools.count(1)
    return lambda: Grant(f"token-{next(counter)}", expires_in)


@pytest.mark.parametrize(
    ("lifetime", "moment", "token"),
    [
        (900, 0, "token-1"),
        (900, 839, "token-1"),
        (900, 840, "token-2"),
        (60, 29, "token-1"),
        (60, 30, "token-2"),
    ],
)
def test_a_token_is_renewed_a_minute_before_it_expires_or_half_way(
    lifetime: float, moment: float, token: str
) -> None:
    clock = Ticking()
    credential = RenewingCredential(numbered(lifetime), clock)
    assert credential.access_token() == "token-1"
    clock.now = moment
    assert credential.access_token() == token


def test_threads_share_one_renewal() -> None:
    credential = RenewingCredential(numbered(), Ticking())
    found: list[str | None] = []
    barrier = threading.Barrier(16)

    def ask() -> None:
        barrier.wait()
        found.append(credential.access_token())

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(found) == {"token-1"}


def test_a_refused_token_is_replaced_once_however_many_noticed() -> None:
    credential = RenewingCredential(numbered(), Ticking())
    credential.access_token()
    assert credential.replace("token-1")
    assert credential.access_token() == "token-2"
    assert credential.replace("token-1")
    assert credential.access_token() == "token-2"
    assert not FixedCredential("given").replace("given")


def test_a_renewal_without_answer_is_survived_while_the_token_is_good() -> None:
    clock, obtain = Ticking(), numbered()
    grants = iter([obtain])

    def sometimes() -> Grant:
        try:
            grant: Grant = next(grants)()
        except StopIteration:
            raise UnreachableError("here", "no answer in time") from None
        return grant

    credential = RenewingCredential(sometimes, clock)
    credential.access_token()
    clock.now = 850
    assert credential.access_token() == "token-1"
    clock.now = 900
    with pytest.raises(UnreachableError):
        credential.access_token()


def test_an_api_token_is_exchanged_and_a_stale_access_token_renewed(
    stub: StubPlatform, tell_problem: Callable[..., Told]
) -> None:
    stub.tell(
        "POST",
        "/accounts/v1/tokens/exchange",
        {"access_token": "a1", "expires_in": 900, "person": PERSON},
        {"access_token": "a2", "expires_in": 900, "person": PERSON},
    )
    stub.tell("GET", "/accounts/v1/me", PERSON, tell_problem(401, "token-expired"), PERSON)
    client = Dynabench(stub.url, token="dbt_x")
    assert [client.accounts.me().user_name for _ in range(2)] == ["ada", "ada"]
    sent = [request.headers["authorization"] for request in stub.seen("GET", "/accounts/v1/me")]
    assert sent == ["Bearer a1", "Bearer a1", "Bearer a2"]
    (first, _) = stub.seen("POST", "/accounts/v1/tokens/exchange")
    assert first.body == {"api_token": "dbt_x"}
    assert "authorization" not in first.headers


def test_a_token_that_stays_refused_is_told(stub: StubPlatform, tell_problem: Callable[..., Told]) -> None:
    access = {"access_token": "a1", "expires_in": 900, "person": PERSON}
    stub.tell("POST", "/accounts/v1/tokens/exchange", access)
    stub.tell("GET", "/accounts/v1/me", tell_problem(401, "token-invalid"))
    with pytest.raises(ProblemError) as caught:
        Dynabench(stub.url, token="dbt_x").accounts.me()
    assert caught.value.slug == "token-invalid"
    assert len(stub.seen("GET", "/accounts/v1/me")) == 2


def test_a_given_access_token_is_used_as_it_is(stub: StubPlatform, tell_problem: Callable[..., Told]) -> None:
    stub.tell("GET", "/accounts/v1/me", tell_problem(401, "token-expired"))
    with pytest.raises(ProblemError):
        Dynabench(stub.url, access_token="mine").accounts.me()
    assert [request.headers["authorization"] for request in stub.requests] == ["Bearer mine"]


def test_a_password_starts_a_session_and_the_cookie_renews_it(
    stub: StubPlatform, tell_problem: Callable[..., Told], told: type[Told]
) -> None:
    def session(access: str, refresh: str) -> Any:
        body = {"access_token": access, "expires_in": 0.0, "person": PERSON}
        return told(body, 200, {"Set-Cookie": COOKIE.format(refresh)})

    ended = tell_problem(401, "session-ended")
    stub.tell("POST", "/accounts/v1/sessions", session("a1", "r1"), session("a3", "r3"))
    stub.tell("POST", "/accounts/v1/sessions/refresh", session("a2", "r2"), ended)
    stub.tell("GET", "/accounts/v1/me", PERSON)
    client = Dynabench(stub.url, user_name="ada", password="violet otter canoe")
    for _ in range(3):
        client.accounts.me()
    sent = [request.headers["authorization"] for request in stub.seen("GET", "/accounts/v1/me")]
    assert sent == ["Bearer a1", "Bearer a2", "Bearer a3"]
    cookies = [r.headers["cookie"] for r in stub.seen("POST", "/accounts/v1/sessions/refresh")]
    assert cookies == ["dynabench_refresh=r1", "dynabench_refresh=r2"]


def test_signing_in_hands_the_whole_cookie_to_a_server_that_passes_it_on(
    stub: StubPlatform, told: type[Told]
) -> None:
    body = {"access_token": "a1", "expires_in": 900, "person": PERSON}
    stub.tell("POST", "/accounts/v1/sessions", told(body, 200, {"Set-Cookie": COOKIE.format("r1")}))
    stub.tell("DELETE", "/accounts/v1/sessions", told(b"", 204))
    area = Dynabench(stub.url).accounts
    signed_in = area.sign_in("ada", "violet otter canoe")
    assert (signed_in.refresh_token, signed_in.set_cookie) == ("r1", COOKIE.format("r1"))
    assert signed_in.person.user_name == "ada"
    area.sign_out(signed_in.refresh_token)
    assert stub.requests[-1].headers["cookie"] == "dynabench_refresh=r1"
