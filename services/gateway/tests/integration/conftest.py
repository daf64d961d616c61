"""A gateway in its own process, as it is deployed, with fakes of the services around it."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from uuid import UUID

import pytest
import urllib3
from dynabench_common.http.contracts import Answered, contract_of
from dynabench_common.testing import SERVICE_TOKEN_DIGESTS, Issuer, service_headers, service_token, wait_until

from tests.published import document_of

from .gateway_fakes import (
    HANDLER_DIGEST,
    MODEL_DIGEST,
    FakeAnnotation,
    FakeRegistry,
    FakeServer,
    FakeTorchServe,
    free_port,
)

CONTRACT = contract_of(document_of("gateway"))
SERVICE = service_headers("annotation")
PREFIX = "/api/gateway"
MODELS, STATUSES = f"{PREFIX}/v1/models", f"{PREFIX}/v1/model-statuses"
TENSORS = f"{PREFIX}/v2/models"
# Generous, since tests share slow machines; only a failure waits for so long.
PATIENCE_SECONDS = 90
TOKENS_PER_MINUTE = 2_000


def model(name: str = "mini", **changes: Any) -> dict[str, Any]:
    """Return a record as the registry gives it."""
    explain = {
        "serving_name": f"{name}-explain",
        "state": "ready",
        "max_in_flight": 1,
        "max_characters": 200,
        "response_timeout_seconds": 2 * PATIENCE_SECONDS,
    }
    return {
        "name": name,
        "version": "1",
        "task": "sentiment",
        "task_type": "text-classification",
        "fields": ["text"],
        "labels": ["no", "yes"],
        "model_digest": MODEL_DIGEST,
        "handler_digest": HANDLER_DIGEST,
        "state": "ready",
        "serving_name": name,
        "workers": 1,
        "start": "always",
        "max_in_flight": 8,
        "max_characters": 1000,
        "response_timeout_seconds": 2 * PATIENCE_SECONDS,
        "explain": explain,
        "address": None,
        "submitted_by": None,
        "published": True,
        **changes,
    }


class FakeAccounts(FakeServer):
    """Serves the public keys, as accounts does, and exchanges the configured API tokens."""

    def __init__(self, issuer: Issuer) -> None:
        self._issuer = issuer
        self.people: dict[str, UUID] = {}
        super().__init__()

    def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, bytes]:
        if method == "POST":
            person_id = self.people.get(json.loads(body)["api_token"])
            if person_id is None:
                return 401, b'{"type": "/problems/api-token-refused"}'
            return 200, json.dumps(
                {"access_token": self._issuer.token(person_id), "expires_in": 900}
            ).encode()
        return 200, json.dumps(self._issuer.jwks()).encode()


@dataclass
class Gateway:
    """A running gateway and the fakes around it."""

    url: str
    torchserve: FakeTorchServe
    registry: FakeRegistry
    annotation: FakeAnnotation
    issuer: Issuer
    keys: FakeAccounts
    key_file: Path
    log: Path
    pool: urllib3.PoolManager
    threads: ThreadPoolExecutor
    process: subprocess.Popen[bytes]

    def call(self, method: str, path: str, body: Any = None, headers: Any = None) -> urllib3.BaseHTTPResponse:
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        answer = self.pool.request(
            method,
            self.url + path,
            body=data,
            headers=SERVICE if headers is None else headers,
            timeout=2 * PATIENCE_SECONDS,
        )
        if path.startswith(f"{PREFIX}/v"):
            answered = Answered(answer.status, answer.headers, answer.data)
            assert CONTRACT.breaches(method, unquote(path.partition("?")[0]), answered) == []
        return answer

    def predict(self, *texts: str, name: str = "mini", headers: Any = None) -> urllib3.BaseHTTPResponse:
        return self.predict_instances(name, *({"text": text} for text in texts), headers=headers)

    def predict_instances(
        self, name: str, *instances: dict[str, Any], headers: Any = None
    ) -> urllib3.BaseHTTPResponse:
        body = {"instances": instances}
        return self.call("POST", f"{MODELS}/{name}:predict", body, {**SERVICE, **(headers or {})})

    def explain(
        self, text: str, parameters: Any = None, headers: Any = None, name: str = "mini"
    ) -> urllib3.BaseHTTPResponse:
        return self.explain_instance(name, {"text": text}, parameters, headers)

    def explain_instance(
        self, name: str, instance: dict[str, Any], parameters: Any = None, headers: Any = None
    ) -> urllib3.BaseHTTPResponse:
        body = {"instances": [instance], "parameters": parameters or {}}
        return self.call("POST", f"{MODELS}/{name}:explain", body, {**SERVICE, **(headers or {})})

    def infer(
        self, inputs: list[dict[str, Any]], headers: Any = None, name: str = "mini", **members: Any
    ) -> urllib3.BaseHTTPResponse:
        body = {"inputs": inputs, **members}
        return self.call("POST", f"{TENSORS}/{name}/infer", body, {**SERVICE, **(headers or {})})

    def later(
        self, call: Callable[..., urllib3.BaseHTTPResponse], *args: Any, **named: Any
    ) -> "Future[urllib3.BaseHTTPResponse]":
        return self.threads.submit(call, *args, **named)

    def serve(self, *models: dict[str, Any]) -> None:
        """Change the registry's table and wait until the gateway has it."""
        self.registry.models = list(models)
        states = {
            each["name"]: (each["state"], each["model_digest"], (each["explain"] or {}).get("state"))
            for each in models
        }
        wait_until(lambda: self.states() == states, PATIENCE_SECONDS, "the new table")

    def states(self) -> dict[str, tuple[str, str, str | None]]:
        found = {}
        for name in self.call("GET", MODELS).json()["models"]:
            answer = self.call("GET", f"{MODELS}/{name}")
            if answer.status == 404:  # the table changed between the two calls
                continue
            status = answer.json()
            found[name] = (status["state"], status["model_digest"], (status["explain"] or {}).get("state"))
        return found

    def in_flight(self, name: str = "mini") -> int:
        number: int = self.call("GET", f"{MODELS}/{name}").json()["in_flight"]
        return number

    def is_idle(self) -> bool:
        """Return whether no model has an open request."""
        answers = [self.call("GET", f"{MODELS}/{name}") for name in self.call("GET", MODELS).json()["models"]]
        found = [answer.json() for answer in answers if answer.status == 200]
        return not any(each["in_flight"] or (each["explain"] or {}).get("in_flight") for each in found)

    def log_lines(self, event: str) -> list[dict[str, Any]]:
        whole, _, _being_written = self.log.read_text().rpartition("\n")
        lines = [json.loads(line) for line in whole.splitlines() if line.startswith("{")]
        return [line for line in lines if line["event"] == event]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    folder = tmp_path_factory.mktemp("gateway")
    issuer, torchserve, registry = Issuer(), FakeTorchServe(), FakeRegistry()
    annotation = FakeAnnotation()
    keys = FakeAccounts(issuer)
    registry.models = [model()]
    key_file, log, port = folder / "key_file.json", folder / "gateway.log", free_port()
    write_key(key_file, torchserve.key)
    environment = {
        **os.environ,
        "HTTP_BIND": f"127.0.0.1:{port}",
        "SERVICE_TOKEN": service_token("gateway"),
        "SERVICE_TOKEN_DIGESTS": SERVICE_TOKEN_DIGESTS,
        "JWKS_URL": f"{keys.url}/jwks",
        "TORCHSERVE_INFERENCE_URL": torchserve.url,
        "TORCHSERVE_KEY_FILE": str(key_file),
        "REGISTRY_URL": registry.url,
        "ANNOTATION_URL": annotation.url,
        "ROUTES_SECONDS": "0.1",
        "DEADLINE_MILLISECONDS": str(2000 * PATIENCE_SECONDS),
        "EXPLAIN_DEADLINE_MILLISECONDS": str(2000 * PATIENCE_SECONDS),
        "BREAKER_FAILURES": "3",
        "BREAKER_OPEN_SECONDS": "1",
        "TOKENS_PER_MINUTE": str(TOKENS_PER_MINUTE),
    }
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(Path(sys.executable).with_name("gateway")), "http"], env=environment, stderr=output
        )
    pool, threads = urllib3.PoolManager(maxsize=40, retries=False), ThreadPoolExecutor(40)
    url = f"http://127.0.0.1:{port}"
    gateway = Gateway(
        url, torchserve, registry, annotation, issuer, keys, key_file, log, pool, threads, process
    )
    try:
        wait_until(lambda: is_ready(gateway), PATIENCE_SECONDS, "the gateway")
        yield gateway
    finally:
        torchserve.gate.set()
        process.terminate()
        process.wait(PATIENCE_SECONDS)
        threads.shutdown()
        for fake in (torchserve, registry, annotation, keys):
            fake.stop()


@pytest.fixture
def gateway(running: Gateway) -> Iterator[Gateway]:
    """Return the module's gateway with all fakes reset."""
    running.torchserve.reset()
    running.registry.started.clear()
    running.annotation.counted.clear()
    running.annotation.in_the_loop.clear()
    running.serve(model())
    wait_until(lambda: running.predict("hello").status == 200, PATIENCE_SECONDS, "a closed breaker")
    running.torchserve.reset()
    yield running
    running.torchserve.gate.set()
    wait_until(running.is_idle, PATIENCE_SECONDS, "no open request")


def is_ready(gateway: Gateway) -> bool:
    try:
        return gateway.call("GET", "/healthz/ready").status == 200
    except urllib3.exceptions.HTTPError:
        return False


def write_key(path: Path, key: str) -> None:
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps({"inference": {"key": key}, "management": {"key": "another"}}))
    partial.replace(path)


def wait_for_calls(gateway: Gateway, number: int) -> None:
    wait_until(lambda: len(gateway.torchserve.calls) >= number, PATIENCE_SECONDS, f"{number} calls")


def whole_request(connection: socket.socket) -> bytes:
    """Return a whole request, or its partial bytes."""
    received = b""
    while (end := received.find(b"\r\n\r\n")) < 0 or len(received) < end + 4 + _length(received[:end]):
        data = connection.recv(65_536)
        if not data:
            break
        received += data
    return received


def _length(head: bytes) -> int:
    return int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
