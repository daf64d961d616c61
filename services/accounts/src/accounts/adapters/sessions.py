"""Sessions, their refresh tokens and failed sign-ins in PostgreSQL."""

from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.dialects import postgresql

from accounts.adapters import tables
from accounts.domain.errors import SessionNotFound
from accounts.domain.link import LIFETIME
from accounts.domain.session import RefreshToken, Session
from accounts.domain.throttle import SIGN_UP_WINDOW, Failures

KEEP_EXPIRED_SESSIONS = timedelta(days=1)


class SqlSessions:
    """Locks the session row for each renewal, so that parallel requests see one another."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, session: Session, token: RefreshToken) -> None:
        """Insert a session with its first token."""
        self._connection.execute(
            insert(tables.session).values(
                session_id=session.session_id,
                person_id=session.person_id,
                started_at=session.started_at,
                expires_at=session.expires_at,
                ended_at=session.ended_at,
                device=session.device,
            )
        )
        self.add_token(token)

    def lock_by_token(self, digest: bytes) -> tuple[Session, RefreshToken] | None:
        """Lock a session and return it with one of its tokens, as both are under the lock."""
        connection, token, session = self._connection, tables.refresh_token, tables.session
        session_id = connection.scalar(select(token.c.session_id).where(token.c.digest == digest))
        if session_id is None:
            return None
        row = connection.execute(
            select(session).where(session.c.session_id == session_id).with_for_update()
        ).one_or_none()
        if row is None:
            return None
        member = connection.execute(select(token).where(token.c.digest == digest)).one()
        return Session(**row._mapping), RefreshToken(**member._mapping)

    def save(self, session: Session, token: RefreshToken) -> None:
        """Write what can change of a session and a token."""
        self._connection.execute(
            update(tables.session)
            .where(tables.session.c.session_id == session.session_id)
            .values(ended_at=session.ended_at)
        )
        self._connection.execute(
            update(tables.refresh_token)
            .where(tables.refresh_token.c.digest == token.digest)
            .values(replaced_at=token.replaced_at)
        )

    def add_token(self, token: RefreshToken) -> None:
        """Insert a further token."""
        self._connection.execute(
            insert(tables.refresh_token).values(
                digest=token.digest,
                session_id=token.session_id,
                issued_at=token.issued_at,
                replaced_at=token.replaced_at,
            )
        )

    def has_token(self, digest: bytes) -> bool:
        """Return whether a token is kept."""
        token = tables.refresh_token
        return self._connection.scalar(select(token.c.digest).where(token.c.digest == digest)) is not None

    def started_at(self, session_id: UUID) -> datetime | None:
        """Return when a session started, or None if there is none with this id."""
        session = tables.session
        return self._connection.scalar(select(session.c.started_at).where(session.c.session_id == session_id))

    def end_one(self, session_id: UUID, person_id: UUID, now: datetime) -> None:
        """End a running session of a person. Raises SessionNotFound."""
        session = tables.session
        statement = update(session).where(
            session.c.session_id == session_id,
            session.c.person_id == person_id,
            session.c.ended_at.is_(None),
            session.c.expires_at > now,
        )
        if self._connection.execute(statement.values(ended_at=now)).rowcount == 0:
            raise SessionNotFound(session_id)

    def end_all(self, person_id: UUID, now: datetime, but: UUID | None = None) -> None:
        """End every running session of a person, but one if it is named."""
        statement = update(tables.session).where(
            tables.session.c.person_id == person_id, tables.session.c.ended_at.is_(None)
        )
        if but is not None:
            statement = statement.where(tables.session.c.session_id != but)
        self._connection.execute(statement.values(ended_at=now))


class SqlSignInFailures:
    """Counts by subject. The column is called after its first kind of subject, the user name."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def lock(self, subject: str, now: datetime) -> Failures:
        """Return the count with its row locked; the row is made first, so that there is something to lock."""
        table = tables.sign_in_failure
        self._connection.execute(
            postgresql.insert(table).values(user_name=subject, since=now, count=0).on_conflict_do_nothing()
        )
        statement = select(table.c.since, table.c.count.label("tries")).where(table.c.user_name == subject)
        row = self._connection.execute(statement.with_for_update()).one()
        return Failures(row.since, row.tries)

    def save(self, subject: str, failures: Failures) -> None:
        """Write the count."""
        self._connection.execute(
            update(tables.sign_in_failure)
            .where(tables.sign_in_failure.c.user_name == subject)
            .values(since=failures.since, count=failures.count)
        )

    def clear(self, subject: str) -> None:
        """Forget the count."""
        self._connection.execute(
            delete(tables.sign_in_failure).where(tables.sign_in_failure.c.user_name == subject)
        )

    def note(self, subject: str, until: datetime, count: int) -> None:
        """Keep a number until then: `since` lies ahead, and housekeeping removes the row once it is past."""
        kept = {"since": until, "count": count}
        statement = postgresql.insert(tables.sign_in_failure).values(user_name=subject, **kept)
        self._connection.execute(statement.on_conflict_do_update(index_elements=["user_name"], set_=kept))

    def noted(self, subject: str, now: datetime) -> int:
        """Return the number that is kept still, or 0."""
        table = tables.sign_in_failure
        statement = select(table.c.count).where(table.c.user_name == subject, table.c.since > now)
        return self._connection.scalar(statement) or 0


def delete_expired(connection: Connection, now: datetime) -> None:
    """Delete expired sessions with their refresh tokens, finished counts and ended links."""
    session, failure, link = tables.session, tables.sign_in_failure, tables.link
    connection.execute(delete(session).where(session.c.expires_at < now - KEEP_EXPIRED_SESSIONS))
    connection.execute(delete(failure).where(failure.c.since <= now - SIGN_UP_WINDOW))
    connection.execute(delete(link).where(link.c.expires_at < now - LIFETIME))
