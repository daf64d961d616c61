"""Our connections against servers that send exactly the bytes of each case."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from gateway.adapters.connections import AnswerTimedOut, ConnectionFailed, Connections, connections_to

from tests.authorities import Authority

from .conftest import whole_request

PATIENCE_SECONDS = 90.0
GOOD = b"HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\n{}"


class Scripted:
    """Answers each request on each connection with the next bytes of its script, then disconnects."""

    def __init__(self, scripts: list[list[bytes]], shown: ssl.SSLContext | None = None) -> None:
        self._scripts = scripts
        self._shown = shown
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.requests: list[bytes] = []
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        for script in self._scripts:
            connection, _ = self._listener.accept()
            if self._shown:
                try:
                    connection = self._shown.wrap_socket(connection, server_side=True)
                except OSError:
                    continue
            with connection, suppress(BrokenPipeError, ConnectionResetError):
                for answer in script:
                    self.requests.append(whole_request(connection))
                    for start in range(0, len(answer), 7):
                        connection.sendall(answer[start : start + 7])
        self._listener.close()

    def wait(self) -> None:
        self._thread.join(PATIENCE_SECONDS)
        assert not self._thread.is_alive()


Serve = Callable[[list[list[bytes]]], tuple[Connections, Scripted]]


@pytest.fixture
def serve() -> Iterator[Serve]:
    servers: list[Scripted] = []

    def start(scripts: list[list[bytes]]) -> tuple[Connections, Scripted]:
        server = Scripted(scripts)
        servers.append(server)
        return connections_to(f"http://127.0.0.1:{server.port}", kept=4), server

    yield start
    for server in servers:
        server.wait()


@pytest.fixture
def secured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scripted]:
    """A server that speaks TLS, with a certificate of an authority that is trusted here."""
    authority = Authority("the tests")
    monkeypatch.setenv("HTTP_AUTHORITIES_FILE", str(authority.write(tmp_path / "ca.crt")))
    shown = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    shown.load_cert_chain(*authority.sign(tmp_path))
    yield Scripted([[GOOD, GOOD, GOOD]], shown)


def test_over_tls_a_connection_serves_again(secured: Scripted) -> None:
    connections = connections_to(f"https://127.0.0.1:{secured.port}", kept=4)
    for _ in range(3):
        assert connections.post("/", {}, b"{}", PATIENCE_SECONDS).body == b"{}"
    secured.wait()
    assert len(secured.requests) == 3


def test_a_certificate_that_is_not_trusted_is_no_connection(
    secured: Scripted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_AUTHORITIES_FILE", str(Authority("a stranger").write(tmp_path / "other.crt")))
    untrusted = connections_to(f"https://127.0.0.1:{secured.port}", kept=4)
    with pytest.raises(ConnectionFailed, match="unable to get local issuer certificate"):
        untrusted.post("/", {}, b"{}", PATIENCE_SECONDS)


def test_a_request_is_one_well_formed_message(serve: Serve) -> None:
    connections, server = serve([[GOOD]])
    answer = connections.post("/predictions/mini", {"X-Request-Id": "7"}, b'{"a": 1}', PATIENCE_SECONDS)
    assert (answer.status, answer.body) == (200, b"{}")
    head, _, body = server.requests[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /predictions/mini HTTP/1.1\r\nHost: 127.0.0.1:")
    assert b"X-Request-Id: 7" in head.split(b"\r\n")
    assert b"\r\nContent-Length: 8" in head
    assert body == b'{"a": 1}'


def test_a_connection_serves_again(serve: Serve) -> None:
    connections, server = serve([[GOOD, GOOD, GOOD]])
    for _ in range(3):
        assert connections.post("/", {}, b"{}", PATIENCE_SECONDS).status == 200
    assert len(server.requests) == 3


def test_a_connection_that_was_closed_meanwhile_is_replaced(serve: Serve) -> None:
    connections, _ = serve([[GOOD], [GOOD]])
    assert connections.post("/", {}, b"{}", PATIENCE_SECONDS).status == 200
    assert connections.post("/", {}, b"{}", PATIENCE_SECONDS).status == 200


def test_a_request_is_repeated_once_if_the_server_closes_a_kept_connection(serve: Serve) -> None:
    connections, server = serve([[GOOD, b""], [GOOD]])
    assert connections.post("/", {}, b"{}", PATIENCE_SECONDS).status == 200
    assert connections.post("/", {}, b"{}", PATIENCE_SECONDS).status == 200
    assert len(server.requests) == 3


def test_close_means_close(serve: Serve) -> None:
    closing = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
    connections, _ = serve([[closing], [GOOD]])
    assert connections.post("/", {}, b"{}", PATIENCE_SECONDS).status == 503
    assert connections.post("/", {}, b"{}", PATIENCE_SECONDS).status == 200


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200 \r\nContent-Length: 10\r\n\r\n{}",
        b"HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        b"HTTP/1.1 200 \r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 \r\nContent-Length: many\r\n\r\n",
        b"HTTP/1.1 200 \r\nContent-Length: 99999999999\r\n\r\n",
        b"HTTP/1.1 twohundred\r\nContent-Length: 2\r\n\r\n{}",
        b"\r\n\r\n",
        b"x" * 80_000,
    ],
    ids=[
        "nothing",
        "short",
        "chunked",
        "negative",
        "no number",
        "huge",
        "no status",
        "empty head",
        "endless head",
    ],
)
def test_an_answer_that_is_not_ours_is_an_error(serve: Serve, answer: bytes) -> None:
    connections, _ = serve([[answer]])
    with pytest.raises(ConnectionFailed):
        connections.post("/", {}, b"{}", PATIENCE_SECONDS)


def test_silence_is_a_timeout() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        connections = connections_to(f"http://127.0.0.1:{silent.getsockname()[1]}", kept=4)
        with pytest.raises(AnswerTimedOut):
            connections.post("/", {}, b"{}", 0.5)


def test_nobody_there_is_a_failure() -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        with pytest.raises(ConnectionFailed):
            connections_to(f"http://127.0.0.1:{deaf.getsockname()[1]}", kept=4).post(
                "/", {}, b"{}", PATIENCE_SECONDS
            )
