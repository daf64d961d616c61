"""Commands that make and change people."""

from collections.abc import Iterable

from dynabench_common.audit import Action
from dynabench_common.clock import Clock
from dynabench_common.identifiers import new_id

from accounts.domain import names, passwords, roles
from accounts.domain.errors import AlreadyTaken, TooManySignUps
from accounts.domain.person import Person, register
from accounts.domain.throttle import OF_SIGN_UPS, Limit, counted
from accounts.service_layer.commands import EnsurePerson, SetRoles, SignUp
from accounts.service_layer.ports import NewUnitOfWork, Passwords


def sign_up(
    command: SignUp,
    new_unit_of_work: NewUnitOfWork,
    hasher: Passwords,
    clock: Clock,
    limit: Limit = OF_SIGN_UPS,
) -> Person:
    """Register a volunteer. A try is counted before its password is hashed.

    Raises FieldRefused for a value that breaks a rule, TooManySignUps, AlreadyTaken for a name in use.
    """
    _check(command)
    _count(command.address, limit, new_unit_of_work, clock)
    person = register(
        new_id(),
        user_name=command.user_name,
        email=command.email,
        password_hash=hasher.hash(command.password),
        now=clock.now(),
    )
    with new_unit_of_work() as uow:
        uow.people.add(person)
        uow.commit()
    return person


def _count(address: str, limit: Limit, new_unit_of_work: NewUnitOfWork, clock: Clock) -> None:
    subject, now = f"sign-up from {address}", clock.now()
    with new_unit_of_work() as uow:
        tries = uow.sign_in_failures.lock(subject, now)
        closed_for = tries.closed_for(now, limit)
        if closed_for:
            raise TooManySignUps(closed_for)
        uow.sign_in_failures.save(subject, counted(tries, now, limit))
        uow.commit()


def set_roles(command: SetRoles, new_unit_of_work: NewUnitOfWork, clock: Clock) -> Person:
    """Replace a person's roles. Raises PersonNotFound, FieldRefused."""
    wanted = roles.role_set(command.roles)
    with new_unit_of_work() as uow:
        person = uow.people.lock(command.person_id)
        before, now = person.roles, clock.now()
        person.grant(wanted, now)
        uow.people.save(person)
        if person.roles != before:
            uow.audit(_roles_changed(command, before, person.roles), now)
        uow.commit()
    return person


def _roles_changed(command: SetRoles, before: Iterable[str], after: Iterable[str]) -> Action:
    return Action(
        action="person.roles_changed",
        actor_id=command.actor_id,
        object_kind="person",
        object_id=command.person_id,
        details={"before": ", ".join(sorted(before)), "after": ", ".join(sorted(after))},
    )


def ensure_person(
    command: EnsurePerson, new_unit_of_work: NewUnitOfWork, hasher: Passwords, clock: Clock
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
    command: EnsurePerson, new_unit_of_work: NewUnitOfWork, hasher: Passwords, clock: Clock
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
    command: EnsurePerson, new_unit_of_work: NewUnitOfWork, hasher: Passwords, clock: Clock
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
        uow.people.save(person)
        uow.commit()
    return person
