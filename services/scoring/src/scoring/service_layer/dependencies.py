"""The collaborators of the handlers, chosen once in `bootstrap`; tests choose others."""

from contextlib import AbstractContextManager
from dataclasses import dataclass

from dynabench_common.auth.authentication import Verifier
from dynabench_common.clock import Clock
from sqlalchemy import Engine, text

from scoring.adapters.fact_reader import FactReader
from scoring.adapters.object_store import S3ObjectStore
from scoring.adapters.pictures import AnnotationPictures
from scoring.adapters.request_store import PredictionStore, RequestStore
from scoring.adapters.target_gateway import GatewayTargets
from scoring.adapters.task_reader import TaskReader
from scoring.adapters.unit_of_work import ScoringUnitOfWork, snapshot
from scoring.service_layer.ports import Models


@dataclass(frozen=True, kw_only=True)
class Dependencies:
    """Dependencies of every process; without `targets` a release asks nobody again about validated errors.

    Without `pictures` a release fails whose rows name any.
    """

    engine: Engine
    store: S3ObjectStore
    clock: Clock
    targets: GatewayTargets | None = None
    pictures: AnnotationPictures | None = None

    @property
    def tasks(self) -> TaskReader:
        """Return what reads tasks, rounds and released rows."""
        return TaskReader(self.engine, self.store)

    def unit_of_work(self) -> ScoringUnitOfWork:
        """Return the transaction of one command."""
        return ScoringUnitOfWork(self.engine)

    def snapshot(self) -> AbstractContextManager[FactReader]:
        """Return the facts of one moment, for a long reading."""
        return snapshot(self.engine)


@dataclass(frozen=True, kw_only=True)
class HttpDependencies(Dependencies):
    """Additional dependencies of routes; `public_url` is the origin under which readers know the platform."""

    verifier: Verifier
    public_url: str
    files: RequestStore
    predictions: PredictionStore

    def check_ready(self) -> None:
        """Raise when the database does not answer."""
        with self.engine.connect() as connection:
            connection.execute(text("SELECT 1"))


@dataclass(frozen=True, kw_only=True)
class EvaluatorDependencies(Dependencies):
    """Additional dependencies of a process that evaluates models."""

    files: RequestStore
    models: Models
