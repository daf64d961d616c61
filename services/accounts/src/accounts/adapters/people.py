"""People in PostgreSQL."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_common.events.outbox import OutboxMessage, outbox_message
from dynabench_events.person import PersonRolesChanged
from sqlalchemy import Connection, Row, Select, func, literal, select, union, update
from sqlalchemy.dialects.postgresql import insert

from accounts.adapters import tables
from accounts.domain.errors import AlreadyTaken, PersonNotFound
from accounts.domain.names import email_key
from accounts.domain.person import Disablement, Person
from accounts.domain.roles import ADMIN
from accounts.domain.second_factor import SecondFactor

OWN = (
    select(tables.task_member.c.task_slug)
    .where(tables.task_member.c.person_id == tables.person.c.person_id)
    .correlate(tables.person)
)
BY_GROUP = (
    select(tables.group_task.c.task_slug)
    .join(tables.group_person, tables.group_person.c.group_id == tables.group_task.c.group_id)
    .where(tables.group_person.c.person_id == tables.person.c.person_id)
    .correlate(tables.person)
)
MEMBER_OF = func.array(union(OWN, BY_GROUP).scalar_subquery()).label("member_of")
"""The tasks whose member a person is, alone or by a group."""
VERSION = (
    select(tables.role_change.c.version)
    .where(tables.role_change.c.person_id == tables.person.c.person_id)
    .scalar_subquery()
    .label("roles_version")
)
COLUMNS = (tables.person, MEMBER_OF, VERSION)


class SqlPeople:
    """Stores people together with their events."""

    def __init__(self, connection: Connection, record: Callable[[Iterable[OutboxMessage]], None]) -> None:
        self._connection = connection
        self._record = record

    def add(self, person: Person) -> None:
        """Insert a person. Raises AlreadyTaken for a user name in use; mail addresses may repeat."""
        if not self.add_if_new(person):
            raise AlreadyTaken("user_name")

    def add_if_new(self, person: Person) -> bool:
        """Insert a person, unless their id or user name is there; return whether they were inserted."""
        row = insert(tables.person).values(person_id=person.person_id, **_changeable(person))
        is_new = self._connection.execute(row.on_conflict_do_nothing()).rowcount == 1
        if is_new:
            self._record(map(outbox_message, person.take_unsaved()))
        return is_new

    def get(self, person_id: UUID) -> Person:
        """Return a person. Raises PersonNotFound."""
        return self._one(_by_id(person_id), person_id)

    def lock(self, person_id: UUID) -> Person:
        """Return a person whose row no one else may change now. Raises PersonNotFound."""
        return self._one(_by_id(person_id).with_for_update(), person_id)

    def find_by_user_name(self, user_name: str) -> Person | None:
        """Return the person with this user name, in the form that `domain.names` gives."""
        row = self._connection.execute(
            select(*COLUMNS).where(tables.person.c.user_name == user_name)
        ).one_or_none()
        return None if row is None else _person(row)

    def with_email(self, key: str, most: int) -> list[Person]:
        """Return people with a mail address who are not disabled, confirmed addresses first, then by sign-up.

        `key` is the address in the form that `domain.names.email_key` gives.
        """
        statement = (
            select(*COLUMNS)
            .where(tables.person.c.email_key == key, tables.person.c.disabled_at.is_(None))
            .order_by(tables.person.c.email_confirmed_at.is_(None), tables.person.c.person_id)
            .limit(most)
        )
        return [_person(row) for row in self._connection.execute(statement)]

    def lock_administrators(self) -> frozenset[UUID]:
        """Return the administrators, with their rows locked until the transaction ends."""
        statement = (
            select(tables.person.c.person_id)
            .where(tables.person.c.roles.contains([ADMIN]), tables.person.c.disabled_at.is_(None))
            .order_by(tables.person.c.person_id)
            .with_for_update()
        )
        return frozenset(self._connection.scalars(statement))

    def roles_changed(self, people: Select[UUID] | Iterable[UUID], now: datetime) -> None:
        """Make access tokens stale that were issued before; call it in the transaction of the change."""
        person, change = tables.person.c, tables.role_change
        chosen = select(person.person_id, literal(1), literal(now)).where(person.person_id.in_(people))
        counted = insert(change).from_select(["person_id", "version", "changed_at"], chosen)
        again = {"version": change.c.version + 1, "changed_at": now}
        self._connection.execute(counted.on_conflict_do_update(index_elements=["person_id"], set_=again))

    def save(self, person: Person) -> None:
        """Write a changed person."""
        self._connection.execute(
            update(tables.person)
            .where(tables.person.c.person_id == person.person_id)
            .values(**_changeable(person))
        )
        events = person.take_unsaved()
        for each in events:
            if isinstance(each.record, PersonRolesChanged):
                self.roles_changed([person.person_id], each.record.changed_at)
                person.roles_version += 1
        self._record(map(outbox_message, events))

    def _one(self, statement: Select[Any], person_id: UUID) -> Person:
        row = self._connection.execute(statement).one_or_none()
        if row is None:
            raise PersonNotFound(person_id)
        return _person(row)


def _by_id(person_id: UUID) -> Select[Any]:
    return select(*COLUMNS).where(tables.person.c.person_id == person_id)


def _changeable(person: Person) -> dict[str, Any]:
    factor = person.second_factor
    return {
        "user_name": person.user_name,
        "email": person.email,
        "email_key": email_key(person.email),
        "password_hash": person.password_hash,
        "roles": sorted(person.roles),
        "cohort": person.cohort,
        "registered_at": person.registered_at,
        "version": person.version,
        "disabled_at": person.disabled.at if person.disabled else None,
        "disabled_by": person.disabled.by if person.disabled else None,
        "disabled_reason": person.disabled.reason if person.disabled else None,
        "email_confirmed_at": person.email_confirmed_at,
        "app_secret": factor.secret if factor else None,
        "app_confirmed_at": factor.confirmed_at if factor else None,
        "app_last_step": factor.last_step if factor else None,
        "recovery_digests": sorted(factor.recovery_digests) if factor else None,
    }


def _person(row: Row[Any]) -> Person:
    return Person(
        person_id=row.person_id,
        user_name=row.user_name,
        email=row.email,
        password_hash=row.password_hash,
        roles=frozenset(row.roles),
        cohort=row.cohort,
        registered_at=row.registered_at,
        version=row.version,
        disabled=Disablement(row.disabled_at, row.disabled_by, row.disabled_reason)
        if row.disabled_at
        else None,
        email_confirmed_at=row.email_confirmed_at,
        second_factor=SecondFactor(
            row.app_secret,
            row.app_confirmed_at,
            row.app_last_step,
            frozenset(map(bytes, row.recovery_digests)),
        )
        if row.app_secret
        else None,
        member_of=frozenset(row.member_of),
        roles_version=row.roles_version or 0,
    )
