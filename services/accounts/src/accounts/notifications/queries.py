"""Notices of a person, and how the person wants them."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine, exists, func, select

from accounts.notifications.adapters.names import named
from accounts.notifications.adapters.rounds import is_readable
from accounts.notifications.adapters.settings import settings_of
from accounts.notifications.adapters.tables import notice, notice_task
from accounts.notifications.domain.notices import NamedNotice, NoticeSettings
from accounts.queries import recipients


def notices(engine: Engine, person_id: UUID, limit: int, before: int | None) -> Sequence[NamedNotice]:
    """Return a person's notices of the kinds they want on pages, newest first, at most `limit`.

    `before` is the position that the page before ended with.
    """
    with engine.connect() as connection:
        chosen = select(notice).where(*_wanted(connection, person_id))
        if before is not None:
            chosen = chosen.where(notice.c.position < before)
        rows = connection.execute(chosen.order_by(notice.c.position.desc()).limit(limit)).all()
        return named(connection, rows)


def unread(engine: Engine, person_id: UUID) -> int:
    """Count the notices that a person has not marked as read."""
    with engine.connect() as connection:
        chosen = select(func.count()).select_from(notice).where(*_wanted(connection, person_id))
        return connection.scalar(chosen.where(notice.c.read_at.is_(None))) or 0


def has_task(engine: Engine, slug: str) -> bool:
    """Return whether a task has this address."""
    with engine.connect() as connection:
        return connection.scalar(select(exists().where(notice_task.c.slug == slug))) or False


def settings(engine: Engine, person_id: UUID) -> NoticeSettings:
    """Return how a person wants notices."""
    with engine.connect() as connection:
        return settings_of(connection, person_id)


def is_email_confirmed(engine: Engine, person_id: UUID) -> bool:
    """Return whether mail to the person's address is known to reach them."""
    with engine.connect() as connection:
        return recipients.is_email_confirmed(connection, person_id)


def _wanted(connection: Connection, person_id: UUID) -> tuple[Any, ...]:
    hidden = [kind.value for kind in settings_of(connection, person_id).not_on_page]
    return notice.c.person_id == person_id, notice.c.kind.not_in(hidden), is_readable(person_id)
