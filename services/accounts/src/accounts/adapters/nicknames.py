"""Nicknames and their reports in PostgreSQL."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import Connection, delete, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError

from accounts.adapters.tables import hidden_look, nickname_report
from accounts.adapters.tables import nickname as table
from accounts.domain.errors import NicknameHidden, NicknameTaken, PersonNotFound
from accounts.domain.nickname import Nickname


class SqlNicknames:
    """Stores nicknames with the reports against them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def lock(self, person_id: UUID) -> Nickname:
        """Return a person's nickname, which no one else may change now. Raises PersonNotFound without one."""
        row = self._connection.execute(
            select(table).where(table.c.person_id == person_id).with_for_update()
        ).one_or_none()
        if row is None:
            raise PersonNotFound(person_id)
        return Nickname(**row._mapping)

    def put(self, chosen: Nickname) -> None:
        """Store a nickname in place of the person's earlier one.

        Raises NicknameTaken if another's looks like it, NicknameHidden if one was hidden that looks like it.
        """
        hidden = self._connection.execute(
            select(hidden_look.c.reason).where(hidden_look.c.look == chosen.look)
        ).scalar_one_or_none()
        if hidden is not None:
            raise NicknameHidden(hidden)
        values = {
            "text": chosen.text,
            "look": chosen.look,
            "chosen_at": chosen.chosen_at,
            "hidden_reason": "",
        }
        statement = insert(table).values(person_id=chosen.person_id, **values)
        of_another_look = select(table.c.person_id).where(
            table.c.person_id == chosen.person_id, table.c.look != chosen.look
        )
        self._connection.execute(
            delete(nickname_report).where(nickname_report.c.person_id.in_(of_another_look))
        )
        try:
            self._connection.execute(
                statement.on_conflict_do_update(index_elements=[table.c.person_id], set_=values)
            )
        except IntegrityError as err:
            raise NicknameTaken from err

    def hide(self, hidden: Nickname, reason: str) -> None:
        """Set why a nickname is hidden; an empty reason shows it again. Its reports end."""
        self._connection.execute(
            update(table).where(table.c.person_id == hidden.person_id).values(hidden_reason=reason)
        )
        self._connection.execute(delete(hidden_look).where(hidden_look.c.look == hidden.look))
        if reason:
            self._connection.execute(insert(hidden_look).values(look=hidden.look, reason=reason))
        self.end_reports(hidden.person_id)

    def remove(self, person_id: UUID) -> None:
        """Remove a person's nickname with its reports."""
        self._connection.execute(delete(table).where(table.c.person_id == person_id))

    def report(self, person_id: UUID, reporter_id: UUID, reason: str, now: datetime) -> None:
        """Store a report; of one person the newest counts."""
        values = {"reason": reason, "reported_at": now}
        statement = insert(nickname_report).values(person_id=person_id, reporter_id=reporter_id, **values)
        self._connection.execute(
            statement.on_conflict_do_update(
                index_elements=[nickname_report.c.person_id, nickname_report.c.reporter_id], set_=values
            )
        )

    def end_reports(self, person_id: UUID) -> None:
        """Remove the reports of a nickname."""
        self._connection.execute(delete(nickname_report).where(nickname_report.c.person_id == person_id))
