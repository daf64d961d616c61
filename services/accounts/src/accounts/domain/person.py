"""A person: names, roles, cohort, and who they are at issuers of sign-ins (OpenID Connect).

Events identify a person to other services by pseudonym alone.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from dynabench_events.history import Aggregate
from dynabench_events.person import PersonDeleted, PersonRegistered, PersonRolesChanged

from accounts.domain import names, roles
from accounts.domain.errors import AccountNeeded, FieldRefused, NotOfCampaign
from accounts.domain.second_factor import SecondFactor

LONGEST_REASON = 500
DELETED = "The person deleted the account."
NO_PASSWORD = "!"  # noqa: S105
"""In place of the hash for people who sign in by an issuer alone; no password fits."""


@dataclass(frozen=True)
class Disablement:
    """The disabling of a person: by whom, since when and why; `by` is None for an operator."""

    at: datetime
    by: UUID | None
    reason: str


@dataclass
class Person(Aggregate):
    """A person; `email_confirmed_at` is the time when mail to the address first proved to arrive, None before.

    `member_of` has the addresses of tasks whose member the person is, alone or by a group. `roles_version` grows with
    each change of roles and memberships. People of campaigns have neither mail address nor password; both are empty.
    `NO_PASSWORD` stands for people who sign in by an issuer alone.
    """

    person_id: UUID
    user_name: str
    email: str
    password_hash: str
    roles: frozenset[str]
    cohort: str
    registered_at: datetime
    disabled: Disablement | None = None
    email_confirmed_at: datetime | None = None
    second_factor: SecondFactor | None = None
    member_of: frozenset[str] = frozenset()
    roles_version: int = 0

    @property
    def has_password(self) -> bool:
        """Return whether the person can sign in with a password."""
        return self.password_hash not in ("", NO_PASSWORD)

    @property
    def has_second_factor(self) -> bool:
        """Return whether sign-in needs a code."""
        return self.second_factor is not None and self.second_factor.confirmed_at is not None

    def ensure_has_account(self) -> None:
        """Raise AccountNeeded for a person of a campaign."""
        if not self.password_hash:
            raise AccountNeeded

    def ensure_of_campaign(self) -> None:
        """Raise NotOfCampaign for a person with an account of their own."""
        if self.password_hash:
            raise NotOfCampaign

    def grant(self, given: Iterable[str], now: datetime) -> None:
        """Replace the roles. Says nothing to anyone when they are the same already."""
        wanted = roles.role_set(given)
        if wanted == self.roles:
            return
        self.roles = wanted
        self.record(PersonRolesChanged(person_id=self.person_id, roles=tuple(sorted(wanted)), changed_at=now))

    def delete(self, now: datetime, *, withdraws_texts: bool) -> None:
        """Remove everything that names the person; the pseudonym stays, so that counts do."""
        self.user_name, self.email, self.email_confirmed_at = f"deleted-{self.person_id.hex}", "", None
        self.password_hash, self.second_factor = NO_PASSWORD, None
        self.grant((), now)
        self.disabled = Disablement(now, None, DELETED)
        self.record(PersonDeleted(person_id=self.person_id, withdraws_texts=withdraws_texts, deleted_at=now))

    def got_mail(self, email: str, now: datetime) -> None:
        """Confirm the present mail address, if it is the one whose link the person used."""
        if email == self.email and self.email_confirmed_at is None:
            self.email_confirmed_at = now


def reason_given(text: str, field: str = "reason") -> str:
    """Return the trimmed reason for an audited action. Raises FieldRefused if it is empty or too long."""
    reason = text.strip()
    if not reason or len(reason) > LONGEST_REASON:
        raise FieldRefused(
            field, f"must have 1 to {LONGEST_REASON} characters", "Say why; the audit log keeps it."
        )
    return reason


def register(
    person_id: UUID,
    *,
    user_name: str,
    email: str,
    password_hash: str,
    now: datetime,
    cohort: str = "volunteer",
    given_roles: Iterable[str] = (),
) -> Person:
    """Return a new person with its event. Raises FieldRefused for a bad name, address, role or cohort."""
    return _registered(
        Person(
            person_id=person_id,
            user_name=names.user_name(user_name),
            email=names.email(email),
            password_hash=password_hash,
            roles=roles.role_set(given_roles),
            cohort=roles.cohort(cohort),
            registered_at=now,
        )
    )


def register_of_campaign(person_id: UUID, now: datetime) -> Person:
    """Return a new person of a campaign with its event. The user name names nobody."""
    return _registered(
        Person(
            person_id=person_id,
            user_name=f"{roles.CROWD}-{person_id.hex}",
            email="",
            password_hash="",
            roles=roles.role_set(()),
            cohort=roles.CROWD,
            registered_at=now,
        )
    )


def _registered(person: Person) -> Person:
    person.record(
        PersonRegistered(
            person_id=person.person_id,
            cohort=person.cohort,
            roles=tuple(sorted(person.roles)),
            registered_at=person.registered_at,
        )
    )
    return person


@dataclass
class Identity:
    """The person whom an issuer names by `subject`, and the roles that it gave at the last sign-in.

    `issuer` is the issuer's address. Names and mail addresses at the issuer may change; the subject does not.
    """

    issuer: str
    subject: str
    person_id: UUID
    linked_at: datetime
    last_used_at: datetime
    roles: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True)
class IssuedPerson:
    """A person who signed in at an issuer, as the issuer describes them."""

    issuer: str
    subject: str
    user_name: str
    email: str
    is_email_verified: bool
    roles: frozenset[str]
