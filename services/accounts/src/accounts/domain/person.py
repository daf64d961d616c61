"""A person: names, roles and cohort, and the events that tell other services about them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from accounts.domain import names, roles


@dataclass(frozen=True)
class PersonRegistered:
    """A person signed up. Carries the pseudonym only: names and mail stay here."""

    person_id: UUID
    version: int
    cohort: str
    roles: tuple[str, ...]
    registered_at: datetime


@dataclass(frozen=True)
class PersonRolesChanged:
    """The set of a person's roles changed."""

    person_id: UUID
    version: int
    roles: tuple[str, ...]
    changed_at: datetime


Event = PersonRegistered | PersonRolesChanged


@dataclass
class Person:
    """Aggregate. `version` grows by one with each event."""

    person_id: UUID
    user_name: str
    email: str
    password_hash: str
    roles: frozenset[str]
    cohort: str
    registered_at: datetime
    version: int = 0
    events: list[Event] = field(default_factory=list)

    def grant(self, given: Iterable[str], now: datetime) -> None:
        """Replace the roles. Says nothing to anyone when they are the same already."""
        wanted = roles.role_set(given)
        if wanted == self.roles:
            return
        self.roles = wanted
        self.version += 1
        self.events.append(PersonRolesChanged(self.person_id, self.version, tuple(sorted(wanted)), now))

    def take_events(self) -> list[Event]:
        """Return the events that are not recorded yet, once."""
        taken, self.events = self.events, []
        return taken


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
    person = Person(
        person_id=person_id,
        user_name=names.user_name(user_name),
        email=names.email(email),
        password_hash=password_hash,
        roles=roles.role_set(given_roles),
        cohort=roles.cohort(cohort),
        registered_at=now,
        version=1,
    )
    person.events.append(PersonRegistered(person_id, 1, person.cohort, tuple(sorted(person.roles)), now))
    return person
