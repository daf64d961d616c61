"""API tokens in place of an access token: exchanged with accounts, and cached for a while.

A program then needs one line. An access token from an exchange names the API token as its session. So a revoked API
token ends as soon as any access token of it would, within seconds. The cache here only saves exchanges. It stores
digests of tokens only, and nothing is logged.
"""

import hashlib
import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from dynabench_common.auth.authentication import Authenticates, Principal, token_problem
from dynabench_common.http.client import JsonClient, UpstreamError
from dynabench_common.problems import Problem, unavailable

PATH = "/tokens/exchange"
API_TOKEN = re.compile(r"[Bb]earer (dbt_[A-Za-z0-9_-]{20,200})")
REMEMBERED_SECONDS = 60.0
REFUSED_SECONDS = 2.0
MOST_TOKENS = 10_000


@dataclass(frozen=True)
class Exchanged:
    """The cached result of an exchange, until a monotonic time: a header with an access token, or a refusal."""

    until: float
    header: str = ""
    refusal: Problem | None = None


class ApiTokens:
    """Authentication of callers by API tokens, as by access tokens."""

    def __init__(self, verifier: Authenticates, accounts: JsonClient, monotonic: Callable[[], float]) -> None:
        self._verifier = verifier
        self._accounts = accounts
        self._monotonic = monotonic
        self._exchanged: OrderedDict[bytes, Exchanged] = OrderedDict()
        self._lock = threading.Lock()

    def principal(self, header: str | None) -> Principal:
        """Return the caller that sent an Authorization header.

        Raises Problem: 401 as the verifier does and `api-token-refused`, 403 `account-disabled`, 503 while accounts
        does not answer.
        """
        found = API_TOKEN.fullmatch(header or "")
        if found is None:
            return self._verifier.principal(header)
        digest = hashlib.sha256(found[1].encode()).digest()
        exchanged = self._remembered(digest) or self._remember(digest, self._exchange(found[1]))
        if exchanged.refusal is not None:
            raise exchanged.refusal
        try:
            return self._verifier.principal(exchanged.header)
        except Problem:
            with self._lock:
                self._exchanged.pop(digest, None)
            raise

    def _remembered(self, digest: bytes) -> Exchanged | None:
        with self._lock:
            exchanged = self._exchanged.get(digest)
        return exchanged if exchanged is not None and self._monotonic() < exchanged.until else None

    def _remember(self, digest: bytes, exchanged: Exchanged) -> Exchanged:
        with self._lock:
            self._exchanged[digest] = exchanged
            self._exchanged.move_to_end(digest)
            while len(self._exchanged) > MOST_TOKENS:
                self._exchanged.popitem(last=False)
        return exchanged

    def _exchange(self, api_token: str) -> Exchanged:
        """Return the outcome. Raises Problem if accounts did not decide."""
        now = self._monotonic()
        try:
            answer = self._accounts.call("POST", PATH, {"api_token": api_token})
            seconds = min(float(answer["expires_in"]) / 2, REMEMBERED_SECONDS)
            return Exchanged(now + seconds, f"Bearer {answer['access_token']}")
        except UpstreamError as err:
            if err.status == 401:
                refusal = token_problem("api-token-refused", "The API token is unknown or was revoked.")
            elif err.status == 403:
                refusal = _disabled(err.body)
            else:
                _undecided(err)
            return Exchanged(now + REFUSED_SECONDS, refusal=refusal)
        except (KeyError, TypeError, ValueError) as err:
            _undecided(err)


def _disabled(body: object) -> Problem:
    """Return accounts' refusal of a disabled account."""
    parameters = body.get("parameters") if isinstance(body, dict) else None
    reason = parameters.get("reason", "") if isinstance(parameters, dict) else ""
    return Problem(
        403,
        "account-disabled",
        "Account disabled",
        "An administrator disabled this account: {reason!r}.",
        remedy="Write to the administrators if that is a mistake.",
        parameters={"reason": reason},
    )


def _undecided(err: Exception) -> NoReturn:
    raise unavailable(
        "sign-in-unavailable", "Sign-in is not ready", "API tokens can't be checked just now.", 2
    ) from err
