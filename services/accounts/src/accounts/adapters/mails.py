"""Mails to send, in PostgreSQL."""

from dataclasses import asdict
from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from accounts.adapters.tables import mail as table
from accounts.domain.mail import Mail


class SqlMails:
    """The mails of one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, mail: Mail) -> None:
        """Insert a mail."""
        self._connection.execute(insert(table).values(**asdict(mail)))

    def save(self, mail: Mail) -> None:
        """Write a changed mail."""
        statement = update(table).where(table.c.mail_id == mail.mail_id)
        self._connection.execute(statement.values(**asdict(mail)))

    def lock_due(self, now: datetime) -> Mail | None:
        """Return the mail that is due longest and that no other process sends, locked."""
        statement = (
            select(table)
            .where(table.c.body.is_not(None), table.c.due_at <= now)
            .order_by(table.c.due_at)
            .limit(1)
            .with_for_update(skip_locked=True)
        )
        row = self._connection.execute(statement).one_or_none()
        return None if row is None else Mail(**row._mapping)
