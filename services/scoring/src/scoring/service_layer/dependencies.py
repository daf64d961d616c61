"""The collaborators of the handlers, chosen once in `bootstrap`; tests choose others."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from dynabench_common.auth.authentication import Verifier
from dynabench_common.clock import Clock
from dynabench_common.object_store import S3ObjectStore
from sqlalchemy import Connection, Engine, text

from scoring.adapters.fact_reader import FactReader
from scoring.adapters.pictures import AnnotationPictures
from scoring.adapters.target_gateway import GatewayTargets
from scoring.adapters.unit_of_work import ScoringUnitOfWork, snapshot
from scoring.domain.release import ReleasedDataset


@dataclass(frozen=True, kw_only=True)
class Dependencies:
    """Dependencies of every process."""

    engine: Engine
    store: S3ObjectStore
    clock: Clock

    def unit_of_work(self) -> ScoringUnitOfWork:
        """Return the transaction of one command."""
        return ScoringUnitOfWork(self.engine)

    def snapshot(self) -> AbstractContextManager[FactReader]:
        """Return the facts of one moment, for a long reading."""
        return snapshot(self.engine)


@dataclass(frozen=True, kw_only=True)
class HttpDependencies(Dependencies):
    """Additional dependencies of routes; `public_url` is the origin under which readers know the platform.

    Without `targets` no answer is explained.
    """

    verifier: Verifier
    public_url: str
    targets: GatewayTargets | None = None

    def check_ready(self) -> None:
        """Raise when the database does not answer."""
        with self.engine.connect() as connection:
            connection.execute(text("SELECT 1"))


@dataclass(frozen=True, kw_only=True)
class WorkerDependencies(Dependencies):
    """Additional dependencies of releases; `on_release` runs in the transaction that ends one.

    Without `targets` a release does not repeat validated errors. Without `pictures`, one whose rows name any fails.
    """

    on_release: Callable[[ReleasedDataset, Connection], None]
    targets: GatewayTargets | None = None
    pictures: AnnotationPictures | None = None
