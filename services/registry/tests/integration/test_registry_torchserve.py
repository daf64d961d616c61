"""Reconcilers, the agent and a real TorchServe: first start, on demand, kill -9 of each, a new archive, a broken one.

One test, because each start of a worker takes seconds. TorchServe makes new keys when it starts again, so the
return from kill -9 also proves that they are read again.
"""

import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from dynabench_archives.model_servers import Archive, Pool
from dynabench_common.settings import ObjectSettings
from dynabench_common.testing import SERVICE_TOKEN_DIGESTS, service_token, wait_until
from model_agent.objects import ArchiveObjects
from model_agent.store import file_of
from registry.adapters.served_models import SqlServedModels
from registry.adapters.serving_states import SqlCatalogue
from registry.adapters.serving_tables import reconciler
from registry.adapters.worker_use import SqlWorkerUse
from registry.domain.errors import StatesUnknown
from registry.domain.served_model import Origin, submitted_model
from sqlalchemy import Engine, select

from tests.torchserve_process import BROKEN, HANDLER, TorchServeProcess, free_ports, write_archive

pytestmark = pytest.mark.slow

MODELS = """
models:
  - name: {name}
    version: "1"
    archive: {name}.mar
    task: sentiment
    task_type: text-classification
    labels: ["no", "yes"]
    explain: {{workers: 1, idle_seconds: 3600}}
  - name: resting
    version: "1"
    archive: {name}.mar
    task: sentiment
    task_type: text-classification
    labels: ["no", "yes"]
    start: on_demand
    idle_seconds: 3600
"""
DESCRIPTION = {"task_type": "text-classification", "fields": ["text"], "labels": ["no", "yes"]}
# Each start of a worker takes seconds, on a busy machine many of them; only a failure waits for so long.
PATIENCE_SECONDS = 300


class Process:
    """A process of the registry that can be killed and started again."""

    def __init__(self, command: list[str], environment: Mapping[str, str], log: Path) -> None:
        self._command = command
        self._environment = {"PATH": os.environ["PATH"], **environment}
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(
                self._command,
                env=self._environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def kill(self) -> None:
        """End all of it at once, as kill -9 does."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(30)
            self._process = None


class Running:
    """An agent with TorchServe, reconcilers, and the models that they published."""

    def __init__(
        self, torchserve: TorchServeProcess, engine: Engine, settings: ObjectSettings, folder: Path
    ) -> None:
        self.engine = engine
        self.models_file = folder / "models.yaml"
        self.objects = ArchiveObjects(settings)
        self.use = SqlWorkerUse(engine)
        (port,) = free_ports(1)
        url = f"http://127.0.0.1:{port}"
        self.agent = Process(
            [str(Path(sys.executable).with_name("model-agent")), "http"],
            {
                **{
                    name.upper(): str(value) for name, value in settings.model_dump(exclude_none=True).items()
                },
                "HTTP_BIND": f"127.0.0.1:{port}",
                "SERVICE_TOKEN": service_token("agent"),
                "SERVICE_TOKEN_DIGESTS": SERVICE_TOKEN_DIGESTS,
                "JWKS_URL": f"{url}/none",
                "TORCHSERVE_MANAGEMENT_URL": f"http://127.0.0.1:{torchserve.management}",
                "TORCHSERVE_INFERENCE_URL": f"http://127.0.0.1:{torchserve.inference}",
                "TORCHSERVE_KEY_FILE": str(torchserve.key_file),
                "MODEL_STORE": str(torchserve.store),
                "SERVING_PYTHON": sys.executable,
                "PACKAGING_SOURCES": str(folder),
                "BUILD_FOLDER": str(folder / "builds"),
            },
            folder / "agent.log",
        )
        settled = {
            "START_TIMEOUT_SECONDS": 2 * PATIENCE_SECONDS,
            "PASS_SECONDS": 0.5,
            "BUSY_PASS_SECONDS": 0.3,
        }
        self.reconcilers = [
            Process(
                [sys.executable, str(Path(__file__).with_name("reconciling.py"))],
                {
                    "DATABASE_URL": engine.url.render_as_string(hide_password=False),
                    "AGENT_URL": url,
                    "MODELS_FILE": str(self.models_file),
                    **{name: str(value) for name, value in settled.items()},
                },
                folder / f"reconciler-{number}.log",
            )
            for number in range(2)
        ]

    def stop(self) -> None:
        for process in (self.agent, *self.reconcilers):
            process.kill()

    def model(self, name: str) -> Mapping[str, Any] | None:
        try:
            models = SqlCatalogue(self.engine).models().models
        except StatesUnknown:
            return None
        return next((model for model in models if model["name"] == name), None)

    def problem(self) -> str | None:
        return SqlCatalogue(self.engine).models().problem

    def epoch(self) -> int:
        with self.engine.connect() as connection:
            return int(connection.execute(select(reconciler.c.epoch)).scalar_one())

    def wait_for(
        self, state: str, explainer: str | None = None, digest: str | None = None, name: str = "mini"
    ) -> Mapping[str, Any]:
        def reached() -> Mapping[str, Any] | None:
            model = self.model(name)
            if model is None or model["state"] != state or (digest and model["model_digest"] != digest):
                return None
            return model if explainer is None or model["explain"]["state"] == explainer else None

        what = f"{name} in state {state}, explainer {explainer}"
        found: Mapping[str, Any] = wait_until(reached, PATIENCE_SECONDS, what)
        return found

    def submit(self, store: Path, name: str) -> None:
        """Have an archive served that S3 alone has."""
        made = store / "mini.mar"
        digest = f"sha256:{hashlib.sha256(made.read_bytes()).hexdigest()}"
        key = f"served/{file_of(digest)}"
        self.objects.store(made, key)
        archive = Archive(file_of(digest), digest, "sha256:1", "sha256:echo", made.stat().st_size, key)
        declared = submitted_model(name, "1", "sentiment", DESCRIPTION, archive, Pool.SHARED)
        with self.engine.begin() as connection:
            SqlServedModels(connection).put(declared, archive, Origin.SUBMISSION, Pool.SHARED, uuid4())


@pytest.fixture
def running(
    torchserve: TorchServeProcess, engine: Engine, object_settings: ObjectSettings, tmp_path: Path
) -> Iterator[Running]:
    write_archive(torchserve.store, "mini", HANDLER)
    write_archive(torchserve.store, "broken", BROKEN)
    (tmp_path / "models.yaml").write_text(MODELS.format(name="mini"))
    running = Running(torchserve, engine, object_settings, tmp_path)
    yield running
    running.stop()


@pytest.mark.timeout(10 * PATIENCE_SECONDS)
def test_torchserve_holds_what_is_wanted(torchserve: TorchServeProcess, running: Running) -> None:
    running.wait_for("ready", "stopped")
    running.wait_for("stopped", name="resting")
    assert running.epoch() == 1

    running.submit(torchserve.store, "sent-v1")
    running.wait_for("stopped", name="sent-v1")
    for name in ("mini-explain", "resting", "sent-v1"):
        running.use.note(name)
    running.wait_for("ready", "ready")
    running.wait_for("ready", name="resting")
    running.wait_for("ready", "stopped", name="sent-v1")

    torchserve.kill()
    running.wait_for("starting")
    torchserve.start()
    running.wait_for("ready", "ready")
    running.wait_for("ready", name="resting")
    running.wait_for("ready", name="sent-v1")

    running.agent.kill()
    assert "the agent does not answer" in running.wait_for("starting")["reason"]
    running.agent.start()
    running.wait_for("ready", "ready")

    running.reconcilers[0].kill()
    write_archive(torchserve.store, "mini", HANDLER, model="2")
    running.wait_for("ready", "ready", digest="sha256:2")
    running.reconcilers[0].start()
    running.reconcilers[1].kill()
    wait_until(lambda: running.epoch() >= 2, PATIENCE_SECONDS, "the other reconciler to lead")
    running.wait_for("ready", "ready")

    running.models_file.write_text("models: {")
    wait_until(running.problem, PATIENCE_SECONDS, "a problem with the file")
    assert running.wait_for("ready")["name"] == "mini"

    running.models_file.write_text(MODELS.format(name="broken"))
    failed = running.wait_for("failed", name="broken")
    assert "end while they load" in str(failed["reason"])
    assert running.problem() is None
    assert running.model("sent-v1") is not None
