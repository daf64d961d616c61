"""Notices to task owners about targets that open rounds lost because they had stopped answering.

A loss is reported once, even from a log that is read again. If a round's task is not known here, nobody is notified.
"""

from collections.abc import Sequence

from dynabench_common.identifiers import new_id
from dynabench_events.task import RoundLostTarget
from sqlalchemy import Connection, select

from accounts.notifications.adapters.tables import notice, notice_round, notice_task
from accounts.notifications.adapters.writer import NoticeWriter
from accounts.notifications.domain.notices import NoticeKind
from accounts.queries import recipients


def notify_of_targets(connection: Connection, book: NoticeWriter, events: Sequence[RoundLostTarget]) -> None:
    """Notify owners which target their round lost, and whether it was paused."""
    for event in events:
        slug = _slug(connection, event)
        if slug is None or not book.is_news(event.lost_at) or _is_reported(connection, event):
            continue
        for owner_id in sorted(connection.scalars(recipients.owners(slug))):
            book.insert(
                notice_id=new_id(),
                person_id=owner_id,
                kind=NoticeKind.TARGET_LOST.value,
                round_id=event.round_id,
                model=event.target,
                counts={"round_paused" if event.paused else "target_removed": 1},
                began_at=event.lost_at,
                happened_at=event.lost_at,
            )


def _slug(connection: Connection, event: RoundLostTarget) -> str | None:
    chosen = (
        select(notice_task.c.slug)
        .join(notice_round, notice_round.c.task_id == notice_task.c.task_id)
        .where(notice_round.c.round_id == event.round_id)
    )
    slug: str | None = connection.scalar(chosen)
    return slug


def _is_reported(connection: Connection, event: RoundLostTarget) -> bool:
    chosen = select(notice.c.notice_id).where(
        notice.c.kind == NoticeKind.TARGET_LOST.value,
        notice.c.round_id == event.round_id,
        notice.c.model == event.target,
        notice.c.happened_at >= event.lost_at,
    )
    return connection.execute(chosen.limit(1)).first() is not None
