"""The port on which a process serves its metrics to clients with the token.

A worker process serves its own metrics. Under gunicorn the port belongs to the master process, which opens the socket
before it forks. Each process keeps its values in a file of one folder, so any of them can answer for all. So the
metrics are those of the whole pod, and outlive a process that was replaced. A process that ends leaves its file (some
100 KB) with its counts.
"""

import hmac
import socket
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationInfo, field_validator
from pydantic_settings import BaseSettings

from dynabench_common.settings import metrics_are_shared, share_metrics_in
from dynabench_common.telemetry.logging import get_logger
from dynabench_common.working_folders import locked_folder, remove_abandoned

log = get_logger(__name__)
PATH = "/metrics"
SECONDS_TO_ASK = 5
BACKLOG = 16


class MetricsSettings(BaseSettings):
    """Settings of a process's metrics port."""

    metrics_bind: str = Field(
        default="", description="Address and port that show metrics to who has METRICS_TOKEN; empty: none"
    )
    metrics_token: str = Field(
        default="",
        validate_default=True,
        description="Bearer token of who reads metrics, 16 characters or more",
    )

    @field_validator("metrics_bind")
    @classmethod
    def _is_an_address(cls, bind: str) -> str:
        host, _, port = bind.rpartition(":")
        if bind and not (host and port.isdecimal() and 0 < int(port) < 65536):
            raise ValueError("write an address and a port, as in 127.0.0.1:9100")
        return bind

    @field_validator("metrics_token")
    @classmethod
    def _guards_the_port(cls, token: str, others: ValidationInfo) -> str:
        if others.data.get("metrics_bind") and len(token) < 16:
            raise ValueError("it is needed where METRICS_BIND is given, with 16 characters or more")
        return token


class MetricsPort:
    """A listening socket, served by this process or by those forked from it."""

    def __init__(self, settings: MetricsSettings) -> None:
        """Listen. Raises OSError where the address is taken."""
        host, _, port = settings.metrics_bind.rpartition(":")
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._socket = socket.socket(family, socket.SOCK_STREAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind((host.strip("[]"), int(port)))
        self._socket.listen(BACKLOG)
        self._token = settings.metrics_token

    @property
    def port(self) -> int:
        """Return the port's number."""
        number: int = self._socket.getsockname()[1]
        return number

    def serve(self) -> None:
        """Answer from now on, in a thread of its own that ends with the process."""
        server = _Server(self._socket, self._token, _reader())
        threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()


def share_values() -> Path:
    """Make the folder in which processes forked from now on keep their values, and return its path.

    Call it before the client library is imported, which looks once where to keep values.
    """
    remove_abandoned()
    folder, _lock = locked_folder()
    share_metrics_in(str(folder))
    return folder


def _reader() -> Callable[[], bytes]:
    """Return a function that reads the metrics of all processes that share a folder, else of this one."""
    from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
    from prometheus_client.multiprocess import MultiProcessCollector

    if not metrics_are_shared():
        return lambda: generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return lambda: generate_latest(registry)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, listening: socket.socket, token: str, read: Callable[[], bytes]) -> None:
        super().__init__(listening.getsockname()[:2], _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listening
        self.expected = f"Bearer {token}".encode()
        self.read = read

    def handle_error(self, *_: Any) -> None:
        """Log that a client could not be answered; most often it left."""
        log.info("metrics_not_answered", exc_info=True)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = SECONDS_TO_ASK

    def do_GET(self) -> None:
        given = self.headers.get("Authorization", "").encode("latin-1", "replace")
        if not hmac.compare_digest(given, self.server.expected):
            self._answer(401, b"Send METRICS_TOKEN as a bearer token.\n", ("WWW-Authenticate", "Bearer"))
        elif self.path != PATH:
            self._answer(404, f"Metrics are at {PATH}.\n".encode())
        else:
            self._answer(200, self.server.read())

    def _answer(self, status: int, body: bytes, *headers: tuple[str, str]) -> None:
        self.send_response_only(status)
        for name, value in (*headers, ("Content-Length", str(len(body)))):
            self.send_header(name, value)
        self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""
