"""Scoring on a real PostgreSQL and S3."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from uuid import uuid4

import pytest
from dynabench_common.database.connections import create_database_engine
from dynabench_common.events.cloud_events import Event
from dynabench_common.events.consumer import apply_new
from dynabench_common.http.contracts import checked_against_contract
from dynabench_common.object_store import S3ObjectStore
from dynabench_common.settings import ObjectSettings
from dynabench_common.testing import FixedClock, Issuer
from dynabench_common.work.retried_jobs import JobRunner
from evaluation.adapters import tables as evaluation_tables
from flask.testing import FlaskClient
from scoring.adapters.for_evaluation import score_models_on
from scoring.adapters.projection import FactProjection
from scoring.adapters.tables import author_count, inbox, metadata
from scoring.bootstrap import CONSUMER
from scoring.entrypoints.http.app import create_app
from scoring.service_layer.build_release import RELEASES
from scoring.service_layer.dependencies import Dependencies, HttpDependencies, WorkerDependencies
from scoring.service_layer.measurements import MEASUREMENTS
from sqlalchemy import Engine

from conftest import Infrastructure
from services.scoring.tests.conftest import Story

Feed = Callable[..., None]


@pytest.fixture(scope="session")
def scoring_engine(infrastructure: Infrastructure) -> Iterator[Engine]:
    url = infrastructure.create_migrated_database("scoring").url
    engine = create_database_engine(url, "scoring-tests", pool_size=8)
    yield engine
    engine.dispose()


@pytest.fixture
def engine(scoring_engine: Engine) -> Engine:
    """Return the engine of an empty database."""
    empty(scoring_engine)
    return scoring_engine


@pytest.fixture(scope="session")
def feed() -> Feed:
    """Return what takes events in as the consumer does, in batches."""

    def take_in(engine: Engine, events: Sequence[Event], size: int = 200) -> None:
        for start in range(0, len(events), size):
            with engine.begin() as connection:
                apply_new(connection, inbox, CONSUMER, FactProjection(), events[start : start + size])

    return take_in


@pytest.fixture
def story(engine: Engine, new_story: Callable[..., Story], feed: Feed) -> Story:
    made = new_story()
    feed(engine, made.finished())
    return made


@pytest.fixture(scope="session")
def empty_database() -> Callable[[Engine], None]:
    return empty


@pytest.fixture(scope="session")
def object_settings(infrastructure: Infrastructure) -> ObjectSettings:
    return ObjectSettings(
        s3_endpoint_url=infrastructure.s3_endpoint_url,
        s3_bucket=infrastructure.s3_bucket,
        s3_key_prefix=f"scoring-{uuid4().hex[:8]}/",
        aws_access_key_id=infrastructure.s3_access_key,
        aws_secret_access_key=infrastructure.s3_secret_key,
    )


@pytest.fixture(scope="session")
def store(object_settings: ObjectSettings) -> S3ObjectStore:
    return S3ObjectStore(object_settings)


@pytest.fixture(scope="session")
def issuer() -> Issuer:
    return Issuer()


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def client(
    engine: Engine, issuer: Issuer, store: S3ObjectStore, clock: FixedClock, tmp_path: Path
) -> FlaskClient:
    needed = HttpDependencies(
        engine=engine,
        store=store,
        clock=clock,
        verifier=issuer.verifier(),
        public_url="https://example.org",
    )
    return checked_against_contract(create_app(needed, tmp_path)).test_client()


@pytest.fixture
def worker(engine: Engine, store: S3ObjectStore, clock: FixedClock) -> WorkerDependencies:
    """Return what handlers in the worker have, where no gateway is named."""
    return WorkerDependencies(engine=engine, store=store, clock=clock, on_release=score_models_on)


@pytest.fixture
def builder(worker: WorkerDependencies) -> JobRunner[WorkerDependencies]:
    return JobRunner(RELEASES, worker)


@pytest.fixture
def measurer(worker: WorkerDependencies) -> JobRunner[Dependencies]:
    return JobRunner(MEASUREMENTS, worker)


@pytest.fixture
def owner(issuer: Issuer) -> dict[str, str]:
    """Return the headers of an owner of the task."""
    return issuer.headers(uuid4(), ["annotator", "owner:sentiment"])


def empty(engine: Engine) -> None:
    with engine.begin() as connection:
        # Deleting examples changes the counts, so these go last.
        for each in (evaluation_tables.metadata, metadata):
            for table in reversed(each.sorted_tables):
                connection.execute(table.delete())
        connection.execute(author_count.delete())
