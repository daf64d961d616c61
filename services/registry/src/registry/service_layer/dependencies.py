"""Collaborators of the handlers, chosen once in `bootstrap`; tests choose others."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from dynabench_common.auth.authentication import Verifier
from dynabench_common.clock import Clock
from sqlalchemy import Engine, text

from registry.adapters.archive_objects import ArchiveObjects
from registry.adapters.serving_states import SqlCatalogue
from registry.adapters.unit_of_work import RegistryUnitOfWork
from registry.adapters.webhook_calls import WebhookSender
from registry.adapters.worker_use import SqlWorkerUse
from registry.service_layer.ports import Builder, Predictor, Serving


@dataclass(frozen=True)
class Dependencies:
    """The collaborators of handlers that run in any process."""

    engine: Engine
    objects: ArchiveObjects
    webhooks: WebhookSender
    clock: Clock

    def unit_of_work(self) -> RegistryUnitOfWork:
        """Return a new transaction, to be entered once."""
        return RegistryUnitOfWork(self.engine)


@dataclass(frozen=True)
class HttpDependencies(Dependencies):
    """Additional dependencies of routes; `submissions_per_day` is the quota of a person and a task."""

    largest_archive_bytes: int
    submissions_per_day: int
    catalogue: SqlCatalogue
    use: SqlWorkerUse
    verifier: Verifier

    def check_ready(self) -> None:
        """Raise until the database answers."""
        with self.engine.connect() as connection:
            connection.execute(text("SELECT 1"))


@dataclass(frozen=True)
class WorkerDependencies(Dependencies):
    """Additional dependencies of the worker; `folder` holds archives while they are checked."""

    builder: Builder
    serving: Serving
    predictor: Predictor
    folder: Path
    target_patience: timedelta
