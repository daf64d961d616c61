"""Notices about the right to start a task: to administrators how many people ask, to a person the answer."""

from collections.abc import Mapping, Sequence

from dynabench_common.identifiers import new_id
from dynabench_events.audit import ActionTaken
from sqlalchemy import Connection, select

from accounts.notifications.adapters.tables import notice
from accounts.notifications.adapters.writer import NoticeWriter
from accounts.notifications.domain.notices import NoticeKind
from accounts.queries import recipients

MADE = "task_request.made"
ANSWERS: Mapping[str, str] = {"task_request.granted": "granted", "task_request.refused": "refused"}
"""Entries of the audit log that answer a request, with the outcome."""
ACTIONS = frozenset({MADE, *ANSWERS, "person.disabled", "person.enabled"})
"""Entries that change the number of open requests: those of disabled people do not count."""


def notify_of_task_requests(
    connection: Connection, book: NoticeWriter, entries: Sequence[ActionTaken]
) -> None:
    """Write the notices that these entries of the audit log cause."""
    news = [entry for entry in entries if book.is_news(entry.taken_at)]
    if not news:
        return
    _notify_administrators(connection, book, [entry for entry in news if entry.action == MADE])
    for entry in news:
        if entry.action in ANSWERS and book.active([entry.object_id]):
            book.insert(
                notice_id=new_id(),
                person_id=entry.object_id,
                kind=NoticeKind.TASK_ANSWERED.value,
                task_slug=entry.details.get("task", ""),
                counts={ANSWERS[entry.action]: 1},
                began_at=entry.taken_at,
                happened_at=entry.taken_at,
            )


def _notify_administrators(connection: Connection, book: NoticeWriter, made: Sequence[ActionTaken]) -> None:
    """Update each administrator's only notice of requests; a new request makes it unread again."""
    waiting = recipients.count_task_requests(connection)
    chosen = select(notice.c.notice_id).where(notice.c.kind == NoticeKind.TASK_REQUESTED.value)
    earlier = connection.scalars(chosen).all()
    if waiting and not made:
        for notice_id in earlier:
            book.replace(notice_id, counts={"asked": waiting})
        return
    book.remove(earlier)
    if not waiting:
        return
    at = max(entry.taken_at for entry in made)
    for administrator_id in sorted(connection.scalars(recipients.ADMINISTRATORS)):
        book.insert(
            notice_id=new_id(),
            person_id=administrator_id,
            kind=NoticeKind.TASK_REQUESTED.value,
            counts={"asked": waiting},
            began_at=at,
            happened_at=at,
        )
