"""A real TorchServe, and submissions on a real database."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from dynabench_common.database.connections import create_database_engine
from dynabench_common.http.contracts import checked_against_contract
from dynabench_common.http.webhook_client import Outgoing
from dynabench_common.settings import ObjectSettings
from dynabench_common.testing import FixedClock, Issuer
from flask.testing import FlaskClient
from registry.adapters.archive_objects import ArchiveObjects
from registry.adapters.serving_states import SqlCatalogue
from registry.adapters.tables import metadata
from registry.adapters.webhook_calls import WebhookSender
from registry.adapters.worker_use import SqlWorkerUse
from registry.entrypoints.http.app import create_app
from registry.service_layer.checks.runner import Checker
from registry.service_layer.dependencies import HttpDependencies, WorkerDependencies
from sqlalchemy import Engine, text

from conftest import Infrastructure, ServiceDatabase
from tests.torchserve_process import TorchServeProcess

from .checked import Serving
from .submissions import Submitter, keep_task


@pytest.fixture
def torchserve(tmp_path: Path) -> Iterator[TorchServeProcess]:
    process = TorchServeProcess(tmp_path)
    try:
        process.start()
        yield process
    finally:
        process.kill()


def empty(engine: Engine) -> None:
    tables = ", ".join(f'"{table.name}"' for table in metadata.sorted_tables)
    with engine.begin() as connection:
        connection.execute(text(f"TRUNCATE {tables} RESTART IDENTITY CASCADE"))


@pytest.fixture(scope="session")
def registry_database(infrastructure: Infrastructure) -> ServiceDatabase:
    return infrastructure.create_migrated_database("registry")


@pytest.fixture(scope="session")
def registry_owner(registry_database: ServiceDatabase) -> Iterator[Engine]:
    """Yield the engine of who may empty tables: no process of the service may."""
    engine = create_database_engine(registry_database.owner_url, "registry-tests-owner", pool_size=1)
    yield engine
    engine.dispose()


@pytest.fixture(scope="session")
def registry_engine(registry_database: ServiceDatabase) -> Iterator[Engine]:
    engine = create_database_engine(registry_database.url, "registry-tests", pool_size=12)
    yield engine
    engine.dispose()


@pytest.fixture
def engine(registry_engine: Engine, registry_owner: Engine) -> Engine:
    """Return the engine of a database that knows one task and no submission."""
    empty(registry_owner)
    keep_task(registry_engine)
    return registry_engine


@pytest.fixture(scope="session")
def object_settings(infrastructure: Infrastructure) -> ObjectSettings:
    return ObjectSettings(
        s3_endpoint_url=infrastructure.s3_endpoint_url,
        s3_bucket=infrastructure.s3_bucket,
        s3_key_prefix=f"registry-{uuid4().hex[:8]}/",
        aws_access_key_id=infrastructure.s3_access_key,
        aws_secret_access_key=infrastructure.s3_secret_key,
    )


@pytest.fixture(scope="session")
def objects(object_settings: ObjectSettings) -> ArchiveObjects:
    return ArchiveObjects(object_settings)


@pytest.fixture(scope="session")
def issuer() -> Issuer:
    return Issuer()


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def submissions_client(
    engine: Engine, issuer: Issuer, objects: ArchiveObjects, clock: FixedClock
) -> FlaskClient:
    """Return the interface over a day's quota of three."""
    needed = HttpDependencies(
        engine=engine,
        objects=objects,
        webhooks=WebhookSender(Outgoing()),
        clock=clock,
        largest_archive_bytes=10**10,
        submissions_per_day=3,
        catalogue=SqlCatalogue(engine),
        use=SqlWorkerUse(engine),
        verifier=issuer.verifier(),
    )
    return checked_against_contract(create_app(needed)).test_client()


@pytest.fixture
def new_submitter(submissions_client: FlaskClient, issuer: Issuer) -> Callable[..., Submitter]:
    def make(*roles: str) -> Submitter:
        person_id = uuid4()
        return Submitter(submissions_client, person_id, issuer.headers(person_id, ("annotator", *roles)))

    return make


@pytest.fixture
def submitter(new_submitter: Callable[..., Submitter]) -> Submitter:
    return new_submitter()


@pytest.fixture
def owner(new_submitter: Callable[..., Submitter]) -> Submitter:
    return new_submitter("owner:sentiment")


@pytest.fixture
def serving() -> Serving:
    return Serving()


@pytest.fixture
def app(
    engine: Engine, objects: ArchiveObjects, clock: FixedClock, serving: Serving, tmp_path: Path
) -> WorkerDependencies:
    """Return the collaborators of a worker whose agent, reconciler and gateway are `serving`."""
    return WorkerDependencies(
        engine=engine,
        objects=objects,
        webhooks=WebhookSender(Outgoing()),
        clock=clock,
        builder=serving,
        serving=serving,
        predictor=serving,
        folder=tmp_path,
        target_patience=timedelta(seconds=20),
    )


@pytest.fixture
def checker(app: WorkerDependencies, monkeypatch: pytest.MonkeyPatch) -> Checker:
    monkeypatch.setattr("registry.service_layer.checks.serving_steps.LOOK_SECONDS", 0.01)
    return Checker(1, app)
