"""Members of tasks, groups of people and invitations, in PostgreSQL.

Each change of memberships raises the version of the people's roles, so that their access tokens are renewed.
"""

from collections.abc import Callable, Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Connection, Select, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert

from accounts.adapters.tables import group_person, group_task, invitation, people_group, task_member
from accounts.domain.errors import GroupNameTaken, GroupNotFound, InvitationNotFound
from accounts.domain.invitation import Invitation

RolesChanged = Callable[[Select[Any] | Iterable[UUID], datetime], None]


class SqlMemberships:
    """Stored memberships of tasks, and groups of people."""

    def __init__(self, connection: Connection, roles_changed: RolesChanged) -> None:
        self._connection = connection
        self._roles_changed = roles_changed

    def add(self, task_slug: str, person_id: UUID, now: datetime) -> bool:
        """Make a person a member; return whether they were none."""
        row = insert(task_member).values(task_slug=task_slug, person_id=person_id, added_at=now)
        return self._changed(row.on_conflict_do_nothing(), [person_id], now)

    def remove(self, task_slug: str, person_id: UUID, now: datetime) -> bool:
        """End a membership; return whether there was one."""
        own = delete(task_member).where(
            task_member.c.task_slug == task_slug, task_member.c.person_id == person_id
        )
        return self._changed(own, [person_id], now)

    def count_of_task(self, task_slug: str) -> int:
        """Count the members of a task, without those who are members only by a group."""
        statement = select(func.count()).where(task_member.c.task_slug == task_slug)
        return self._connection.scalar(statement) or 0

    def lock_group(self, group_id: UUID, owner_id: UUID) -> str:
        """Lock a group of this owner and return its name. Raises GroupNotFound."""
        own = select(people_group.c.name).where(
            people_group.c.group_id == group_id, people_group.c.owner_id == owner_id
        )
        name = self._connection.scalar(own.with_for_update())
        if name is None:
            raise GroupNotFound(group_id)
        return str(name)

    def add_group(self, group_id: UUID, name: str, owner_id: UUID) -> None:
        """Insert a group without people. Raises GroupNameTaken."""
        row = insert(people_group).values(group_id=group_id, name=name, owner_id=owner_id)
        if self._connection.execute(row.on_conflict_do_nothing()).rowcount == 0:
            raise GroupNameTaken(name)

    def delete_group(self, group_id: UUID, now: datetime) -> None:
        """Delete a group with its memberships."""
        self._delete_groups(people_group.c.group_id == group_id, now)

    def delete_groups_of(self, owner_id: UUID, now: datetime) -> None:
        """Delete all groups of an owner with their memberships."""
        self._delete_groups(people_group.c.owner_id == owner_id, now)

    def add_to_group(self, group_id: UUID, person_id: UUID, now: datetime) -> bool:
        """Add a person to a group; return whether they were missing."""
        row = insert(group_person).values(group_id=group_id, person_id=person_id)
        return self._changed(row.on_conflict_do_nothing(), [person_id], now)

    def remove_from_group(self, group_id: UUID, person_id: UUID, now: datetime) -> bool:
        """Take a person out of a group; return whether they were in it."""
        own = delete(group_person).where(
            group_person.c.group_id == group_id, group_person.c.person_id == person_id
        )
        return self._changed(own, [person_id], now)

    def count_of_group(self, group_id: UUID) -> int:
        """Count the people of a group."""
        statement = select(func.count()).where(group_person.c.group_id == group_id)
        return self._connection.scalar(statement) or 0

    def let_in(self, group_id: UUID, task_slug: str, now: datetime) -> bool:
        """Make the people of a group members of a task; return whether the group was new to it."""
        row = insert(group_task).values(group_id=group_id, task_slug=task_slug)
        return self._changed(row.on_conflict_do_nothing(), _people_of(group_id), now)

    def keep_out(self, group_id: UUID, task_slug: str, now: datetime) -> bool:
        """End the memberships that a group brings in a task; return whether it brought any."""
        own = delete(group_task).where(group_task.c.group_id == group_id, group_task.c.task_slug == task_slug)
        return self._changed(own, _people_of(group_id), now)

    def _delete_groups(self, condition: ColumnElement[bool], now: datetime) -> None:
        self._roles_changed(select(group_person.c.person_id).join(people_group).where(condition), now)
        self._connection.execute(delete(people_group).where(condition))

    def _changed(self, statement: Any, people: Select[Any] | Iterable[UUID], now: datetime) -> bool:
        is_changed = self._connection.execute(statement).rowcount > 0
        if is_changed:
            self._roles_changed(people, now)
        return is_changed


class SqlInvitations:
    """Stores invitations."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, new: Invitation) -> None:
        """Insert an invitation."""
        self._connection.execute(insert(invitation).values(**asdict(new)))

    def count(self, task_slug: str) -> int:
        """Count the invitations of a task, also those that ended."""
        return self._connection.scalar(select(func.count()).where(invitation.c.task_slug == task_slug)) or 0

    def lock(self, task_slug: str, invitation_id: UUID) -> Invitation:
        """Return an invitation of a task with its row locked. Raises InvitationNotFound."""
        return self._one(invitation.c.task_slug == task_slug, invitation.c.invitation_id == invitation_id)

    def lock_by_secret(self, digest: bytes) -> Invitation:
        """Return the invitation with this digest, its row locked. Raises InvitationNotFound."""
        return self._one(invitation.c.digest == digest)

    def save(self, changed: Invitation) -> None:
        """Write what can change."""
        own = update(invitation).where(invitation.c.invitation_id == changed.invitation_id)
        self._connection.execute(own.values(uses=changed.uses, withdrawn_at=changed.withdrawn_at))

    def _one(self, *conditions: Any) -> Invitation:
        row = self._connection.execute(select(invitation).where(*conditions).with_for_update()).one_or_none()
        if row is None:
            raise InvitationNotFound
        return Invitation(**row._mapping)


def _people_of(group_id: UUID) -> Select[Any]:
    return select(group_person.c.person_id).where(group_person.c.group_id == group_id)
