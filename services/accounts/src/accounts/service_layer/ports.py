"""What the handlers need from outside, as they see it."""

from collections.abc import Callable
from datetime import datetime
from types import TracebackType
from typing import Protocol, Self
from uuid import UUID

from dynabench_common.audit import Action

from accounts.domain.api_token import ApiToken
from accounts.domain.person import Person
from accounts.domain.session import RefreshToken, Session
from accounts.domain.throttle import Failures


class People(Protocol):
    """The people, by id or user name."""

    def add(self, person: Person) -> None:
        """Keep a new person. Raises AlreadyTaken for a user name in use; mail addresses may repeat."""

    def get(self, person_id: UUID) -> Person:
        """Return a person. Raises PersonNotFound."""

    def lock(self, person_id: UUID) -> Person:
        """Return a person, kept from others' changes until the transaction ends. Raises PersonNotFound."""

    def find_by_user_name(self, user_name: str) -> Person | None:
        """Return the person with this user name, in the form that `domain.names` gives."""

    def save(self, person: Person) -> None:
        """Write a changed person."""


class Sessions(Protocol):
    """Sessions and the refresh tokens of their families."""

    def add(self, session: Session, token: RefreshToken) -> None:
        """Keep a new session with its first token."""

    def lock_by_token(self, digest: bytes) -> tuple[Session, RefreshToken] | None:
        """Return the session of a refresh token and the token, locked, or None for an unknown one."""

    def save(self, session: Session, token: RefreshToken) -> None:
        """Write a changed session and token."""

    def add_token(self, token: RefreshToken) -> None:
        """Keep a further token of a session."""

    def end_all(self, person_id: UUID, now: datetime) -> None:
        """End every session of a person."""


class ApiTokens(Protocol):
    """API tokens."""

    def add(self, token: ApiToken) -> None:
        """Keep a new token."""

    def find_by_digest(self, digest: bytes) -> ApiToken | None:
        """Return the token with this digest, revoked or not."""

    def get(self, token_id: UUID, person_id: UUID) -> ApiToken:
        """Return a person's token. Raises ApiTokenNotFound, for someone else's too."""

    def count_live(self, person_id: UUID) -> int:
        """Return how many tokens of a person are not revoked."""

    def save(self, token: ApiToken) -> None:
        """Write a changed token."""


class SignInFailures(Protocol):
    """Tries that are limited, by what they are counted under."""

    def lock(self, subject: str, now: datetime) -> Failures:
        """Return the count, kept from others' changes until the transaction ends; nothing yet is zero."""

    def save(self, subject: str, failures: Failures) -> None:
        """Write the count."""

    def clear(self, subject: str) -> None:
        """Forget the count."""


class UnitOfWork(Protocol):
    """One transaction; the events of the people it saved are recorded with it."""

    @property
    def people(self) -> People:
        """The people."""

    @property
    def sessions(self) -> Sessions:
        """Sessions and refresh tokens."""

    @property
    def api_tokens(self) -> ApiTokens:
        """API tokens."""

    @property
    def sign_in_failures(self) -> SignInFailures:
        """Tries that are limited."""

    def __enter__(self) -> Self:
        """Begin."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Roll back what was not committed."""

    def audit(self, action: Action, at: datetime) -> None:
        """Write an entry of the audit log beside what it tells of."""

    def commit(self) -> None:
        """Make changes and events durable."""


NewUnitOfWork = Callable[[], UnitOfWork]


class Passwords(Protocol):
    """Slow, salted password hashes."""

    def hash(self, password: str) -> str:
        """Return a hash to store."""

    def verify(self, stored: str | None, password: str) -> bool:
        """Tell whether the password fits; None costs the same time and never fits."""

    def is_outdated(self, stored: str) -> bool:
        """Tell whether the hash was made with weaker settings than today's."""


class AccessTokens(Protocol):
    """Signed, short-lived tokens that other services check by themselves."""

    lifetime_seconds: int

    def issue(self, person: Person, session_id: UUID, now: datetime) -> str:
        """Return a token that speaks for the person until the session, or API token, that it came by ends."""


class RefreshSecrets(Protocol):
    """The texts of refresh tokens."""

    def first(self) -> str:
        """Return the first token of a family."""

    def successor(self, token: str) -> str:
        """Return the one token that follows; only this service can work it out."""
