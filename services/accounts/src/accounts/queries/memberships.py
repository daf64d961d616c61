"""Members of tasks, groups of people and invitations, as owners see them."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Engine, Executable, RowMapping, func, select

from accounts.adapters.tables import group_person, group_task, invitation, people_group, person, task_member
from accounts.domain.errors import GroupNotFound

PEOPLE = (
    select(func.count()).where(group_person.c.group_id == people_group.c.group_id).scalar_subquery()
).label("people")
GROUP_COLUMNS = (people_group.c.group_id, people_group.c.name, PEOPLE)
INVITATION_COLUMNS = tuple(column for column in invitation.c if column.name not in ("digest", "task_slug"))


def members(engine: Engine, slug: str) -> Sequence[RowMapping]:
    """Return the members of a task by name, without campaign workers and those who are members only by a group."""
    statement = (
        select(person.c.person_id, person.c.user_name, task_member.c.added_at)
        .join_from(task_member, person)
        .where(task_member.c.task_slug == slug, person.c.password_hash != "")
        .order_by(person.c.user_name)
    )
    return _rows(engine, statement)


def groups_of_task(engine: Engine, slug: str) -> Sequence[RowMapping]:
    """Return the groups whose people are members of a task, by name."""
    own = select(group_task.c.group_id).where(group_task.c.task_slug == slug)
    return _rows(engine, _groups(people_group.c.group_id.in_(own)))


def groups_of_owner(engine: Engine, owner_id: UUID) -> Sequence[RowMapping]:
    """Return the groups of an owner, by name."""
    return _rows(engine, _groups(people_group.c.owner_id == owner_id))


def people_of_group(engine: Engine, group_id: UUID, owner_id: UUID) -> tuple[str, Sequence[RowMapping]]:
    """Return the name and the people of an owner's group. Raises GroupNotFound."""
    own = _rows(
        engine, _groups(people_group.c.group_id == group_id).where(people_group.c.owner_id == owner_id)
    )
    if not own:
        raise GroupNotFound(group_id)
    statement = (
        select(person.c.person_id, person.c.user_name)
        .join_from(group_person, person)
        .where(group_person.c.group_id == group_id)
        .order_by(person.c.user_name)
    )
    return str(own[0]["name"]), _rows(engine, statement)


def invitations(engine: Engine, slug: str) -> Sequence[RowMapping]:
    """Return the invitations of a task, newest first."""
    own = select(*INVITATION_COLUMNS).where(invitation.c.task_slug == slug)
    return _rows(engine, own.order_by(invitation.c.invitation_id.desc()))


def _groups(condition: Any) -> Any:
    return select(*GROUP_COLUMNS).where(condition).order_by(people_group.c.name)


def _rows(engine: Engine, statement: Executable) -> Sequence[RowMapping]:
    with engine.connect() as connection:
        return connection.execute(statement).mappings().all()
