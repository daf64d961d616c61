"""Commands that make and change people."""

from collections.abc import Callable, Iterable
from uuid import UUID

from dynabench_common.audit import Action
from dynabench_common.clock import Clock
from dynabench_common.identifiers import new_id

from accounts.adapters.passwords import Argon2Passwords
from accounts.adapters.unit_of_work import NewUnitOfWork
from accounts.domain import names, passwords, roles
from accounts.domain.errors import AlreadyTaken, LastAdministrator, OwnAdministration, TooManySignUps
from accounts.domain.person import Disablement, Person, reason_given, register
from accounts.domain.throttle import KNOWN_FOR, OF_SIGN_UPS, Limit, known_at
from accounts.service_layer.commands import ChangeRoles, EnsurePerson, SetDisabled, SetRoles, SignUp
from accounts.service_layer.limits import count_try, limit_at


def sign_up(
    command: SignUp,
    new_unit_of_work: NewUnitOfWork,
    hasher: Argon2Passwords,
    clock: Clock,
    limit: Limit = OF_SIGN_UPS,
) -> Person:
    """Register a volunteer. A try is counted before its password is hashed.

    Raises FieldRefused for a value that breaks a rule, TooManySignUps, AlreadyTaken for a name in use.
    """
    _check(command)
    with new_unit_of_work() as uow:
        counts, now = uow.sign_in_failures, clock.now()
        raised = limit_at(counts, command.address, limit, now)
        if closed_for := count_try(counts, f"sign-up from {command.address}", raised, now):
            raise TooManySignUps(closed_for, command.address)
        uow.commit()
    person = register(
        new_id(),
        user_name=command.user_name,
        email=command.email,
        password_hash=hasher.hash(command.password),
        now=clock.now(),
    )
    with new_unit_of_work() as uow:
        uow.people.add(person)
        uow.sign_in_failures.note(known_at(person.user_name, command.address), clock.now() + KNOWN_FOR, 1)
        uow.commit()
    return person


def set_roles(command: SetRoles, new_unit_of_work: NewUnitOfWork, clock: Clock) -> Person:
    """Replace a person's roles. Raises PersonNotFound, FieldRefused, OwnAdministration, LastAdministrator."""
    wanted = roles.role_set(command.roles)
    return _give_roles(command, lambda _held: wanted, "", new_unit_of_work, clock)


def change_roles(command: ChangeRoles, new_unit_of_work: NewUnitOfWork, clock: Clock) -> Person:
    """Give and take roles, whatever else the person holds.

    Raises PersonNotFound, FieldRefused, OwnAdministration, LastAdministrator.
    """
    given, taken = roles.role_set(command.grant), roles.revocable(command.revoke)
    return _give_roles(
        command, lambda held: (held | given) - taken, command.reason.strip(), new_unit_of_work, clock
    )


def _give_roles(
    command: SetRoles | ChangeRoles,
    wanted: Callable[[frozenset[str]], frozenset[str]],
    reason: str,
    new_unit_of_work: NewUnitOfWork,
    clock: Clock,
) -> Person:
    with new_unit_of_work() as uow:
        administrators = uow.people.lock_administrators()
        person = uow.people.lock(command.person_id)
        before, now = person.roles, clock.now()
        person.grant(wanted(before), now)
        if roles.ADMIN in before - person.roles:
            _ensure_replaceable(person, command.actor_id, administrators)
        uow.people.save(person)
        if person.roles != before:
            uow.audit(_roles_changed(command, before, person.roles, reason), now)
        uow.commit()
    return person


def set_disabled(command: SetDisabled, new_unit_of_work: NewUnitOfWork, clock: Clock) -> Person:
    """Keep a person out, which ends their sessions, or let them in again; what is so already stays as it was.

    Raises PersonNotFound, FieldRefused, OwnAdministration, LastAdministrator.
    """
    reason = reason_given(command.reason)
    with new_unit_of_work() as uow:
        administrators = uow.people.lock_administrators()
        person, now = uow.people.lock(command.person_id), clock.now()
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
    """Refuse to take administration from oneself or from the last who has it."""
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


def ensure_person(
    command: EnsurePerson, new_unit_of_work: NewUnitOfWork, hasher: Argon2Passwords, clock: Clock
) -> Person:
    """Register the person, or give an existing one the missing roles and this password.

    An existing person keeps mail address, cohort and further roles. A new password ends running sessions.
    Raises FieldRefused.
    """
    _check(command)
    try:
        return _register(command, new_unit_of_work, hasher, clock)
    except AlreadyTaken as taken:
        person = _bring_up_to_date(command, new_unit_of_work, hasher, clock)
        if person is None:
            raise taken
        return person


def _check(command: SignUp | EnsurePerson) -> None:
    user_name, email = names.user_name(command.user_name), names.email(command.email)
    passwords.check(command.password, own_names=(user_name, email.partition("@")[0]))


def _register(
    command: EnsurePerson, new_unit_of_work: NewUnitOfWork, hasher: Argon2Passwords, clock: Clock
) -> Person:
    person = register(
        new_id(),
        user_name=command.user_name,
        email=command.email,
        password_hash=hasher.hash(command.password),
        now=clock.now(),
        cohort=command.cohort,
        given_roles=command.roles,
    )
    with new_unit_of_work() as uow:
        uow.people.add(person)
        uow.commit()
    return person


def _bring_up_to_date(
    command: EnsurePerson, new_unit_of_work: NewUnitOfWork, hasher: Argon2Passwords, clock: Clock
) -> Person | None:
    with new_unit_of_work() as uow:
        found = uow.people.find_by_user_name(names.user_name(command.user_name))
        if found is None:
            return None
        person = uow.people.lock(found.person_id)
        person.grant(person.roles | roles.role_set(command.roles), clock.now())
        if not hasher.verify(person.password_hash, command.password):
            person.password_hash = hasher.hash(command.password)
            uow.sessions.end_all(person.person_id, clock.now())
            uow.links.end_all(person.person_id, clock.now())
        uow.people.save(person)
        uow.commit()
    return person
