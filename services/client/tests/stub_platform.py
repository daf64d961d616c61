"""A stub platform with prepared answers, on a real socket, for the tests of the SDK and of the command."""

import json
import sys
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.filled_answers import filled_answer
from tests.published import contracts


@dataclass(frozen=True)
class Seen:
    """A request as it arrived."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: Any
    data: bytes = b""


@dataclass(frozen=True)
class Told:
    """An answer to give; status 0 closes the connection without one. One that `is_whole` is sent as it is."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    is_whole: bool = False


Answer = Told | Callable[[Seen], Told]


class QuietServer(ThreadingHTTPServer):
    """A server that does not print when a client hangs up: a test reads the standard error of its command."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print an error of the stub, but none of a closed connection."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class StubPlatform:
    """Gives prepared answers per method and path, in order; the last one is repeated."""

    def __init__(self) -> None:
        self.requests: list[Seen] = []
        self._answers: dict[tuple[str, str], deque[Answer]] = defaultdict(deque)
        self._lock = threading.Lock()
        self._server = QuietServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def tell(self, method: str, path: str, *answers: Any) -> None:
        """Set the answers of a path below /api; anything that is not `Told` is a JSON body.

        Successes are filled with what else the published answer has, so that a test states what it is about.
        """
        ready = [a if isinstance(a, Told) or callable(a) else Told(a) for a in answers]
        self._answers[method, f"/api{path}"] = deque(ready)

    def send_on(self, path: str, target: str) -> None:
        """Answer a GET of a path below /api with a redirect to another of them."""
        self.tell("GET", path, Told(b"", 302, {"Location": f"{self.url}/api{target}"}))

    def seen(self, method: str, path: str) -> list[Seen]:
        return [r for r in self.requests if (r.method, r.path) == (method, f"/api{path}")]

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, request: Seen) -> Told:
        with self._lock:
            self.requests.append(request)
            answers = self._answers.get((request.method, request.path))
            if not answers:
                return problem(404, "not-found", detail="Nothing is served at this address.")
            chosen = answers.popleft() if len(answers) > 1 else answers[0]
        told = chosen if isinstance(chosen, Told) else chosen(request)
        is_filled = 200 <= told.status < 300 and isinstance(told.body, dict) and not told.is_whole
        return (
            replace(told, body=filled_answer(request.method, request.path, told.body)) if is_filled else told
        )

    def _handler(platform) -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _serve(self) -> None:
                data = self._read()
                address = urlsplit(self.path)
                headers = {name.lower(): value for name, value in self.headers.items()}
                body = json.loads(data) if headers.get("content-type") == "application/json" else None
                request = Seen(self.command, address.path, address.query, headers, body, data)
                told = platform.answer(request)
                if told.status == 0:
                    self.close_connection = True
                    return
                content = told.body if isinstance(told.body, bytes) else json.dumps(told.body).encode()
                self.send_response(told.status)
                own = {"Content-Type": "application/json", "Content-Length": str(len(content))}
                for name, value in {**own, **told.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def _read(self) -> bytes:
                if self.headers.get("Transfer-Encoding") != "chunked":
                    return self.rfile.read(int(self.headers.get("Content-Length", "0")))
                data = b""
                while size := int(self.rfile.readline(), 16):
                    data += self.rfile.read(size)
                    self.rfile.readline()
                self.rfile.readline()
                return data

            do_GET = do_POST = do_PUT = do_DELETE = _serve

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        return Handler


def problem(status: int, slug: str, headers: Mapping[str, str] | None = None, **fields: Any) -> Told:
    """Return a problem as the services write them."""
    document = {
        "type": f"/problems/{slug}",
        "title": slug.replace("-", " ").capitalize(),
        "status": status,
        "detail": f"It is {slug}.",
        "request_id": "r-1",
        **fields,
    }
    return Told(document, status, {"Content-Type": "application/problem+json", **(headers or {})})


@pytest.fixture
def stub() -> Iterator[StubPlatform]:
    contracts()  # read before anything is asked: a client waits for no import
    running = StubPlatform()
    yield running
    running.stop()


@pytest.fixture
def tell_problem() -> Callable[..., Told]:
    return problem


@pytest.fixture
def told() -> type[Told]:
    return Told
