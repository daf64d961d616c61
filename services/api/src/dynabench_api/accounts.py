"""People, their tokens, and the audit log, as the accounts service answers them."""

from datetime import datetime
from typing import Any

from pydantic import Field

from dynabench_api.base import Id, Page, Record


class PersonAnswer(Record):
    """A person; the mail address is not part of it."""

    person_id: Id
    user_name: str
    roles: tuple[str, ...]
    cohort: str
    registered_at: datetime

    @property
    def is_admin(self) -> bool:
        """Tell whether the person administers the platform."""
        return "admin" in self.roles

    def owns(self, task_slug: str) -> bool:
        """Tell whether the person owns the task."""
        return f"owner:{task_slug}" in self.roles


class OwnerAnswer(Record):
    """A person who looks after a task."""

    person_id: Id
    user_name: str


class OwnersAnswer(Record):
    """The owners of a task, by name."""

    items: tuple[OwnerAnswer, ...]


class AccessAnswer(Record):
    """An access token and whom it speaks for."""

    access_token: str
    expires_in: int = Field(description="Seconds")
    person: PersonAnswer


class EndedSessionsAnswer(Record):
    """Ended sessions, whose access tokens are no longer accepted."""

    session_ids: tuple[str, ...]


class ApiTokenAnswer(Record):
    """An API token without its text."""

    token_id: Id
    name: str
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


class NewApiTokenAnswer(ApiTokenAnswer):
    """A fresh API token with its text, which is told this once."""

    token: str


class ApiTokensAnswer(Page[ApiTokenAnswer]):
    """A page of API tokens."""


class JwksAnswer(Record):
    """Public keys (RFC 7517)."""

    keys: tuple[dict[str, Any], ...]


class ListedPersonAnswer(PersonAnswer):
    """A person as administrators see them in a list."""

    email: str
    disabled_at: datetime | None = Field(description="Since when an administrator keeps them out")


class KnownPersonAnswer(ListedPersonAnswer):
    """A person's account."""

    disabled_by: Id | None
    disabled_by_name: str | None
    disabled_reason: str | None
    sessions: int = Field(description="Browsers that are signed in")
    api_tokens: int = Field(description="Live ones")
    last_seen_at: datetime | None = Field(
        description="Newest use of a session, to 15 minutes, or of an API token; null after a month without"
    )


class PeopleAnswer(Page[ListedPersonAnswer]):
    """A page of people."""


class PeopleCountsAnswer(Record):
    """The number of accounts."""

    people: int
    administrators: int = Field(description="Without those who are disabled")
    disabled: int
    new: int = Field(description="Signed up within seven days")


class EmailAnswer(Record):
    """One's own mail address."""

    email: str


class NewPasswordAnswer(Record):
    """The person with the changed password; all sessions have ended."""

    person: PersonAnswer
    api_tokens: tuple[ApiTokenAnswer, ...] = Field(
        description="They go on working: revoke those you don't know"
    )


class MailCountsAnswer(Record):
    """The state of mail delivery."""

    waiting: int = Field(description="To be sent, or to be tried again")
    oldest_at: datetime | None = Field(description="When the oldest of these was written")
    trouble: str | None = Field(description="Why that one was not taken at the last attempt")
    given_up: int = Field(description="Within the last days: refused for good, or too late to be of use")


class AuditEntryAnswer(Record):
    """An entry of the audit log: the person, the action, its object and the reason."""

    entry_id: Id
    actor_id: Id | None = Field(description="Null if the platform acted")
    actor_name: str | None = Field(
        description="Owners are told the names of owners and administrators alone, administrators all"
    )
    action: str = Field(description="Such as round.closed or example.adjudicated")
    object_kind: str
    object_id: Id
    task_slug: str
    round_id: Id | None
    reason: str
    details: dict[str, Any]
    taken_at: datetime


class AuditAnswer(Page[AuditEntryAnswer]):
    """A page of the audit log."""
