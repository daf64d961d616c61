"""The reconciler and a real TorchServe: first start, workers on demand, kill -9, a new archive, a broken one.

One test, because each start of a worker takes seconds. TorchServe makes new keys when it starts again, so the
return from kill -9 also proves that they are read again.
"""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from dynabench_common.testing import SERVICE_TOKEN, Issuer, wait_until
from registry.bootstrap import Dependencies, build_dependencies
from registry.service_layer.catalogue import ModelRecord
from registry.settings import RegistrySettings

from .conftest import BROKEN, HANDLER, TorchServeProcess, write_archive

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
# Each start of a worker takes seconds, on a busy machine many of them; only a failure waits for so long.
PATIENCE_SECONDS = 300


class Running:
    """A reconciler in a thread, and what it says."""

    def __init__(self, torchserve: TorchServeProcess, models_file: Path) -> None:
        settings = RegistrySettings(
            service_token=SERVICE_TOKEN,
            jwks_url="http://127.0.0.1:9/jwks",
            torchserve_management_url=f"http://127.0.0.1:{torchserve.management}",
            torchserve_inference_url=f"http://127.0.0.1:{torchserve.inference}",
            torchserve_key_file=torchserve.key_file,
            models_file=models_file,
            model_store=torchserve.store,
            start_timeout_seconds=2 * PATIENCE_SECONDS,
            pass_seconds=0.5,
            busy_pass_seconds=0.3,
        )
        self.needed: Dependencies = build_dependencies(settings, verifier=Issuer().verifier())
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self.needed.reconciler.run, args=(self._stop,))
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self.needed.reconciler.wake()
        self._thread.join(PATIENCE_SECONDS)

    def model(self, name: str) -> ModelRecord | None:
        return next((each for each in self.needed.reconciler.models or () if each.name == name), None)

    def wait_for(
        self, state: str, explainer: str | None = None, digest: str | None = None, name: str = "mini"
    ) -> ModelRecord:
        def reached() -> ModelRecord | None:
            model = self.model(name)
            if model is None or model.state != state or (digest and model.model_digest != digest):
                return None
            return (
                model if explainer is None or (model.explain and model.explain.state == explainer) else None
            )

        what = f"{name} in state {state}, explainer {explainer}"
        found: ModelRecord = wait_until(reached, PATIENCE_SECONDS, what)
        return found


@pytest.fixture
def running(torchserve: TorchServeProcess, tmp_path: Path) -> Iterator[Running]:
    write_archive(torchserve.store, "mini", HANDLER)
    write_archive(torchserve.store, "broken", BROKEN)
    models_file = tmp_path / "models.yaml"
    models_file.write_text(MODELS.format(name="mini"))
    running = Running(torchserve, models_file)
    yield running
    running.stop()


@pytest.mark.timeout(10 * PATIENCE_SECONDS)
def test_torchserve_holds_what_is_declared(
    torchserve: TorchServeProcess, running: Running, tmp_path: Path
) -> None:
    running.wait_for("ready", "stopped")
    running.wait_for("stopped", name="resting")

    running.needed.use.note("mini-explain")
    running.needed.use.note("resting")
    running.needed.reconciler.wake()
    running.wait_for("ready", "ready")
    running.wait_for("ready", name="resting")

    torchserve.kill()
    running.wait_for("starting")
    torchserve.start()
    running.wait_for("ready", "ready")
    running.wait_for("ready", name="resting")

    write_archive(torchserve.store, "mini", HANDLER, model="2")
    running.wait_for("ready", "ready", digest="sha256:2")

    (tmp_path / "models.yaml").write_text("models: {")
    wait_until(lambda: running.needed.reconciler.problem, PATIENCE_SECONDS, "a problem with the file")
    assert running.wait_for("ready").name == "mini"

    (tmp_path / "models.yaml").write_text(MODELS.format(name="broken"))
    failed = running.wait_for("failed", name="broken")
    assert "end while they load" in str(failed.reason)
    assert running.needed.reconciler.problem is None
