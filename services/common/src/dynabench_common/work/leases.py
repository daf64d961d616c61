"""Leases: a person or worker has a resource for a limited time, and the lease expires by itself.

Callers lock the resource's own row first. The functions here then need no lock of their own.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy import (
    Column,
    Connection,
    DateTime,
    Delete,
    MetaData,
    Select,
    Table,
    UniqueConstraint,
    Uuid,
    bindparam,
    func,
    select,
)
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.sql.dml import ReturningUpdate

from dynabench_common.identifiers import new_id


@dataclass(frozen=True)
class Lease:
    """A lease of a resource until `expires_at`."""

    lease_id: UUID
    resource_id: UUID
    holder_id: UUID
    granted_at: datetime
    expires_at: datetime

    def is_live(self, now: datetime) -> bool:
        """Return whether the lease is still valid."""
        return now < self.expires_at


def lease_table(metadata: MetaData) -> Table:
    """Declare the table of leases."""
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


@dataclass(frozen=True)
class _Statements:
    """The statements on one lease table, made once."""

    grant: Insert
    renew: ReturningUpdate[Any]
    find: Select[Any]
    live_of_holder: Select[Any]
    live_on: Select[int]
    live_of_others_on: Select[int]
    release: Delete


@cache
def _statements(table: Table) -> _Statements:
    is_that = table.c.lease_id == bindparam("given_id")
    is_live = table.c.expires_at > bindparam("now")
    of_holder = table.c.holder_id == bindparam("holder")
    first = insert(table)
    live_on = (
        select(func.count()).select_from(table).where(table.c.resource_id == bindparam("resource"), is_live)
    )
    until = func.greatest(table.c.expires_at, bindparam("until", type_=DateTime(timezone=True)))
    return _Statements(
        grant=first.on_conflict_do_update(
            index_elements=["resource_id", "holder_id"],
            set_={each.name: first.excluded[each.name] for each in table.c},
        ),
        renew=table.update().where(is_that).values(expires_at=until).returning(*table.c),
        find=select(table).where(is_that),
        live_of_holder=(
            select(table).where(of_holder, is_live).order_by(table.c.granted_at, table.c.lease_id)
        ),
        live_on=live_on,
        live_of_others_on=live_on.where(table.c.holder_id != bindparam("holder")),
        release=table.delete().where(is_that),
    )


def grant(
    connection: Connection, table: Table, resource_id: UUID, holder_id: UUID, now: datetime, seconds: float
) -> Lease:
    """Lease `resource_id` to `holder_id`, replacing an old lease of the same holder."""
    lease = Lease(new_id(), resource_id, holder_id, now, now + timedelta(seconds=seconds))
    values = {
        "lease_id": lease.lease_id,
        "resource_id": resource_id,
        "holder_id": holder_id,
        "granted_at": now,
        "expires_at": lease.expires_at,
    }
    connection.execute(_statements(table).grant, values)
    return lease


def renew(
    connection: Connection, table: Table, lease_id: UUID, now: datetime, seconds: float
) -> Lease | None:
    """Extend a lease to `seconds` from now, live or expired; None if there is no such lease.

    A lease is never shortened. Before a caller renews an expired one, it must check under the resource's lock that the
    resource is still free.
    """
    given = {"given_id": lease_id, "until": now + timedelta(seconds=seconds)}
    row = connection.execute(_statements(table).renew, given).one_or_none()
    return None if row is None else Lease(**row._mapping)


def find(connection: Connection, table: Table, lease_id: UUID) -> Lease | None:
    """Return the lease of that id, live or expired."""
    row = connection.execute(_statements(table).find, {"given_id": lease_id}).one_or_none()
    return None if row is None else Lease(**row._mapping)


def find_live_of_holder(connection: Connection, table: Table, holder_id: UUID, now: datetime) -> list[Lease]:
    """Return the live leases of `holder_id`, oldest first."""
    found = connection.execute(_statements(table).live_of_holder, {"holder": holder_id, "now": now})
    return [Lease(**row._mapping) for row in found]


def count_live(
    connection: Connection, table: Table, resource_id: UUID, now: datetime, except_holder: UUID | None = None
) -> int:
    """Count the live leases of a resource."""
    given = {"resource": resource_id, "now": now}
    if except_holder is None:
        return int(connection.execute(_statements(table).live_on, given).scalar_one())
    given["holder"] = except_holder
    return int(connection.execute(_statements(table).live_of_others_on, given).scalar_one())


def release(connection: Connection, table: Table, lease_id: UUID) -> bool:
    """End a lease; return whether there was one."""
    return connection.execute(_statements(table).release, {"given_id": lease_id}).rowcount == 1
