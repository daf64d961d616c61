"""Requests for the right to start a task, in PostgreSQL."""

from dataclasses import asdict
from uuid import UUID

from sqlalchemy import Connection, select
from sqlalchemy.dialects.postgresql import insert

from accounts.adapters.tables import person
from accounts.adapters.tables import task_request as table
from accounts.domain.roles import owner_role
from accounts.domain.task_request import TaskRequest, TaskRequestState


class SqlTaskRequests:
    """Stores the last request of each person. The row of the person is the lock."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def find(self, person_id: UUID) -> TaskRequest | None:
        """Return a person's last request, or None if they never asked."""
        row = self._connection.execute(select(table).where(table.c.person_id == person_id)).one_or_none()
        if row is None:
            return None
        return TaskRequest(**{**row._mapping, "state": TaskRequestState(row.state)})

    def save(self, request: TaskRequest) -> None:
        """Store a request in place of the person's last one."""
        values = {**asdict(request), "state": request.state.value}
        statement = insert(table).values(**values)
        self._connection.execute(
            statement.on_conflict_do_update(index_elements=[table.c.person_id], set_=values)
        )

    def is_owned(self, slug: str, *, other_than: UUID) -> bool:
        """Return whether another person owns the task, or may start it."""
        chosen = select(person.c.person_id).where(
            person.c.roles.contains([owner_role(slug)]), person.c.person_id != other_than
        )
        return self._connection.execute(chosen.limit(1)).first() is not None
