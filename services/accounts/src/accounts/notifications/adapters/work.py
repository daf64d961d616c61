"""Open work of task owners: one notice for each owner and round, with the amount that waits now."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_common.identifiers import new_id
from sqlalchemy import Connection, func, select

from accounts.notifications.adapters.tables import notice, notice_example, notice_round, notice_task
from accounts.notifications.adapters.writer import NoticeWriter
from accounts.notifications.domain.notices import NoticeKind, has_more
from accounts.queries import recipients


def notify_owners(connection: Connection, book: NoticeWriter, round_ids: Iterable[UUID]) -> None:
    """Update the notices of these rounds' owners to the waiting work; an increase makes a notice unread again."""
    for round_id in sorted(round_ids):
        slug, is_released = _round(connection, round_id)
        counts, newest = ({}, None) if is_released else _waiting(connection, round_id)
        known = {row.person_id: row for row in _notices(connection, round_id)}
        if not counts or newest is None:
            book.remove([row.notice_id for row in known.values()])
        elif slug is not None:
            owners = set(connection.scalars(recipients.owners(slug)))
            book.remove([row.notice_id for key, row in known.items() if key not in owners])
            for owner_id in sorted(owners):
                _notify(book, owner_id, round_id, known.get(owner_id), (counts, newest))


def _notify(
    book: NoticeWriter,
    owner_id: UUID,
    round_id: UUID,
    known: Any,
    waiting: tuple[dict[str, int], datetime],
) -> None:
    counts, newest = waiting
    if known is None:
        if book.is_news(newest):
            book.insert(
                notice_id=new_id(),
                person_id=owner_id,
                kind=NoticeKind.WORK_WAITS.value,
                round_id=round_id,
                counts=counts,
                began_at=newest,
                happened_at=newest,
            )
    elif has_more(known.counts, counts):
        book.raise_again(known.notice_id, counts=counts, happened_at=newest)
    elif known.counts != counts:
        book.replace(known.notice_id, counts=counts)


def _round(connection: Connection, round_id: UUID) -> tuple[str | None, bool]:
    """Return the slug of a round's task, None while it is unknown, and whether the round takes no more decisions."""
    chosen = (
        select(notice_task.c.slug, notice_round.c.released_at)
        .select_from(notice_round)
        .join(notice_task, notice_task.c.task_id == notice_round.c.task_id, isouter=True)
        .where(notice_round.c.round_id == round_id)
    )
    row = connection.execute(chosen).one_or_none()
    return (None, False) if row is None else (row.slug, row.released_at is not None)


def _waiting(connection: Connection, round_id: UUID) -> tuple[dict[str, int], datetime | None]:
    """Return how much of each kind waits in a round, and since when the newest of it does."""
    columns = notice_example.c
    chosen = (
        select(columns.waits_for, func.count(), func.max(columns.waits_since))
        .where(columns.round_id == round_id, columns.waits_for.is_not(None))
        .group_by(columns.waits_for)
    )
    rows = connection.execute(chosen).all()
    return {name: number for name, number, _ in rows}, max((since for *_, since in rows), default=None)


def _notices(connection: Connection, round_id: UUID) -> Sequence[Any]:
    chosen = select(notice.c.notice_id, notice.c.person_id, notice.c.counts).where(
        notice.c.round_id == round_id, notice.c.kind == NoticeKind.WORK_WAITS.value
    )
    return connection.execute(chosen).all()
