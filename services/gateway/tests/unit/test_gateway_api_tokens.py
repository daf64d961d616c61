"""API tokens in place of access tokens: exchanged, remembered for a while, and forgotten when they end."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from dynabench_common.auth.authentication import Principal, Verifier
from dynabench_common.http.client import JsonClient, UpstreamError
from dynabench_common.http.problems import Problem
from dynabench_common.testing import SERVICE_TOKENS, Issuer, service_headers
from gateway.adapters.api_tokens import REFUSED_SECONDS, REMEMBERED_SECONDS, ApiTokens

TOKEN = "dbt_" + "a" * 43
HEADER = f"Bearer {TOKEN}"
PERSON = UUID(int=7)


class Accounts(JsonClient):
    """Answers exchanges as it is told."""

    def __init__(self, issuer: Issuer) -> None:
        self.issuer = issuer
        self.calls: list[Any] = []
        self.refusal: UpstreamError | None = None
        self.expires_in: Any = 900

    def call(self, method: str, path: str, body: object | None = None, **_named: Any) -> Any:
        self.calls.append((method, path, body))
        if self.refusal is not None:
            raise self.refusal
        token = self.issuer.token(PERSON, sid="token-1")
        return {"access_token": token, "expires_in": self.expires_in, "person": {}}


class Bench:
    """API tokens with a clock and an accounts service of the test's."""

    def __init__(self) -> None:
        self.now = 0.0
        self.ended: set[str] = set()
        self.issuer = Issuer()
        self.accounts = Accounts(self.issuer)
        verifier = Verifier(self.issuer.jwks, SERVICE_TOKENS, ended=lambda: self.ended)
        self.tokens = ApiTokens(verifier, self.accounts, lambda: self.now)

    def refusal(self, header: str = HEADER) -> Problem:
        with pytest.raises(Problem) as refused:
            self.tokens.principal(header)
        return refused.value


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_an_api_token_is_its_person_and_is_exchanged_once_a_while(bench: Bench) -> None:
    for _ in range(3):
        assert bench.tokens.principal(HEADER).person_id == PERSON
    assert bench.accounts.calls == [("POST", "/tokens/exchange", {"api_token": TOKEN})]
    bench.now += REMEMBERED_SECONDS + 1
    bench.tokens.principal(HEADER)
    assert len(bench.accounts.calls) == 2


def test_an_access_token_that_soon_ends_is_remembered_for_less(bench: Bench) -> None:
    bench.accounts.expires_in = 20
    bench.tokens.principal(HEADER)
    bench.now += 11
    bench.tokens.principal(HEADER)
    assert len(bench.accounts.calls) == 2


def test_other_credentials_go_on_as_they_are(bench: Bench) -> None:
    person = uuid4()
    assert bench.tokens.principal(None) == Principal()
    assert bench.tokens.principal(service_headers("scoring")["Authorization"]).service == "scoring"
    assert bench.tokens.principal(f"Bearer {bench.issuer.token(person)}").person_id == person
    assert bench.refusal("Basic dbt_aaaaaaaaaaaaaaaaaaaaaaaaaa").slug == "token-malformed"
    assert bench.refusal("Bearer dbt_short").slug == "token-invalid"
    assert bench.accounts.calls == []


def test_a_revoked_token_ends_with_what_came_of_it(bench: Bench) -> None:
    bench.tokens.principal(HEADER)
    bench.ended.add("token-1")
    bench.accounts.refusal = UpstreamError("refused", 401, {"type": "/problems/api-token-refused"})
    assert bench.refusal().slug == "token-expired"
    assert bench.refusal().slug == "api-token-refused"


@pytest.mark.parametrize(
    ("error", "status", "slug"),
    [
        (UpstreamError("refused", 401, {}), 401, "api-token-refused"),
        (UpstreamError("refused", 403, {"parameters": {"reason": "spam"}}), 403, "account-disabled"),
        (UpstreamError("refused", 403, None), 403, "account-disabled"),
    ],
)
def test_a_refusal_is_remembered_for_a_moment(
    bench: Bench, error: UpstreamError, status: int, slug: str
) -> None:
    bench.accounts.refusal = error
    for _ in range(3):
        assert (bench.refusal().status, bench.refusal().slug) == (status, slug)
    assert len(bench.accounts.calls) == 1
    bench.now += REFUSED_SECONDS
    bench.accounts.refusal = None
    assert bench.tokens.principal(HEADER).person_id == PERSON


def test_nothing_is_decided_while_accounts_is_away_or_odd(bench: Bench) -> None:
    bench.accounts.refusal = UpstreamError("no answer")
    assert bench.refusal().slug == "sign-in-unavailable"
    bench.accounts.refusal, bench.accounts.expires_in = None, "soon"
    assert (bench.refusal().status, bench.refusal().headers["Retry-After"]) == (503, "2")
    bench.accounts.expires_in = 900
    assert bench.tokens.principal(HEADER).person_id == PERSON
