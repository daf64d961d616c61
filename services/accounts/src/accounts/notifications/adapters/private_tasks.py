"""Notices about private tasks: only people who see the task read them."""

from typing import Any

from sqlalchemy import ColumnElement, and_, or_, select

from accounts.notifications.adapters.tables import notice, notice_round, notice_task
from accounts.queries import recipients

SLUGS = select(notice_task.c.slug).where(notice_task.c.is_private)
"""The addresses of the private tasks."""


def is_readable(person_id: Any) -> ColumnElement[bool]:
    """Match the notices that are not about a private task which the person does not see."""
    round_of_task = and_(
        notice_round.c.task_id == notice_task.c.task_id, notice_round.c.round_id == notice.c.round_id
    )
    unseen = (
        select(1)
        .select_from(notice_task.outerjoin(notice_round, round_of_task))
        .where(
            notice_task.c.is_private,
            or_(notice_round.c.round_id.is_not(None), notice_task.c.slug == notice.c.task_slug),
            ~recipients.sees(notice_task.c.slug, person_id),
        )
    )
    return ~unseen.exists()
