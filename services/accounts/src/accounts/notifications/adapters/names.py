"""The names of the rounds and tasks in notices."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Row, select

from accounts.notifications.adapters.tables import notice_round, notice_task
from accounts.notifications.domain.notices import NamedNotice, NoticeKind


def named(connection: Connection, rows: Sequence[Row[Any]]) -> list[NamedNotice]:
    """Return notices with the names of their rounds and tasks."""
    rounds = _rounds(connection, {row.round_id for row in rows if row.round_id})
    titles = _titles(connection, {row.task_slug for row in rows if row.task_slug})
    found = []
    for row in rows:
        number, slug, title = rounds.get(row.round_id, (None, row.task_slug, titles.get(row.task_slug)))
        found.append(
            NamedNotice(
                notice_id=row.notice_id,
                position=row.position,
                kind=NoticeKind(row.kind),
                counts=row.counts,
                round_id=row.round_id,
                round_number=number,
                task_slug=slug or row.task_slug,
                task_title=title,
                happened_at=row.happened_at,
                read_at=row.read_at,
                submission_id=row.submission_id,
                model=row.model,
                campaign_id=row.campaign_id,
                example_id=row.example_id,
                currency=row.currency,
            )
        )
    return found


def _rounds(
    connection: Connection, round_ids: set[UUID]
) -> dict[UUID | None, tuple[int | None, str | None, str | None]]:
    chosen = (
        select(notice_round.c.round_id, notice_round.c.number, notice_task.c.slug, notice_task.c.title)
        .select_from(notice_round)
        .join(notice_task, notice_task.c.task_id == notice_round.c.task_id, isouter=True)
        .where(notice_round.c.round_id.in_(round_ids))
    )
    return {row.round_id: (row.number, row.slug, row.title) for row in connection.execute(chosen)}


def _titles(connection: Connection, slugs: set[str]) -> dict[str | None, str]:
    chosen = select(notice_task.c.slug, notice_task.c.title).where(notice_task.c.slug.in_(slugs))
    return {row.slug: row.title for row in connection.execute(chosen)}
