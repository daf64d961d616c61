"""What the edge tells a service of who asks: services count sign-ups and wrong passwords by it."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import urllib3
from dynabench_local.stack import Stack
from dynabench_local.temporary import temporary_stack


class Listener(BaseHTTPRequestHandler):
    """Answers with the address that it was told."""

    def do_POST(self) -> None:
        told = ", ".join(self.headers.get_all("X-Forwarded-For") or []).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def edge() -> Iterator[Stack]:
    """The edge before listeners in the place of accounts and of the pages."""
    with temporary_stack() as stack:
        stack.up(["edge"])
        listeners = [
            ThreadingHTTPServer(("127.0.0.1", stack.layout.port(name)), Listener)
            for name in ("accounts", "web")
        ]
        for listener in listeners:
            threading.Thread(target=listener.serve_forever, daemon=True).start()
        yield stack
        for listener in listeners:
            listener.shutdown()
            listener.server_close()


@pytest.mark.parametrize("path", ["/api/accounts/v1/people", "/sign-up"])
@pytest.mark.parametrize(
    "claimed", [None, "203.0.113.7", "203.0.113.7, 198.51.100.9", "127.0.0.1, 203.0.113.7"]
)
def test_a_service_is_told_where_a_request_comes_from_and_not_what_it_says(
    edge: Stack, path: str, claimed: str | None
) -> None:
    headers = {} if claimed is None else {"X-Forwarded-For": claimed}
    answer = urllib3.request("POST", edge.layout.public_url + path, headers=headers, body=b"", timeout=30)
    assert (answer.status, answer.data) == (200, b"127.0.0.1")
