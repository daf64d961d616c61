"""People's notice settings, in PostgreSQL; a person who chose nothing has no row."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, select, update
from sqlalchemy.dialects.postgresql import insert

from accounts.notifications.adapters.tables import notice, notice_setting
from accounts.notifications.domain.notices import MailPace, NoticeKind, NoticeSettings

ENGLISH = "en"


class SqlNotices:
    """A person's own notices and settings, within one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def mark_read(self, person_id: UUID, up_to: int, now: datetime) -> None:
        """Mark a person's notices as read up to a position."""
        unread = notice.c.person_id == person_id, notice.c.read_at.is_(None), notice.c.position <= up_to
        self._connection.execute(update(notice).where(*unread).values(read_at=now))

    def save_settings(self, person_id: UUID, settings: NoticeSettings, language: str | None) -> None:
        """Write how a person wants notices, and the language of their mails, which None leaves as it is."""
        values = {
            "mail": settings.mail.value,
            "not_on_page": sorted(settings.not_on_page),
            "not_by_mail": sorted(settings.not_by_mail),
        }
        _write(self._connection, person_id, values if language is None else {**values, "language": language})

    def end_mails(self, person_id: UUID) -> None:
        """Turn off the person's mails with notices; other settings stay."""
        _write(self._connection, person_id, {"mail": MailPace.NEVER.value})


def settings_of(connection: Connection, person_id: UUID) -> NoticeSettings:
    """Return how a person wants notices."""
    row = connection.execute(
        select(notice_setting).where(notice_setting.c.person_id == person_id)
    ).one_or_none()
    if row is None:
        return NoticeSettings()
    return NoticeSettings(MailPace(row.mail), _kinds(row.not_on_page), _kinds(row.not_by_mail))


def note_mail(connection: Connection, person_id: UUID, now: datetime) -> None:
    """Note that a mail with notices was written for a person."""
    _write(connection, person_id, {"mailed_at": now})


def _write(connection: Connection, person_id: UUID, values: dict[str, Any]) -> None:
    usual = {"mail": MailPace.DAILY.value, "not_on_page": [], "not_by_mail": [], "language": ENGLISH}
    statement = insert(notice_setting).values(person_id=person_id, **{**usual, **values})
    connection.execute(statement.on_conflict_do_update(index_elements=["person_id"], set_=values))


def _kinds(names: Iterable[str]) -> list[NoticeKind]:
    known = {kind.value for kind in NoticeKind}
    return [NoticeKind(name) for name in names if name in known]
