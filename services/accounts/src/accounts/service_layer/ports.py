"""Ports of the handlers."""

from collections.abc import Callable, Sequence
from datetime import datetime
from types import TracebackType
from typing import Protocol, Self
from uuid import UUID

from dynabench_common.audit import Action

from accounts.domain.api_token import ApiToken
from accounts.domain.link import Link, LinkKind
from accounts.domain.mail import Mail
from accounts.domain.notice_settings import NoticeSettings
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

    def with_email(self, key: str, most: int) -> list[Person]:
        """Return who signed up with a mail address and is not disabled, the earliest first.

        `key` is the address in the form that `domain.names.email_key` gives.
        """

    def lock_administrators(self) -> frozenset[UUID]:
        """Return who may administer the platform, kept from others' changes until the transaction ends."""

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

    def has_token(self, digest: bytes) -> bool:
        """Tell whether a token is kept."""

    def end_all(self, person_id: UUID, now: datetime, but: UUID | None = None) -> None:
        """End every session of a person, but one if it is named."""


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

    def live_of(self, person_id: UUID) -> list[ApiToken]:
        """Return a person's tokens that are not revoked, newest first."""

    def save(self, token: ApiToken) -> None:
        """Write a changed token."""


class Links(Protocol):
    """Links that were sent by mail."""

    def add(self, link: Link) -> None:
        """Keep a new link."""

    def lock(self, digest: bytes, kind: LinkKind) -> Link | None:
        """Return a link, kept from others' changes until the transaction ends, or None for an unknown one."""

    def count_since(self, person_id: UUID, kind: LinkKind, since: datetime) -> int:
        """Count the links of a kind that a person was sent since then."""

    def end_all(self, person_id: UUID, now: datetime) -> None:
        """End every link of a person."""


class Mails(Protocol):
    """Mails to send."""

    def add(self, mail: Mail) -> None:
        """Keep a new mail; the worker sends it."""


class Notices(Protocol):
    """People's notices, and their settings."""

    def mark_read(self, person_id: UUID, up_to: int, now: datetime) -> None:
        """Mark a person's notices as read up to a position."""

    def save_settings(self, person_id: UUID, settings: NoticeSettings, language: str | None) -> None:
        """Write how a person wants notices, and the language of their mails, which None leaves as it is."""

    def end_mails(self, person_id: UUID) -> None:
        """Send the person no more mails with notices; whatever else they chose stays."""


class SignInFailures(Protocol):
    """Tries that are limited, by what they are counted under."""

    def lock(self, subject: str, now: datetime) -> Failures:
        """Return the count, kept from others' changes until the transaction ends; nothing yet is zero."""

    def save(self, subject: str, failures: Failures) -> None:
        """Write the count."""

    def clear(self, subject: str) -> None:
        """Forget the count."""

    def note(self, subject: str, until: datetime, count: int) -> None:
        """Keep a number until then, instead of one that is kept already."""

    def noted(self, subject: str, now: datetime) -> int:
        """Return the number that is kept still, or 0."""


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
    def links(self) -> Links:
        """Links that were sent by mail."""

    @property
    def mails(self) -> Mails:
        """Mails to send."""

    @property
    def notices(self) -> Notices:
        """What people were told."""

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

    def successors(self, token: str) -> Sequence[str]:
        """Return what may follow, one for each key, first the one to issue; only this service can work it out."""


class MailTexts(Protocol):
    """The texts of mails in the languages that there are."""

    def say(self, language: str, text: str) -> str:
        """Return a text in a language, or as it is where there is no translation."""


class MailRefused(Exception):
    """Nobody took a mail; `for_good` where no later attempt will do better."""

    def __init__(self, reason: str, *, for_good: bool = False) -> None:
        super().__init__(reason)
        self.for_good = for_good


class MailSender(Protocol):
    """A server or folder that accepts mails."""

    def send(self, mail: Mail) -> None:
        """Hand a mail over. Raises MailRefused."""


class UnsubscribeTokens(Protocol):
    """Tokens that end mails without signing in."""

    def issue(self, person_id: UUID) -> str:
        """Return the token of a person."""

    def person_of(self, token: str) -> UUID | None:
        """Return whose token it is; None for one that was not issued here."""
