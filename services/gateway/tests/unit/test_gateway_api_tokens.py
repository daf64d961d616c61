"""API tokens in place of access tokens: exchanged, cached, and dropped when they end."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from dynabench_common.auth.authentication import Ended, Principal, Verifier
from dynabench_common.http.client import JsonClient, UpstreamError
from dynabench_common.problems import Problem
from dynabench_common.testing import SERVICE_TOKENS, Issuer, service_headers
from gateway.adapters.api_tokens import REFUSED_SECONDS, REMEMBERED_SECONDS, ApiTokens

TOKEN = "dbt_" + "a" * 43
HEADER = f"Bearer {TOKEN}"
PERSON = UUID(int=7)


class Accounts(JsonClient):
    """Answers exchanges as configured."""

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


class Setup:
    """API tokens with the test's clock and accounts service."""

    def __init__(self) -> None:
        self.now = 0.0
        self.ended: set[str] = set()
        self.issuer = Issuer()
        self.accounts = Accounts(self.issuer)
        verifier = Verifier(self.issuer.jwks, SERVICE_TOKENS, ended=lambda: Ended(self.ended))
        self.tokens = ApiTokens(verifier, self.accounts, lambda: self.now)

    def refusal(self, header: str = HEADER) -> Problem:
        with pytest.raises(Problem) as refused:
            self.tokens.principal(header)
        return refused.value


@pytest.fixture
def setup() -> Setup:
    return Setup()


def test_an_api_token_is_its_person_and_is_exchanged_once_a_while(setup: Setup) -> None:
    for _ in range(3):
        assert setup.tokens.principal(HEADER).person_id == PERSON
    assert setup.accounts.calls == [("POST", "/tokens/exchange", {"api_token": TOKEN})]
    setup.now += REMEMBERED_SECONDS + 1
    setup.tokens.principal(HEADER)
    assert len(setup.accounts.calls) == 2


def test_an_access_token_that_soon_ends_is_remembered_for_less(setup: Setup) -> None:
    setup.accounts.expires_in = 20
    setup.tokens.principal(HEADER)
    setup.now += 11
    setup.tokens.principal(HEADER)
    assert len(setup.accounts.calls) == 2


def test_other_credentials_go_on_as_they_are(setup: Setup) -> None:
    person = uuid4()
    assert setup.tokens.principal(None) == Principal()
    assert setup.tokens.principal(service_headers("scoring")["Authorization"]).service == "scoring"
    assert setup.tokens.principal(f"Bearer {setup.issuer.token(person)}").person_id == person
    assert setup.refusal("Basic dbt_aaaaaaaaaaaaaaaaaaaaaaaaaa").slug == "token-malformed"
    assert setup.refusal("Bearer dbt_short").slug == "token-invalid"
    assert setup.accounts.calls == []


def test_a_revoked_token_ends_with_what_came_of_it(setup: Setup) -> None:
    setup.tokens.principal(HEADER)
    setup.ended.add("token-1")
    setup.accounts.refusal = UpstreamError("refused", 401, {"type": "/problems/api-token-refused"})
    assert setup.refusal().slug == "token-expired"
    assert setup.refusal().slug == "api-token-refused"


@pytest.mark.parametrize(
    ("error", "status", "slug"),
    [
        (UpstreamError("refused", 401, {}), 401, "api-token-refused"),
        (UpstreamError("refused", 403, {"parameters": {"reason": "spam"}}), 403, "account-disabled"),
        (UpstreamError("refused", 403, None), 403, "account-disabled"),
    ],
)
def test_a_refusal_is_remembered_for_a_moment(
    setup: Setup, error: UpstreamError, status: int, slug: str
) -> None:
    setup.accounts.refusal = error
    for _ in range(3):
        assert (setup.refusal().status, setup.refusal().slug) == (status, slug)
    assert len(setup.accounts.calls) == 1
    setup.now += REFUSED_SECONDS
    setup.accounts.refusal = None
    assert setup.tokens.principal(HEADER).person_id == PERSON


def test_nothing_is_decided_while_accounts_is_unavailable_or_wrong(setup: Setup) -> None:
    setup.accounts.refusal = UpstreamError("no answer")
    assert setup.refusal().slug == "sign-in-unavailable"
    setup.accounts.refusal, setup.accounts.expires_in = None, "soon"
    assert (setup.refusal().status, setup.refusal().headers["Retry-After"]) == (503, "2")
    setup.accounts.expires_in = 900
    assert setup.tokens.principal(HEADER).person_id == PERSON
