"""The transaction of one command, and the snapshot that a long reading needs."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self
from uuid import UUID

from dynabench_common.events.unit_of_work import SqlUnitOfWork
from dynabench_common.work.locks import wait_for_lock
from sqlalchemy import Engine, text

from scoring.adapters import tables
from scoring.adapters.confirmed_errors import SqlConfirmedErrors
from scoring.adapters.dataset_store import SqlDatasets
from scoring.adapters.fact_reader import FactReader
from scoring.adapters.measurement_store import SqlMeasurements
from scoring.adapters.moderation_store import SqlModeration
from scoring.adapters.release_store import SqlReleases


class ScoringUnitOfWork(SqlUnitOfWork):
    """Repositories that share one transaction with the outbox."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine, tables.outbox)

    def __enter__(self) -> Self:
        super().__enter__()
        self.facts = FactReader(self.connection)
        self.releases = SqlReleases(self.connection)
        self.datasets = SqlDatasets(self.connection, self.record)
        self.measurements = SqlMeasurements(self.connection)
        self.moderation = SqlModeration(self.connection, self.record)
        self.confirmed_errors = SqlConfirmedErrors(self.connection)
        return self

    def serialise(self, round_id: UUID) -> None:
        """Let other releases of the round wait until this one is stored."""
        wait_for_lock(self.connection, "releases", round_id)


@contextmanager
def snapshot(engine: Engine) -> Iterator[FactReader]:
    """Give the facts in the state of one moment, for as long as the block takes; nothing can be written.

    Files are written between two readings, so the transaction may idle longer than others.
    """
    with engine.connect().execution_options(isolation_level="REPEATABLE READ") as connection:
        connection.execute(text("SET TRANSACTION READ ONLY"))
        connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        connection.execute(text("SET LOCAL statement_timeout = '120s'"))
        yield FactReader(connection)
