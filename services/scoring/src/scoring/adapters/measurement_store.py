"""Measurements in PostgreSQL: one row for each dataset or round that was asked for."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_common.work.jobs import FREE, JobQueue, LeasedJob
from sqlalchemy import Connection
from sqlalchemy.dialects.postgresql import insert

from scoring.adapters.tables import measurement

COMPUTING = "computing"


class SqlMeasurements(JobQueue):
    """Measurements, and the jobs that make them."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, measurement, COMPUTING)

    def request(self, subject_id: UUID, now: datetime) -> None:
        """Ask for the measurement of a dataset or a round, unless it is asked for already.

        An older result stays until the new one is there.
        """
        fresh = {"state": COMPUTING, "requested_at": now, "attempts": 0, "error": None, **FREE}
        statement = insert(measurement).values(subject_id=subject_id, **fresh)
        self._connection.execute(
            statement.on_conflict_do_update(
                index_elements=["subject_id"], set_=fresh, where=measurement.c.state != COMPUTING
            )
        )

    def finish(self, held: LeasedJob, result: Mapping[str, Any], now: datetime) -> None:
        """Store a result. Raises LeaseLost."""
        self.settle(held, state="done", result=dict(result), measured_at=now, **FREE)
