"""The transaction of one command."""

from typing import Self

from dynabench_common.events.unit_of_work import SqlUnitOfWork
from sqlalchemy import Engine, Table

from evaluation.adapters.canary_store import SqlCanaries
from evaluation.adapters.dataset_store import SqlDatasets
from evaluation.adapters.evaluation_store import SqlEvaluations
from evaluation.adapters.shard_store import SqlShards


class EvaluationUnitOfWork(SqlUnitOfWork):
    """Repositories that share one transaction with the outbox."""

    def __init__(self, engine: Engine, outbox: Table) -> None:
        super().__init__(engine, outbox)

    def __enter__(self) -> Self:
        super().__enter__()
        self.datasets = SqlDatasets(self.connection)
        self.evaluations = SqlEvaluations(self.connection, self.record)
        self.shards = SqlShards(self.connection)
        self.canaries = SqlCanaries(self.connection)
        return self
