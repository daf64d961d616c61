"""Digest mails of notices: for each person at most one a day or a week, and none without something new.

A mail and the record of its notices are written in one transaction. So neither a restart nor a second worker reports
anything twice. `OutgoingMail` sends it.
"""

import threading
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from dynabench_common.clock import Clock
from dynabench_common.logging import get_logger
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Row,
    all_,
    and_,
    case,
    exists,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.exc import SQLAlchemyError

from accounts.adapters.mails import SqlMails
from accounts.adapters.notice_names import named
from accounts.adapters.notice_projection import LOCK_KEY
from accounts.adapters.notice_settings import ENGLISH, note_mail
from accounts.adapters.notice_tables import notice, notice_setting
from accounts.adapters.tables import person
from accounts.adapters.unsubscribe_tokens import KeyedUnsubscribeTokens
from accounts.domain.notice_settings import LEAST_BETWEEN, MailPace
from accounts.domain.notices import STALE_AFTER
from accounts.service_layer.digest_letter import DigestLetters, Reader

log = get_logger(__name__)
LONGEST_LOOK_SECONDS = 60.0
MOST_AT_ONCE = 50
MOST_NOTICES = 200


class Digests:
    """A worker's component; an outage of the database only postpones its work."""

    name = "digests"

    def __init__(
        self,
        engine: Engine,
        letters: DigestLetters,
        tokens: KeyedUnsubscribeTokens,
        clock: Clock,
        wait: timedelta,
    ) -> None:
        """`wait` is how long the first news waits for others, so that they come in one mail."""
        self._engine = engine
        self._letters = letters
        self._tokens = tokens
        self._clock = clock
        self._wait = wait

    def run(self, stop: threading.Event) -> None:
        """Write the mails that are due, now and then, until `stop`."""
        pause = min(LONGEST_LOOK_SECONDS, max(1.0, self._wait.total_seconds() / 4))
        while not stop.is_set():
            try:
                written = self.write_due()
            except SQLAlchemyError as err:
                log.warning("digests_postponed", reason=str(err)[:300])
                written = 0
            if written < MOST_AT_ONCE:
                stop.wait(pause)

    def write_due(self) -> int:
        """Write the mails of some people for whom one is due; return how many they were."""
        now = self._clock.now()
        with self._engine.begin() as connection:
            connection.execute(select(func.pg_advisory_xact_lock(LOCK_KEY)))
            due = connection.execute(self._due(now)).all()
            for reader in due:
                self._write(connection, reader, now)
        return len(due)

    def _due(self, now: datetime) -> Any:
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
            notice.c.began_at <= now - self._wait,
        )
        return (
            select(
                *(person.c.person_id, person.c.user_name, person.c.email),
                func.coalesce(notice_setting.c.language, ENGLISH).label("language"),
                notice_setting.c.not_by_mail,
            )
            .select_from(person)
            .join(notice_setting, notice_setting.c.person_id == person.c.person_id, isouter=True)
            .where(
                person.c.email_confirmed_at.is_not(None),
                person.c.disabled_at.is_(None),
                pace != MailPace.NEVER.value,
                or_(last.is_(None), last <= least),
                exists(select(1).where(news)),
            )
            .order_by(person.c.person_id)
            .limit(MOST_AT_ONCE)
        )

    def _write(self, connection: Connection, reader: Row[Any], now: datetime) -> None:
        wanted = *_news(reader.person_id, now), notice.c.kind.not_in(reader.not_by_mail or [])
        chosen = select(notice).where(*wanted).order_by(notice.c.position.desc()).limit(MOST_NOTICES)
        rows = connection.execute(chosen).all()
        news = named(connection, rows)
        to = Reader(reader.user_name, reader.email, reader.language, self._tokens.issue(reader.person_id))
        SqlMails(connection).add(self._letters.digest(to, news, now))
        mailed = update(notice).where(notice.c.notice_id.in_([each.notice_id for each in news]))
        connection.execute(mailed.values(mailed_at=now))
        note_mail(connection, reader.person_id, now)


def _news(person_id: Any, now: datetime) -> Sequence[ColumnElement[bool]]:
    """Return what makes a notice one to be mailed: neither read nor mailed yet, and not of long ago."""
    return (
        notice.c.person_id == person_id,
        notice.c.read_at.is_(None),
        notice.c.mailed_at.is_(None),
        notice.c.happened_at > now - STALE_AFTER,
    )
