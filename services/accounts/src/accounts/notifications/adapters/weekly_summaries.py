"""Summaries of people's weeks: tries and what came out of them, as notices.

A week, from Monday in UTC, is summed up once: the row of the week and its notices are written in one transaction. So
neither a restart nor a second worker writes a summary twice. After an outage the worker makes up for the last two
weeks; older ones are not news.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from dynabench_common.clock import Clock
from dynabench_common.identifiers import new_id
from dynabench_common.work.leader import LockKey
from sqlalchemy import ColumnElement, Connection, Engine, Row, and_, func, or_, select
from sqlalchemy.dialects.postgresql import insert

from accounts.notifications.adapters.tables import notice_example, notice_start, notice_week
from accounts.notifications.adapters.writer import NoticeWriter
from accounts.notifications.domain.notices import NoticeKind

LOOK_SECONDS = 600.0
WEEK = timedelta(days=7)
LATE_EVENTS = timedelta(hours=1)
"""Time after the end of a week in which events of it may still arrive."""
MOST_MISSED = 2
REJECTIONS = ("incorrect", "flagged", "disputed")


def write_summaries(engine: Engine, clock: Clock) -> None:
    """Write the summaries of the weeks that ended and have none."""
    now = clock.now()
    ended = (now - LATE_EVENTS).astimezone(UTC).date()
    this_monday = ended - timedelta(days=ended.weekday())
    for weeks in range(MOST_MISSED, 0, -1):
        with engine.begin() as connection:
            connection.execute(select(func.pg_advisory_xact_lock(LockKey.ACCOUNTS_NOTICES)))
            _sum_up(connection, this_monday - weeks * WEEK, now)


def _sum_up(connection: Connection, monday: date, now: datetime) -> None:
    new_week = insert(notice_week).values(monday=monday).on_conflict_do_nothing()
    if not connection.execute(new_week.returning(notice_week.c.monday)).first():
        return
    began_at = datetime.combine(monday, time(), UTC)
    found = _figures(connection, began_at, began_at + WEEK)
    started_at = connection.execute(select(notice_start.c.started_at)).scalar_one()
    book = NoticeWriter(connection, started_at, now)
    active = book.active(row.author_id for row in found)
    for row in found:
        counts = {name: number for name, number in row._mapping.items() if name != "author_id" and number}
        if counts and row.author_id in active:
            book.insert(
                notice_id=new_id(),
                person_id=row.author_id,
                kind=NoticeKind.WEEKLY_SUMMARY.value,
                counts=counts,
                began_at=began_at,
                happened_at=began_at + WEEK,
            )


def _figures(connection: Connection, begin: datetime, end: datetime) -> Sequence[Row[Any]]:
    """Count each author's tries of the week, and the week's outcomes of these and earlier tries."""
    columns = notice_example.c

    def in_week(moment: ColumnElement[Any]) -> ColumnElement[bool]:
        return and_(moment >= begin, moment < end)

    written, resolved, answered = map(in_week, (columns.created_at, columns.resolved_at, columns.answered_at))
    kept = ~columns.is_retracted
    confirmed = and_(kept, resolved, columns.is_fooled, columns.resolution == "correct")
    statement = (
        select(
            columns.author_id,
            func.count().filter(written).label("tries"),
            func.count().filter(kept, written, columns.is_fooled).label("fooled"),
            func.count().filter(confirmed).label("confirmed"),
            *(
                func.count().filter(kept, resolved, columns.resolution == name).label(name)
                for name in REJECTIONS
            ),
            func.count().filter(answered).label("answered"),
        )
        .where(columns.author_id.is_not(None), or_(written, resolved, answered))
        .group_by(columns.author_id)
    )
    return connection.execute(statement).all()
