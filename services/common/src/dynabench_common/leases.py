"""Leases: a person or worker holds a resource for a while, and the hold ends by itself.

Callers lock the resource's own row first; the functions here then need no lock of their own.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import Column, Connection, DateTime, MetaData, Table, UniqueConstraint, Uuid, func, select
from sqlalchemy.dialects.postgresql import insert

from dynabench_common.identifiers import new_id


@dataclass(frozen=True)
class Lease:
    """A hold on a resource until `expires_at`."""

    lease_id: UUID
    resource_id: UUID
    holder_id: UUID
    granted_at: datetime
    expires_at: datetime

    def is_live(self, now: datetime) -> bool:
        """Tell whether the hold still stands."""
        return now < self.expires_at


def lease_table(metadata: MetaData) -> Table:
    """Declare the lease table; `plumbing.create_lease` makes it in a migration."""
    return Table(
        "lease",
        metadata,
        Column("lease_id", Uuid, primary_key=True),
        Column("resource_id", Uuid, nullable=False),
        Column("holder_id", Uuid, nullable=False, index=True),
        Column("granted_at", DateTime(timezone=True), nullable=False),
        Column("expires_at", DateTime(timezone=True), nullable=False),
        UniqueConstraint("resource_id", "holder_id"),
    )


def grant(
    connection: Connection, table: Table, resource_id: UUID, holder_id: UUID, now: datetime, seconds: float
) -> Lease:
    """Give `holder_id` a fresh hold on `resource_id`, replacing an old one of the same holder."""
    lease = Lease(new_id(), resource_id, holder_id, now, now + timedelta(seconds=seconds))
    values = {
        "lease_id": lease.lease_id,
        "resource_id": resource_id,
        "holder_id": holder_id,
        "granted_at": now,
        "expires_at": lease.expires_at,
    }
    statement = insert(table).values(values)
    connection.execute(
        statement.on_conflict_do_update(index_elements=["resource_id", "holder_id"], set_=values)
    )
    return lease


def renew(
    connection: Connection, table: Table, lease_id: UUID, now: datetime, seconds: float
) -> Lease | None:
    """Let a hold last until `seconds` from now, live or expired; None if there is no such lease.

    A hold is never cut short. Whoever renews an expired one must have made sure, under the resource's lock, that the
    resource can still be held.
    """
    until = func.greatest(table.c.expires_at, now + timedelta(seconds=seconds))
    statement = table.update().where(table.c.lease_id == lease_id).values(expires_at=until)
    row = connection.execute(statement.returning(*table.c)).one_or_none()
    return None if row is None else Lease(**row._mapping)


def find(connection: Connection, table: Table, lease_id: UUID) -> Lease | None:
    """Return the lease of that id, live or expired."""
    row = connection.execute(select(table).where(table.c.lease_id == lease_id)).one_or_none()
    return None if row is None else Lease(**row._mapping)


def find_live_of_holder(connection: Connection, table: Table, holder_id: UUID, now: datetime) -> list[Lease]:
    """Return what `holder_id` holds now, oldest first."""
    statement = (
        select(table)
        .where(table.c.holder_id == holder_id, table.c.expires_at > now)
        .order_by(table.c.granted_at, table.c.lease_id)
    )
    return [Lease(**row._mapping) for row in connection.execute(statement)]


def count_live(
    connection: Connection, table: Table, resource_id: UUID, now: datetime, except_holder: UUID | None = None
) -> int:
    """Count the live holds on a resource."""
    statement = (
        select(func.count())
        .select_from(table)
        .where(table.c.resource_id == resource_id, table.c.expires_at > now)
    )
    if except_holder is not None:
        statement = statement.where(table.c.holder_id != except_holder)
    return int(connection.execute(statement).scalar_one())


def release(connection: Connection, table: Table, lease_id: UUID) -> bool:
    """End a lease; tell whether there was one."""
    return connection.execute(table.delete().where(table.c.lease_id == lease_id)).rowcount == 1
