"""The reconciler and a real TorchServe: first start, explanations on demand, kill -9, a new archive, a broken one.

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
"""


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
        self._thread.join(30)

    def model(self) -> ModelRecord | None:
        models = self.needed.reconciler.models
        return models[0] if models else None

    def wait_for(self, state: str, explainer: str | None = None, digest: str | None = None) -> ModelRecord:
        def reached() -> ModelRecord | None:
            model = self.model()
            if model is None or model.state != state or (digest and model.model_digest != digest):
                return None
            return (
                model if explainer is None or (model.explain and model.explain.state == explainer) else None
            )

        found: ModelRecord = wait_until(reached, 90, f"state {state}, explainer {explainer}")
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


def test_torchserve_holds_what_is_declared(
    torchserve: TorchServeProcess, running: Running, tmp_path: Path
) -> None:
    running.wait_for("ready", "stopped")

    running.needed.use.note("mini")
    running.needed.reconciler.wake()
    running.wait_for("ready", "ready")

    torchserve.kill()
    running.wait_for("deploying")
    torchserve.start()
    running.wait_for("ready", "ready")

    write_archive(torchserve.store, "mini", HANDLER, model="2")
    running.wait_for("ready", "ready", digest="sha256:2")

    (tmp_path / "models.yaml").write_text("models: {")
    wait_until(lambda: running.needed.reconciler.problem, 10, "a problem with the file")
    assert running.wait_for("ready").name == "mini"

    (tmp_path / "models.yaml").write_text(MODELS.format(name="broken"))
    failed = running.wait_for("failed")
    assert failed.name == "broken"
    assert "end while they load" in str(failed.reason)
    assert running.needed.reconciler.problem is None
