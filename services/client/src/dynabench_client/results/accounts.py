"""Results of the accounts service."""

from datetime import datetime
from typing import Any

from dynabench_client.results.base import Result


class Person(Result):
    """A person as others may see them."""

    person_id: str
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


class ListedPerson(Person):
    """A person as administrators see them in a list; `disabled_at` tells since when one of them keeps them out."""

    email: str
    disabled_at: datetime | None


class KnownPerson(ListedPerson):
    """What administrators know of a person: who disabled them and why, and what they use.

    `last_seen_at` is the newest use of a session, to 15 minutes, or of an API token; None after a month without.
    """

    disabled_by: str | None
    disabled_by_name: str | None
    disabled_reason: str | None
    sessions: int
    api_tokens: int
    last_seen_at: datetime | None


class PeopleCounts(Result):
    """How many people there are; `new` signed up within seven days, `administrators` are not disabled."""

    people: int
    administrators: int
    disabled: int
    new: int


class MailCounts(Result):
    """How many mails wait and since when, why the oldest was not taken, and how many were given up lately."""

    waiting: int
    oldest_at: datetime | None
    trouble: str | None
    given_up: int


class OwnEmail(Result):
    """One's own mail address."""

    email: str


class Owner(Result):
    """A person who looks after a task."""

    person_id: str
    user_name: str


class Owners(Result):
    """The owners of a task, by name."""

    items: tuple[Owner, ...]


class Access(Result):
    """An access token, the seconds it is good for, and whom it speaks for."""

    access_token: str
    expires_in: int
    person: Person


class SignedIn(Access):
    """What signing in or refreshing gives.

    `refresh_token` is the value of the refresh cookie; `set_cookie` is the whole header, for a server that
    passes it on to a browser.
    """

    refresh_token: str
    set_cookie: str


class ApiToken(Result):
    """An API token without its text."""

    token_id: str
    name: str
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


class NewApiToken(ApiToken):
    """A fresh API token with its text, which is told this once."""

    token: str


class AuditEntry(Result):
    """What a person did to an object, with their reason; `details` are by the kind of action."""

    entry_id: str
    actor_id: str | None
    actor_name: str | None
    action: str
    object_kind: str
    object_id: str
    task_slug: str
    round_id: str | None
    reason: str
    details: dict[str, Any]
    taken_at: datetime


class NewPasswordChosen(Result):
    """Whose password is another one by a link, and the API tokens that go on working."""

    person: Person
    api_tokens: tuple[ApiToken, ...]
