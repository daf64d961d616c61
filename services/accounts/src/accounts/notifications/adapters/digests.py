"""The digests that are due, in PostgreSQL: people who have news by mail, the news, and the record of a mail."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from dynabench_common.work.leader import LockKey
from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    all_,
    and_,
    case,
    exists,
    func,
    or_,
    select,
    update,
)

from accounts.notifications.adapters.names import named
from accounts.notifications.adapters.rounds import is_readable
from accounts.notifications.adapters.settings import ENGLISH, note_mail
from accounts.notifications.adapters.tables import notice, notice_setting
from accounts.notifications.domain.notices import LEAST_BETWEEN, STALE_AFTER, MailPace, NamedNotice
from accounts.queries import recipients

MOST_AT_ONCE = 50
MOST_NOTICES = 200


class SqlDigests:
    """Digests within a transaction; no other transaction writes notices or digests meanwhile."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        connection.execute(select(func.pg_advisory_xact_lock(LockKey.ACCOUNTS_NOTICES)))

    def due(self, now: datetime, wait: timedelta) -> Sequence[Row[Any]]:
        """Return some people to whom a mail is due; `wait` is how long news waits for more news."""
        person = recipients.WITH_MAIL.subquery()
        pace = func.coalesce(notice_setting.c.mail, MailPace.DAILY.value)
        weekly = pace == MailPace.WEEKLY.value
        least = case(
            (weekly, now - LEAST_BETWEEN[MailPace.WEEKLY]), else_=now - LEAST_BETWEEN[MailPace.DAILY]
        )
        last = notice_setting.c.mailed_at
        off = notice_setting.c.not_by_mail
        news = and_(
            *_news(person.c.person_id, now),
            or_(off.is_(None), notice.c.kind != all_(off)),
            notice.c.began_at <= now - wait,
        )
        statement: Select[Any] = (
            select(
                *(person.c.person_id, person.c.user_name, person.c.email),
                func.coalesce(notice_setting.c.language, ENGLISH).label("language"),
                notice_setting.c.not_by_mail,
            )
            .select_from(person)
            .join(notice_setting, notice_setting.c.person_id == person.c.person_id, isouter=True)
            .where(
                pace != MailPace.NEVER.value,
                or_(last.is_(None), last <= least),
                exists(select(1).where(news)),
            )
            .order_by(person.c.person_id)
            .limit(MOST_AT_ONCE)
        )
        return self._connection.execute(statement).all()

    def news(self, reader: Row[Any], now: datetime) -> Sequence[NamedNotice]:
        """Return the notices that a person wants by mail, newest first."""
        wanted = *_news(reader.person_id, now), notice.c.kind.not_in(reader.not_by_mail or [])
        chosen = select(notice).where(*wanted).order_by(notice.c.position.desc()).limit(MOST_NOTICES)
        return named(self._connection, self._connection.execute(chosen).all())

    def note_mail(self, reader: Row[Any], news: Sequence[NamedNotice], now: datetime) -> None:
        """Note that a mail with these notices was written for a person."""
        mailed = update(notice).where(notice.c.notice_id.in_([each.notice_id for each in news]))
        self._connection.execute(mailed.values(mailed_at=now))
        note_mail(self._connection, reader.person_id, now)


def _news(person_id: Any, now: datetime) -> Sequence[ColumnElement[bool]]:
    """Return what makes a notice one to be mailed: neither read nor mailed yet, and not of long ago."""
    return (
        notice.c.person_id == person_id,
        notice.c.read_at.is_(None),
        notice.c.mailed_at.is_(None),
        notice.c.happened_at > now - STALE_AFTER,
        is_readable(person_id),
    )
