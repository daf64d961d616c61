"""The transaction of one command."""

from typing import Self

from dynabench_common.events.unit_of_work import SqlUnitOfWork
from sqlalchemy import Engine

from registry.adapters import tables
from registry.adapters.served_models import SqlSubmittedModels
from registry.adapters.submission_store import SqlSubmissions
from registry.adapters.task_store import SqlTasks
from registry.adapters.tombstones import SqlTombstones


class RegistryUnitOfWork(SqlUnitOfWork):
    """Repositories that share one transaction with the outbox."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine, tables.outbox)

    def __enter__(self) -> Self:
        super().__enter__()
        self.submissions = SqlSubmissions(self.connection)
        self.tombstones = SqlTombstones(self.connection)
        self.tasks = SqlTasks(self.connection)
        self.served = SqlSubmittedModels(self.connection)
        return self
