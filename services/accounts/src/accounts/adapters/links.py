"""Links that were sent by mail, in PostgreSQL."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import Connection, func, insert, select, update

from accounts.adapters.tables import link as table
from accounts.domain.link import Link, LinkKind


class SqlLinks:
    """Finds links by the digest of their secret."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, link: Link) -> None:
        """Insert a link."""
        self._connection.execute(
            insert(table).values(
                digest=link.digest,
                kind=link.kind.value,
                person_id=link.person_id,
                email=link.email,
                issued_at=link.issued_at,
                expires_at=link.expires_at,
                ended_at=link.ended_at,
            )
        )

    def lock(self, digest: bytes, kind: LinkKind) -> Link | None:
        """Return a link with its row locked, or None for an unknown one."""
        statement = select(table).where(table.c.digest == digest, table.c.kind == kind.value)
        row = self._connection.execute(statement.with_for_update()).one_or_none()
        if row is None:
            return None
        return Link(row.digest, kind, row.person_id, row.email, row.issued_at, row.expires_at, row.ended_at)

    def count_since(self, person_id: UUID, kind: LinkKind, since: datetime) -> int:
        """Count the links of a kind that a person was sent since then."""
        statement = select(func.count()).where(
            table.c.person_id == person_id, table.c.kind == kind.value, table.c.issued_at > since
        )
        return self._connection.scalar(statement) or 0

    def end_all(self, person_id: UUID, now: datetime) -> None:
        """End every link of a person."""
        live = update(table).where(table.c.person_id == person_id, table.c.ended_at.is_(None))
        self._connection.execute(live.values(ended_at=now))
