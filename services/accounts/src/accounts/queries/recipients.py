"""People as recipients of notifications: all that `accounts.notifications` may ask identity."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Connection, RowMapping, Select, Text, func, literal, or_, select, union
from sqlalchemy.dialects.postgresql import array

from accounts.adapters.people import BY_GROUP, OWN
from accounts.adapters.tables import person
from accounts.domain.roles import ADMIN, owner_role
from accounts.queries.people import PERSON_COLUMNS
from accounts.queries.task_requests import ASKED, IS_OPEN

KNOWN = select(person.c.person_id)
"""Everybody with an account here: authors and voters of imported collections have none."""
ACTIVE = KNOWN.where(person.c.disabled_at.is_(None))
ADMINISTRATORS = ACTIVE.where(person.c.roles.contains([ADMIN]))
WITH_MAIL = select(person.c.person_id, person.c.user_name, person.c.email).where(
    person.c.email_confirmed_at.is_not(None), person.c.disabled_at.is_(None)
)
"""People who are not disabled and whose mail address is confirmed."""


def owners(slug: str) -> Select[UUID]:
    """Choose the owners of a task who are not disabled."""
    return ACTIVE.where(person.c.roles.contains([owner_role(slug)]))


def sees(slug: ColumnElement[str], person_id: Any) -> ColumnElement[bool]:
    """Match the private tasks that a person sees: as administrator, as owner or as member."""
    may = person.c.roles.overlap(array([literal(ADMIN, Text), owner_role("") + slug]))
    is_member = slug.in_(union(OWN, BY_GROUP))
    return select(1).where(person.c.person_id == person_id, or_(may, is_member)).exists()


def among(connection: Connection, people: Select[UUID], ids: Iterable[UUID]) -> set[UUID]:
    """Return which of these ids belong to these people."""
    wanted = list(ids)
    return set(connection.scalars(people.where(person.c.person_id.in_(wanted)))) if wanted else set()


def is_email_confirmed(connection: Connection, person_id: UUID) -> bool:
    """Return whether mail to the person's address is known to reach them."""
    chosen = select(person.c.email_confirmed_at).where(person.c.person_id == person_id)
    return connection.scalar(chosen) is not None


def count_task_requests(connection: Connection) -> int:
    """Count the open requests for the right to start a task, without those of disabled people."""
    return connection.scalar(select(func.count()).select_from(ASKED).where(IS_OPEN)) or 0


def find_person(connection: Connection, person_id: UUID) -> RowMapping | None:
    """Return a person as others may see them, or None for an unknown one."""
    chosen = select(*PERSON_COLUMNS).where(person.c.person_id == person_id)
    return connection.execute(chosen).mappings().one_or_none()
