"""Requests for the right to start a task."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import Engine, RowMapping, and_, select

from accounts.adapters.tables import person, task_request
from accounts.domain.task_request import TaskRequestState

ASKED = task_request.join(person)
IS_OPEN = and_(task_request.c.state == TaskRequestState.OPEN.value, person.c.disabled_at.is_(None))
"""Condition on `ASKED`: the request waits for an answer. Those of disabled people do not."""


def last_task_request(engine: Engine, person_id: UUID) -> RowMapping | None:
    """Return a person's last request, or None if they never asked."""
    with engine.connect() as connection:
        chosen = select(task_request).where(task_request.c.person_id == person_id)
        return connection.execute(chosen).mappings().one_or_none()


def open_task_requests(engine: Engine, limit: int) -> Sequence[RowMapping]:
    """Return the open requests of people who are not disabled, oldest first, with names."""
    chosen = (
        select(task_request, person.c.user_name)
        .select_from(ASKED)
        .where(IS_OPEN)
        .order_by(task_request.c.asked_at, task_request.c.person_id)
        .limit(limit)
    )
    with engine.connect() as connection:
        return connection.execute(chosen).mappings().all()
