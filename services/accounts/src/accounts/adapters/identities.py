"""Identities of people at issuers, in PostgreSQL."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Row, delete, select, update
from sqlalchemy.dialects.postgresql import insert

from accounts.adapters.tables import identity as table
from accounts.domain.person import Identity


class SqlIdentities:
    """Finds identities by issuer and subject."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add_if_new(self, identity: Identity) -> bool:
        """Insert an identity unless issuer and subject are there; return whether it was inserted."""
        row = insert(table).values(**_columns(identity))
        return self._connection.execute(row.on_conflict_do_nothing()).rowcount == 1

    def find(self, issuer: str, subject: str) -> Identity | None:
        """Return an identity, or None."""
        statement = select(table).where(table.c.issuer == issuer, table.c.subject == subject)
        row = self._connection.execute(statement).one_or_none()
        return None if row is None else _identity(row)

    def of(self, person_id: UUID) -> list[Identity]:
        """Return a person's identities."""
        statement = select(table).where(table.c.person_id == person_id).order_by(table.c.linked_at)
        return [_identity(row) for row in self._connection.execute(statement)]

    def with_roles_unused_since(self, moment: datetime) -> list[Identity]:
        """Return the identities that give roles and were last used before a moment."""
        statement = select(table).where(table.c.roles != [], table.c.last_used_at < moment)
        return [_identity(row) for row in self._connection.execute(statement)]

    def save(self, identity: Identity) -> None:
        """Write what can change of an identity."""
        self._connection.execute(
            update(table)
            .where(table.c.issuer == identity.issuer, table.c.subject == identity.subject)
            .values(roles=sorted(identity.roles), last_used_at=identity.last_used_at)
        )

    def remove(self, identity: Identity) -> None:
        """Delete an identity."""
        self._connection.execute(
            delete(table).where(table.c.issuer == identity.issuer, table.c.subject == identity.subject)
        )


def _columns(identity: Identity) -> dict[str, Any]:
    return {**vars(identity), "roles": sorted(identity.roles)}


def _identity(row: Row[Any]) -> Identity:
    return Identity(**{**row._mapping, "roles": frozenset(row.roles)})
