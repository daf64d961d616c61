"""Cost of the gateway before KServe's model server: the same texts sent to it directly and through a gateway."""

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import urllib3
from dynabench_common.testing import wait_until
from dynabench_local.layout import checkout
from dynabench_local.part import answers
from dynabench_local.preflight import free_port_base
from dynabench_local.services import environment

from tests.bench.load import JsonPost, Sample, run
from tests.figures import Figure, plain
from tests.own_platform import OwnPlatform, console

MODEL = "sentiment-minilm"
START_SECONDS = 120
SECONDS = 4.0
TURNS = 3
TEXT = "The waiter was polite to number {number}, but the fish had seen better days and so had we, honestly."


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Measure at 1 and 32 callers, in alternation."""
    layout, secrets = platform.stack.layout, platform.stack.secrets
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        name, key_file = _serving_name(platform), folder / "key_file.json"
        (folder / f"{name}.mar").symlink_to(layout.model_store / f"{MODEL}.mar")
        ports = free_port_base(2)
        runtime, gateway = f"127.0.0.1:{ports}", f"127.0.0.1:{ports + 1}"
        stack.enter_context(_runtime(name, folder, key_file, runtime))
        settings = environment(layout, secrets, "gateway") | {
            "HTTP_BIND": gateway,
            "SHARED_POOL_RUNTIME": "open-inference",
            "OPEN_INFERENCE_URL": f"http://{runtime}",
            "OPEN_INFERENCE_KEY_FILE": str(key_file),
        }
        command = (str(layout.scripts / "gateway"), "http")
        stack.enter_context(_process(command, folder, settings, f"http://{gateway}/healthz/ready"))
        key = json.loads(key_file.read_text())["inference"]["key"]
        direct = _Client(f"http://{runtime}/v2/models/{name}/infer", key, _tensors)
        through = _Client(
            f"http://{gateway}/api/gateway/v1/models/{MODEL}:predict",
            secrets["service_token_annotation"],
            _texts,
        )
        for concurrency in (1, 32):
            yield from _compare(concurrency, direct, through)


def _compare(concurrency: int, direct: "_Client", through: "_Client") -> Iterator[Figure]:
    samples = {direct: Sample(), through: Sample()}
    for _ in range(TURNS):
        for client, sample in samples.items():
            sample.add(run([client.caller(each) for each in range(concurrency)], SECONDS))
    alone, gateway = samples[direct], samples[through]
    console.print(
        f"KServe at {concurrency}: direct {alone.p50:.1f} ms, through the gateway {gateway.p50:.1f} ms"
    )
    yield plain(f"KServe p50 at {concurrency}", alone.p50, "ms")
    yield plain(f"KServe throughput at {concurrency}", alone.per_second, "1/s")
    yield plain(f"gateway over KServe, p50 at {concurrency}", gateway.p50 / alone.p50, "×")
    throughput = gateway.per_second / max(alone.per_second, 1e-9)
    yield plain(f"gateway over KServe, throughput at {concurrency}", throughput, "×")
    yield plain(f"failures of both at {concurrency}", alone.failures + gateway.failures, "calls")


class _Client:
    """Sender of texts to one address, with the body for each text."""

    def __init__(self, url: str, token: str, body: Callable[[str], object]) -> None:
        self._url = url
        self._token = token
        self._body = body

    def caller(self, caller: int) -> Callable[[int], bool]:
        post = JsonPost(self._url, self._token)
        return lambda number: post(self._body(TEXT.format(number=1000 * caller + number)))


def _texts(text: str) -> object:
    return {"instances": [{"text": text}]}


def _tensors(text: str) -> object:
    return {"inputs": [{"name": "text", "shape": [1], "datatype": "BYTES", "data": [text]}]}


def _serving_name(platform: OwnPlatform) -> str:
    headers = {"Authorization": f"Bearer {platform.stack.secrets['service_token_gateway']}"}
    url = platform.stack.layout.url("registry") + "/api/registry/v1/models"
    listed = urllib3.request("GET", url, headers=headers).json()["models"]
    return str(next(each["serving_name"] for each in listed if each["name"] == MODEL))


@contextmanager
def _runtime(name: str, store: Path, key_file: Path, address: str) -> Iterator[None]:
    python = checkout() / ".venv-kserve" / "bin" / "python"
    command = [str(python), "-m", "model_archives.kserve_runtime", name, "--store", str(store)]
    command += ["--port", address.partition(":")[2], "--key-file", str(key_file)]
    settings = {
        "PYTHONPATH": str(checkout() / "model-archives" / "src"),
        "HF_HUB_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",
    }
    with _process(command, store, settings, f"http://{address}/v2/health/ready"):
        yield


@contextmanager
def _process(command: Sequence[str], folder: Path, settings: Mapping[str, str], ready: str) -> Iterator[None]:
    with (folder / "output.log").open("ab") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **settings},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            wait_until(lambda: answers(ready), START_SECONDS, command[0])
            yield
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(30)
