"""Credentials of the client, and renewal of its access token."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from dynabench_client.errors import ProblemError, UnreachableError

RENEW_BEFORE_SECONDS = 60.0


class Credential(Protocol):
    """Gives the access token of each call."""

    def access_token(self) -> str | None:
        """Return a token that is good now, or None to call as nobody."""

    def replace(self, refused: str) -> bool:
        """Drop a token that the platform refused. Return whether a new one is available."""


@dataclass(frozen=True)
class FixedCredential:
    """A given access token, or none. The caller renews it."""

    token: str | None = None

    def access_token(self) -> str | None:
        """Return the given token."""
        return self.token

    def replace(self, refused: str) -> bool:  # noqa: ARG002
        """There is no other."""
        return False


@dataclass(frozen=True)
class Grant:
    """An access token and how many seconds it is good for."""

    access_token: str
    expires_in: float


class RenewingCredential:
    """Obtains access tokens and renews them a minute before they expire.

    One thread renews while others wait. Should the renewal fail for want of an answer, a token that is still
    good goes on being used.
    """

    def __init__(self, obtain: Callable[[], Grant], monotonic: Callable[[], float] = time.monotonic) -> None:
        self._obtain = obtain
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._token: str | None = None
        self._renew_at = self._expires_at = 0.0

    def access_token(self) -> str | None:
        """Return a token that is good now. Raises ProblemError or UnreachableError when none can be had."""
        with self._lock:
            now = self._monotonic()
            if self._token is None or now >= self._renew_at:
                try:
                    self._keep(self._obtain(), now)
                except UnreachableError:
                    if self._token is None or now >= self._expires_at:
                        raise
            return self._token

    def replace(self, refused: str) -> bool:
        """Forget the token, unless another thread has replaced it already."""
        with self._lock:
            if self._token == refused:
                self._token = None
        return True

    def _keep(self, grant: Grant, now: float) -> None:
        self._token = grant.access_token
        self._expires_at = now + grant.expires_in
        self._renew_at = self._expires_at - min(RENEW_BEFORE_SECONDS, grant.expires_in / 2)


@dataclass(frozen=True)
class SessionGrant(Grant):
    """A grant that came with a refresh token."""

    refresh_token: str


class PasswordGrants:
    """Obtains grants by user name and password, and by the refresh token from then on."""

    def __init__(self, sign_in: Callable[[], SessionGrant], refresh: Callable[[str], SessionGrant]) -> None:
        self._sign_in = sign_in
        self._refresh = refresh
        self._refresh_token: str | None = None

    def __call__(self) -> Grant:
        """Return a fresh grant; a session that has ended is started anew."""
        grant = self._renewed() or self._sign_in()
        self._refresh_token = grant.refresh_token
        return grant

    def _renewed(self) -> SessionGrant | None:
        if self._refresh_token is None:
            return None
        try:
            return self._refresh(self._refresh_token)
        except ProblemError as err:
            if err.status != 401:
                raise
            return None
