"""The queue of mails in PostgreSQL: its table, its state, and the removal of old rows."""

from dataclasses import asdict
from datetime import datetime, timedelta

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    Index,
    Integer,
    RowMapping,
    Table,
    Text,
    Uuid,
    delete,
    func,
    insert,
    select,
    update,
)

from accounts.database import MOMENT, metadata
from accounts.mail.domain import Mail

KEEP_MAILS = timedelta(days=7)

mail = Table(
    "mail",
    metadata,
    Column("mail_id", Uuid, primary_key=True),
    Column("recipient", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("body", Text),
    Column("written_at", MOMENT, nullable=False),
    Column("expires_at", MOMENT, nullable=False),
    Column("due_at", MOMENT, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("trouble", Text),
    Column("sent_at", MOMENT),
    Column("given_up_at", MOMENT),
    Column("unsubscribe", Text),
)
"""`body` is kept only while the mail waits, so a sent or abandoned mail contains no link."""
Index("ix_mail_due_at", mail.c.due_at, postgresql_where=mail.c.body.is_not(None))
Index("ix_mail_written_at", mail.c.written_at)


class SqlMails:
    """The mails of one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, new: Mail) -> None:
        """Insert a mail."""
        self._connection.execute(insert(mail).values(**asdict(new)))

    def save(self, changed: Mail) -> None:
        """Write a changed mail."""
        statement = update(mail).where(mail.c.mail_id == changed.mail_id)
        self._connection.execute(statement.values(**asdict(changed)))

    def lock_due(self, now: datetime) -> Mail | None:
        """Return the mail that is due longest and that no other process sends, locked."""
        statement = (
            select(mail)
            .where(mail.c.body.is_not(None), mail.c.due_at <= now)
            .order_by(mail.c.due_at)
            .limit(1)
            .with_for_update(skip_locked=True)
        )
        row = self._connection.execute(statement).one_or_none()
        return None if row is None else Mail(**row._mapping)


def mail_counts(engine: Engine) -> RowMapping:
    """Count waiting mails and recently abandoned ones, and return why the oldest one waits."""
    waits = mail.c.body.is_not(None)
    trouble = select(mail.c.trouble).where(waits).order_by(mail.c.written_at).limit(1).scalar_subquery()
    statement = select(
        func.count().filter(waits).label("waiting"),
        func.min(mail.c.written_at).filter(waits).label("oldest_at"),
        func.count().filter(mail.c.given_up_at.is_not(None)).label("given_up"),
        trouble.label("trouble"),
    )
    with engine.connect() as connection:
        return connection.execute(statement).mappings().one()


def delete_old_mails(connection: Connection, now: datetime) -> None:
    """Delete mails that were sent or abandoned long ago."""
    connection.execute(delete(mail).where(mail.c.written_at < now - KEEP_MAILS, mail.c.body.is_(None)))
