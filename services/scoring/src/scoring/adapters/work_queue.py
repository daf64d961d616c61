"""Job queue in a table: leases in the rows, taken with FOR UPDATE SKIP LOCKED.

When a worker dies, its lease expires and any worker may take the job over. Every write of a worker needs a valid lease,
so a job ends only once.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from dynabench_common.identifiers import new_id
from sqlalchemy import Connection, Table, or_, select

from scoring.domain.errors import LeaseLost

FREE: Mapping[str, None] = {"lease_id": None, "leased_until": None}


@dataclass(frozen=True)
class Held:
    """A job that this worker holds under a lease; `attempts` counts this one too."""

    key: UUID
    lease_id: UUID
    attempts: int


class WorkQueue:
    """The jobs of a table whose primary key is one id; `waiting` is the state of those that are not ended."""

    def __init__(self, connection: Connection, table: Table, waiting: str) -> None:
        self._connection = connection
        self._table = table
        self._waiting = waiting
        (self._key,) = table.primary_key.columns

    def claim(self, now: datetime, seconds: float) -> Held | None:
        """Hold the oldest job that nobody holds."""
        table = self._table.c
        free = or_(table.leased_until.is_(None), table.leased_until <= now)
        oldest = (
            select(self._key)
            .where(table.state == self._waiting, free)
            .order_by(table.requested_at, self._key)
            .limit(1)
            .with_for_update(skip_locked=True)
        )
        statement = (
            self._table.update()
            .where(self._key == oldest.scalar_subquery())
            .values(
                lease_id=new_id(), leased_until=now + timedelta(seconds=seconds), attempts=table.attempts + 1
            )
            .returning(self._key, table.lease_id, table.attempts)
        )
        row = self._connection.execute(statement).one_or_none()
        return None if row is None else Held(*row)

    def renew(self, held: Held, until: datetime, **seen: Any) -> None:
        """Hold a job longer, and store what may be seen of it. Raises LeaseLost."""
        self.settle(held, leased_until=until, **seen)

    def let_go(self, held: Held, until: datetime) -> None:
        """Leave a job for another try at that moment. Raises LeaseLost."""
        self.settle(held, lease_id=None, leased_until=until)

    def give_back(self, held: Held) -> None:
        """Leave a job as if it had not been taken. Raises LeaseLost."""
        self.settle(held, attempts=held.attempts - 1, **FREE)

    def fail(self, held: Held, error: Mapping[str, Any]) -> None:
        """End a job without a result. Raises LeaseLost."""
        self.settle(held, state="failed", error=dict(error), **FREE)

    def settle(self, held: Held, **values: Any) -> None:
        """Write to a job that is held. Raises LeaseLost."""
        table = self._table.c
        statement = (
            self._table.update()
            .where(self._key == held.key, table.lease_id == held.lease_id, table.state == self._waiting)
            .values(values)
        )
        if self._connection.execute(statement).rowcount == 0:
            raise LeaseLost
