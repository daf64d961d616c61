"""TorchServe, the registry and annotation as small real servers whose behaviour the tests choose."""

import json
import random
import socket
import threading
from abc import ABC, abstractmethod
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL_DIGEST, HANDLER_DIGEST = "sha256:model", "sha256:handler"
WAIT_SECONDS = 120.0
# Below the system's range for outgoing connections, so that none of them takes a port before its server does.
PORTS = range(20_000, 32_000)
FAILED = {"error": {"type": "prediction_failed", "detail": "the model could not answer this instance"}}


class FakeServer(ABC):
    """A server on a free port, one thread per connection, that keeps connections open."""

    def __init__(self) -> None:
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def setup(self) -> None:
                super().setup()
                fake.open.append(self.connection)

            def answer(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                status, body = fake.answer(
                    self.command, self.path, dict(self.headers), self.rfile.read(length)
                )
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                if status >= 400:
                    self.send_header("Connection", "close")
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = answer

            def log_message(self, format: str, *args: Any) -> None:
                """Log nothing."""

        self.open: list[socket.socket] = []
        self._handler = Handler
        self._server: ThreadingHTTPServer | None = None
        self._port = free_port()
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        ThreadingHTTPServer.allow_reuse_address = True
        self._server = ThreadingHTTPServer(("127.0.0.1", self._port), self._handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None
        while self.open:
            connection = self.open.pop()
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    @abstractmethod
    def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, bytes]:
        """Return a status and a body."""


class FakeTorchServe(FakeServer):
    """Answers as TorchServe does. A text may choose the failure: `crash`, `crash once`, `error`, `raise`, `wrong`."""

    def __init__(self) -> None:
        self.key = "first-key"
        self.calls: list[tuple[str, list[dict[str, Any]], dict[str, str]]] = []
        self.parameters: list[Any] = []
        self.gate = threading.Event()
        self._crashed: set[str] = set()
        super().__init__()
        self.reset()

    def reset(self) -> None:
        self.calls, self.parameters, self._crashed = [], [], set()
        self.gate.set()

    def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, bytes]:
        if headers.get("Authorization") != f"Bearer {self.key}":
            return failure(400, "InvalidKeyException", "Token Authorization failed.")
        request = json.loads(body)
        instances = request["instances"]
        self.calls.append((path, instances, headers))
        self.parameters.append(request.get("parameters"))
        self.gate.wait(WAIT_SECONDS)
        for instance in instances:
            text = first_text(instance)
            if text.startswith("crash") and (text == "crash" or text not in self._crashed):
                self._crashed.add(text)
                return failure(500, "InternalServerException", "Worker died.")
            if text == "raise":
                return failure(503, "InternalServerException", "Prediction failed")
            if text == "no worker":
                return failure(503, "ServiceUnavailableException", "Model has no worker to serve.")
            if text == "refused":
                return 400, json.dumps({"error": {"type": "invalid", "detail": "not this one"}}).encode()
            if text == "wrong":
                return 200, b'{"something": "else"}'
        member, entry = (
            ("explanations", explanation) if path.endswith("-explain") else ("predictions", prediction)
        )
        answer = {
            member: [
                FAILED if first_text(instance) == "error" else entry(instance) for instance in instances
            ],
            "model_digest": MODEL_DIGEST,
            "handler_digest": HANDLER_DIGEST,
        }
        return 200, json.dumps(answer).encode()


class FakeRegistry(FakeServer):
    """Serves a table that the tests change, and records the requested workers: `mini/predictor`."""

    def __init__(self) -> None:
        self.models: list[dict[str, Any]] = []
        self.started: list[str] = []
        super().__init__()

    def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, bytes]:
        if method == "POST":
            if headers.get("Content-Type") == "application/json" and not body:
                return failure(400, "body-not-json", "The body is not valid JSON.")
            self.started.append("/".join(path.split("/")[-2:]))
            return 202, b"{}"
        return 200, json.dumps({"models": self.models, "problem": None}).encode()


class FakeAnnotation(FakeServer):
    """Records requests to count: path and body. `in_the_loop` are models of open rounds."""

    def __init__(self) -> None:
        self.counted: list[tuple[str, dict[str, Any]]] = []
        self.in_the_loop: set[str] = set()
        super().__init__()

    def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, bytes]:
        asked = json.loads(body)
        if path.split("/")[-2] in self.in_the_loop and not asked["also_in_the_loop"]:
            return 403, b'{"type": "/problems/target-in-the-loop", "status": 403}'
        self.counted.append((path, asked))
        return 200, b'{"rounds": 1}'


def prediction(instance: dict[str, Any]) -> dict[str, Any]:
    """Return an answer of the task type whose texts the instance has."""
    probabilities = {"no": 0.25, "yes": 0.75}
    if "passage" in instance:
        return {"start": 0, "end": 1, "text": instance["passage"][:1], "probability": 0.5}
    if "title" in instance:
        return {"labels": ["yes"], "probabilities": probabilities}
    if "premise" in instance:
        return {"label": "yes", "probabilities": probabilities}
    return {"label": "yes", "probabilities": probabilities, "text": instance["text"]}


def explanation(instance: dict[str, Any]) -> dict[str, Any]:
    """Return an explanation in which each text is one token."""
    return {
        "label": instance.get("label", "yes"),
        "probability": 0.75,
        "tokens": [
            {"field": name, "text": text, "start": 0, "end": len(text), "weight": 1.0}
            for name, text in instance.items()
            if name not in {"label", "answer"}
        ],
        "convergence_delta": 0.0,
        "difference": 1.0,
        "n_steps": 20,
        "method": "layer_integrated_gradients",
        "baseline": "pad",
    }


def first_text(instance: dict[str, Any]) -> str:
    return str(next(iter(instance.values())))


def free_port() -> int:
    for port in random.sample(PORTS, 100):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


def failure(status: int, kind: str, message: str) -> tuple[int, bytes]:
    return status, json.dumps({"code": status, "type": kind, "message": message}).encode()
