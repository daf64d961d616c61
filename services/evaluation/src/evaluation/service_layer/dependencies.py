"""The collaborators of the handlers. The processes that serve and work evaluations choose them; tests choose others."""

from dataclasses import dataclass

from dynabench_common.clock import Clock
from dynabench_common.object_store import S3ObjectStore
from sqlalchemy import Engine, Table

from evaluation.adapters.request_store import PredictionStore, RequestStore
from evaluation.adapters.unit_of_work import EvaluationUnitOfWork
from evaluation.service_layer.ports import Models, Tasks


@dataclass(frozen=True, kw_only=True)
class Dependencies:
    """Dependencies of every process; events go to `outbox`, a table of the same database."""

    engine: Engine
    outbox: Table
    store: S3ObjectStore
    clock: Clock
    tasks: Tasks
    files: RequestStore

    def unit_of_work(self) -> EvaluationUnitOfWork:
        """Return the transaction of one command."""
        return EvaluationUnitOfWork(self.engine, self.outbox)


@dataclass(frozen=True, kw_only=True)
class HttpDependencies(Dependencies):
    """Additional dependencies of routes."""

    predictions: PredictionStore


@dataclass(frozen=True, kw_only=True)
class EvaluatorDependencies(Dependencies):
    """Additional dependencies of a process that evaluates models."""

    models: Models
