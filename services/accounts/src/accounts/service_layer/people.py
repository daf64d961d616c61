"""Commands that make and change people."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from dynabench_common.events.audit import Action
from dynabench_common.identifiers import new_id

from accounts.adapters.unit_of_work import AccountsUnitOfWork
from accounts.domain import names, passwords, roles
from accounts.domain.errors import AlreadyTaken, LastAdministrator, OwnAdministration, TooManySignUps
from accounts.domain.person import Disablement, Person, reason_given, register
from accounts.domain.throttle import KNOWN_FOR, known_at
from accounts.service_layer.dependencies import Dependencies, HttpDependencies
from accounts.service_layer.limits import count_try, limit_at


@dataclass(frozen=True)
class SignUp:
    """Become a volunteer annotator."""

    user_name: str
    email: str
    password: str
    address: str = "unknown"


@dataclass(frozen=True)
class EnsurePerson:
    """Make sure that a person with this name, password and at least these roles exists."""

    user_name: str
    email: str
    password: str
    roles: tuple[str, ...]
    cohort: str


@dataclass(frozen=True)
class SetRoles:
    """Replace a person's roles."""

    actor_id: UUID
    person_id: UUID
    roles: tuple[str, ...]


@dataclass(frozen=True)
class ChangeRoles:
    """Give a person roles and take others away."""

    actor_id: UUID
    person_id: UUID
    grant: tuple[str, ...]
    revoke: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class SetDisabled:
    """Keep a person out, or let them in again."""

    actor_id: UUID
    person_id: UUID
    is_disabled: bool
    reason: str


def sign_up(command: SignUp, app: HttpDependencies) -> Person:
    """Register a volunteer. A try is counted before its password is hashed.

    Raises FieldRefused for a value that breaks a rule, TooManySignUps, AlreadyTaken for a name in use.
    """
    _check(command)
    with app.unit_of_work() as uow:
        counts, now = uow.sign_in_failures, app.clock.now()
        raised = limit_at(counts, command.address, app.sign_up_limit, now)
        if closed_for := count_try(counts, f"sign-up from {command.address}", raised, now):
            raise TooManySignUps(closed_for, command.address)
        uow.commit()
    person = register(
        new_id(),
        user_name=command.user_name,
        email=command.email,
        password_hash=app.passwords.hash(command.password),
        now=app.clock.now(),
    )
    with app.unit_of_work() as uow:
        uow.people.add(person)
        uow.sign_in_failures.note(known_at(person.user_name, command.address), app.clock.now() + KNOWN_FOR, 1)
        uow.commit()
    return person


def set_roles(command: SetRoles, app: Dependencies) -> Person:
    """Replace a person's roles. Raises PersonNotFound, FieldRefused, OwnAdministration, LastAdministrator."""
    wanted = roles.role_set(command.roles)
    return _give_roles(command, lambda _held: wanted, "", app)


def change_roles(command: ChangeRoles, app: Dependencies) -> Person:
    """Add and remove roles of a person; other roles stay.

    Raises PersonNotFound, FieldRefused, OwnAdministration, LastAdministrator.
    """
    given, taken = roles.role_set(command.grant), roles.revocable(command.revoke)
    return _give_roles(command, lambda held: (held | given) - taken, command.reason.strip(), app)


def _give_roles(
    command: SetRoles | ChangeRoles,
    wanted: Callable[[frozenset[str]], frozenset[str]],
    reason: str,
    app: Dependencies,
) -> Person:
    with app.unit_of_work() as uow:
        person = give_roles(command, wanted, reason, uow, app.clock.now())
        uow.commit()
    return person


def give_roles(
    command: SetRoles | ChangeRoles,
    wanted: Callable[[frozenset[str]], frozenset[str]],
    reason: str,
    uow: AccountsUnitOfWork,
    now: datetime,
) -> Person:
    """Change a person's roles in a transaction. Raises PersonNotFound, OwnAdministration, LastAdministrator."""
    administrators = uow.people.lock_administrators()
    person = uow.people.lock(command.person_id)
    before = person.roles
    person.grant(wanted(before), now)
    if roles.ADMIN in before - person.roles:
        _ensure_replaceable(person, command.actor_id, administrators)
    uow.people.save(person)
    if person.roles != before:
        uow.audit(_roles_changed(command, before, person.roles, reason), now)
    return person


def set_disabled(command: SetDisabled, app: Dependencies) -> Person:
    """Keep a person out, which ends their sessions, or let them in again; what is so already stays as it was.

    Raises PersonNotFound, FieldRefused, OwnAdministration, LastAdministrator.
    """
    reason = reason_given(command.reason)
    with app.unit_of_work() as uow:
        administrators = uow.people.lock_administrators()
        person, now = uow.people.lock(command.person_id), app.clock.now()
        if command.is_disabled is (person.disabled is not None):
            return person
        if command.is_disabled:
            _ensure_replaceable(person, command.actor_id, administrators)
            uow.sessions.end_all(person.person_id, now)
            uow.links.end_all(person.person_id, now)
        person.disabled = Disablement(now, command.actor_id, reason) if command.is_disabled else None
        uow.people.save(person)
        uow.audit(_disabled(command, reason), now)
        uow.commit()
    return person


def _ensure_replaceable(person: Person, actor_id: UUID, administrators: frozenset[UUID]) -> None:
    """Refuse to remove one's own administration, or the last administrator's."""
    if person.person_id == actor_id:
        raise OwnAdministration
    if administrators == {person.person_id}:
        raise LastAdministrator(person.user_name)


def _roles_changed(
    command: SetRoles | ChangeRoles, before: Iterable[str], after: Iterable[str], reason: str
) -> Action:
    return Action(
        action="person.roles_changed",
        actor_id=command.actor_id,
        object_kind="person",
        object_id=command.person_id,
        reason=reason,
        details={"before": ", ".join(sorted(before)), "after": ", ".join(sorted(after))},
    )


def _disabled(command: SetDisabled, reason: str) -> Action:
    return Action(
        action="person.disabled" if command.is_disabled else "person.enabled",
        actor_id=command.actor_id,
        object_kind="person",
        object_id=command.person_id,
        reason=reason,
    )


def ensure_person(command: EnsurePerson, app: Dependencies) -> Person:
    """Register the person, or give an existing one the missing roles and this password.

    An existing person keeps mail address, cohort and further roles. A new password ends running sessions.
    Raises FieldRefused.
    """
    _check(command)
    try:
        return _register(command, app)
    except AlreadyTaken as taken:
        person = _bring_up_to_date(command, app)
        if person is None:
            raise taken
        return person


def _check(command: SignUp | EnsurePerson) -> None:
    user_name, email = names.user_name(command.user_name), names.email(command.email)
    passwords.check(command.password, own_names=(user_name, email.partition("@")[0]))


def _register(command: EnsurePerson, app: Dependencies) -> Person:
    person = register(
        new_id(),
        user_name=command.user_name,
        email=command.email,
        password_hash=app.passwords.hash(command.password),
        now=app.clock.now(),
        cohort=command.cohort,
        given_roles=command.roles,
    )
    with app.unit_of_work() as uow:
        uow.people.add(person)
        uow.commit()
    return person


def _bring_up_to_date(command: EnsurePerson, app: Dependencies) -> Person | None:
    with app.unit_of_work() as uow:
        found = uow.people.find_by_user_name(names.user_name(command.user_name))
        if found is None:
            return None
        person = uow.people.lock(found.person_id)
        person.grant(person.roles | roles.role_set(command.roles), app.clock.now())
        if not app.passwords.verify(person.password_hash, command.password):
            person.password_hash = app.passwords.hash(command.password)
            uow.sessions.end_all(person.person_id, app.clock.now())
            uow.links.end_all(person.person_id, app.clock.now())
        uow.people.save(person)
        uow.commit()
    return person
