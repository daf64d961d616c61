"""Authentication of callers: EdDSA access tokens checked against the accounts service's public keys.

Verified tokens are cached until they expire, since a signature check costs more than the rest of a small request. A
token lives 15 minutes. It ends earlier if the session or API token that it names ends, or if the roles of its person
change. Every two seconds the service asks accounts which of them ended, and whose roles changed.
"""

import json
import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID

import urllib3
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from dynabench_common.clock import Clock, SystemClock
from dynabench_common.pools import new_pool
from dynabench_common.problems import Problem, unavailable
from dynabench_common.service_tokens import ServiceTokens
from dynabench_common.telemetry.logging import get_logger

log = get_logger(__name__)
AUDIENCE = "dynabench"
ISSUER = "dynabench-accounts"
SECOND_FACTOR_MISSING = "second_factor_missing"
"""Claim of a token whose person has further roles, which count once the account has a second factor."""
ROLES_VERSION = "roles_version"
"""Claim with the version of the person's roles when the token was issued."""
OWNER_PREFIX, MEMBER_PREFIX = "owner:", "member:"
"""Beginnings of the roles in a task; the slug of the task follows."""
REMEMBERED_TOKENS = 10_000
REFETCH_SECONDS = 5

ENDED_LOOK_SECONDS = 2.0

JwksSource = Callable[[], Mapping[str, Any]]


@dataclass(frozen=True)
class Ended:
    """Sessions and API tokens that ended within the life of an access token, and people whose roles changed.

    `roles_versions` has the present version of the roles of each person whose roles changed.
    """

    session_ids: Collection[str] = frozenset()
    roles_versions: Mapping[str, int] = field(default_factory=dict)

    def covers(self, principal: "Principal") -> bool:
        """Return whether the caller needs a new access token."""
        present = self.roles_versions.get(str(principal.person_id), 0)
        return principal.session_id in self.session_ids or principal.roles_version < present


EndedSource = Callable[[], Ended]


@dataclass(frozen=True)
class Principal:
    """The caller: a person, a service, or nobody.

    `service` is the calling service's name, `session_id` that of a person's session or API token. `roles_version` grows
    with each change of the person's roles.
    `lacks_second_factor` if further roles of the person do not count before the account has a second factor.
    """

    person_id: UUID | None = None
    roles: frozenset[str] = field(default_factory=frozenset)
    cohort: str = "volunteer"
    service: str | None = None
    session_id: str = ""
    roles_version: int = 0
    lacks_second_factor: bool = False

    @property
    def is_service(self) -> bool:
        """Return whether a service calls."""
        return self.service is not None

    @property
    def is_admin(self) -> bool:
        """Return whether the caller administers the platform."""
        return "admin" in self.roles

    def owns(self, task_slug: str) -> bool:
        """Return whether the caller owns the task."""
        return f"{OWNER_PREFIX}{task_slug}" in self.roles

    def sees(self, task_slug: str) -> bool:
        """Return whether the caller sees the task if it is private, as owner, member, administrator or service."""
        return (
            self.is_service
            or self.is_admin
            or self.owns(task_slug)
            or f"{MEMBER_PREFIX}{task_slug}" in self.roles
        )

    @property
    def owned_tasks(self) -> frozenset[str]:
        """Return the slugs of the tasks that the caller owns."""
        return frozenset(
            role.removeprefix(OWNER_PREFIX) for role in self.roles if role.startswith(OWNER_PREFIX)
        )


ANONYMOUS = Principal()


def fetch_jwks(url: str) -> JwksSource:
    """Return a source of public keys that reads `url`."""
    pool = new_pool(timeout=urllib3.Timeout(total=3))

    def fetch() -> Mapping[str, Any]:
        response = pool.request("GET", url)
        if response.status != 200:
            raise OSError(f"status {response.status}")
        keys: Mapping[str, Any] = json.loads(response.data)
        return keys

    return fetch


def fetch_ended(jwks_url: str, service_token: str) -> EndedSource:
    """Return a source of ended sessions: the accounts service, which also has the public keys at `jwks_url`.

    `service_token` is the calling service's own.
    """
    url = jwks_url.rpartition("/")[0] + "/ended-sessions"
    pool = new_pool(timeout=urllib3.Timeout(total=2))
    headers = {"Authorization": f"Bearer {service_token}"}

    def fetch() -> Ended:
        response = pool.request("GET", url, headers=headers)
        if response.status != 200:
            raise OSError(f"status {response.status}")
        answer = json.loads(response.data)
        return Ended(frozenset(map(str, answer["session_ids"])), dict(answer.get("roles_versions", {})))

    return fetch


class KnowsCallers(Protocol):
    """Settings of a service that is called, and calls accounts with a token of its own."""

    @property
    def jwks_url(self) -> str:
        """Return the address of the public keys."""

    @property
    def service_token(self) -> str:
        """Return the service's own token."""

    @property
    def service_tokens(self) -> ServiceTokens:
        """Return the digests by which it recognises other services."""


def remote_verifier(settings: KnowsCallers) -> "Verifier":
    """Return the verifier of every service but accounts."""
    url = settings.jwks_url
    ended = EndedSessions(fetch_ended(url, settings.service_token))
    return Verifier(fetch_jwks(url), settings.service_tokens, ended=ended)


class EndedSessions:
    """Ended sessions, cached for a moment. While accounts does not answer, the last result holds."""

    def __init__(self, source: EndedSource, look_seconds: float = ENDED_LOOK_SECONDS) -> None:
        self._source = source
        self._look_seconds = look_seconds
        self._known = Ended()
        self._next_look = 0.0
        self._lock = threading.Lock()

    def __call__(self) -> Ended:
        """Return them. One caller at a time refreshes the cache; the others do not wait."""
        if time.monotonic() >= self._next_look and self._lock.acquire(blocking=False):
            try:
                self._known = self._source()
            except (OSError, urllib3.exceptions.HTTPError, ValueError, KeyError, TypeError) as err:
                log.warning("ended_sessions_unknown", reason=str(err)[:300])
            finally:
                self._next_look = time.monotonic() + self._look_seconds
                self._lock.release()
        return self._known


def token_problem(slug: str, detail: str, parameters: Mapping[str, object] | None = None) -> Problem:
    """Return the refusal of a credential."""
    return Problem(
        401,
        slug,
        "Not signed in",
        detail,
        field="Authorization",
        remedy="Sign in again, or exchange your API token for a new access token.",
        headers={"WWW-Authenticate": 'Bearer realm="dynabench"'},
        parameters=parameters,
    )


class Authenticates(Protocol):
    """Authentication of callers by their Authorization header."""

    def principal(self, header: str | None) -> Principal:
        """Return the caller that `header` authenticates. Raises Problem."""


class Verifier:
    """Turns an Authorization header into a principal."""

    def __init__(
        self,
        jwks: JwksSource,
        service_tokens: ServiceTokens,
        clock: Clock | None = None,
        ended: EndedSource = Ended,
    ) -> None:
        self._jwks = jwks
        self._ended = ended
        self._service_tokens = service_tokens
        self._clock = clock or SystemClock()
        self._keys: KeySet | None = None
        self._fetched_at = 0.0
        self._remembered: dict[str, tuple[int, Principal]] = {}
        self._lock = threading.Lock()

    def principal(self, header: str | None) -> Principal:
        """Return the caller that sent `header`.

        Raises Problem 401 (`token-malformed`, `token-invalid`; `token-expired`, also when its session ended or the
        person's roles changed), or 503 while the keys can't be fetched.
        """
        if not header:
            return ANONYMOUS
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer" or not token or not token.isascii():
            raise token_problem("token-malformed", "The Authorization header must read 'Bearer <token>'.")
        service = self._service_tokens.service_of(token)
        if service is not None:
            return Principal(service=service)
        now = int(self._clock.now().timestamp())
        remembered = self._remembered.get(token)
        if remembered is None:
            remembered = self._verify(token)
        expires, principal = remembered
        if expires <= now:
            raise token_problem("token-expired", "The access token has expired.")
        if len(self._remembered) >= REMEMBERED_TOKENS:
            self._remembered.clear()
        self._remembered[token] = remembered
        if principal.session_id and self._ended().covers(principal):
            raise token_problem("token-expired", "The session or the roles of the access token have ended.")
        return principal

    def _verify(self, token: str) -> tuple[int, Principal]:
        try:
            claims = jwt.decode(token, self._key_set(), algorithms=["EdDSA", "Ed25519"]).claims
        except (JoseError, TypeError, ValueError):
            claims = self._decode_with_fresh_keys(token)
        if claims.get("aud") != AUDIENCE or claims.get("iss") != ISSUER:
            raise token_problem("token-invalid", "The access token was issued for something else.")
        try:
            expires = int(claims["exp"])
            principal = Principal(
                person_id=UUID(claims["sub"]),
                roles=frozenset(claims.get("roles", [])),
                cohort=str(claims.get("cohort", "volunteer")),
                session_id=str(claims.get("sid", "")),
                roles_version=int(claims.get(ROLES_VERSION, 0)),
                lacks_second_factor=claims.get(SECOND_FACTOR_MISSING) is True,
            )
        except (KeyError, TypeError, ValueError) as err:
            raise token_problem("token-invalid", "The access token lacks a claim.") from err
        return expires, principal

    def _decode_with_fresh_keys(self, token: str) -> dict[str, Any]:
        with self._lock:
            is_recent = self._clock.now().timestamp() - self._fetched_at < REFETCH_SECONDS
            keys = self._key_set() if is_recent else self._fetch()
        try:
            return jwt.decode(token, keys, algorithms=["EdDSA", "Ed25519"]).claims
        except (JoseError, TypeError, ValueError) as err:
            raise token_problem("token-invalid", "The access token is not one of ours.") from err

    def _key_set(self) -> KeySet:
        return self._keys or self._fetch()

    def _fetch(self) -> KeySet:
        """Refresh the keys; the cached ones stay until the new ones have arrived."""
        self._fetched_at = self._clock.now().timestamp()
        try:
            self._keys = KeySet.import_key_set(self._jwks())  # type: ignore[arg-type]
        except (OSError, urllib3.exceptions.HTTPError, ValueError) as err:
            if self._keys is None:
                raise unavailable(
                    "keys-unavailable", "Sign-in is not ready", "The public keys can't be read just now.", 2
                ) from err
        return self._keys
