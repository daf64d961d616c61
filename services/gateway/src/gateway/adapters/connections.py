"""A pool of keep-alive HTTP/1.1 connections to one server, without the cost of a general client.

See `0001-own-connections.md` for measurements. It supports what TorchServe uses: POST, JSON, an answer with a
Content-Length. Anything else is an error, never a guess.
"""

import socket
import ssl
import time
from collections import deque
from dataclasses import dataclass
from typing import NoReturn
from urllib.parse import urlsplit

from dynabench_common.pools import trusted_authorities
from dynabench_common.tracing import TRACEPARENT, current_traceparent

from gateway.domain.routes import Place

MAX_HEAD_BYTES = 32_768
MAX_BODY_BYTES = 16_000_000
MAX_STRANGERS_BODY_BYTES = 1_048_576
RECEIVE_BYTES = 65_536
CONNECT_SECONDS = 2.0


class ConnectionFailed(Exception):
    """The server could not be reached, or it hung up, or its answer is no HTTP that we speak."""


class AnswerTimedOut(Exception):
    """No whole answer came in time."""


@dataclass(frozen=True)
class HttpAnswer:
    """A status and a body."""

    status: int
    body: bytes
    keeps_connection: bool


def connections_to(url: str, kept: int) -> "Connections":
    """Return connections to a server, over TLS where its address says https. Raises SettingsError."""
    address = urlsplit(url)
    trusted = trusted_authorities() if address.scheme == "https" else None
    port = address.port or (443 if trusted else 80)
    return Connections(address.hostname or "127.0.0.1", port, kept, trusted)


class Connections:
    """Connections that wait for their next request; the one used last is used first."""

    _is_strangers = False
    _most_bytes = MAX_BODY_BYTES

    def __init__(self, host: str, port: int, kept: int, trusted: ssl.SSLContext | None = None) -> None:
        """Connect to nobody yet; over TLS where `trusted` says whose certificates are accepted."""
        self._address = (host, port)
        self._trusted = trusted
        self._host = f"{host}:{port}".encode("ascii")
        self._idle: deque[socket.socket] = deque(maxlen=kept)
        self._kept = kept

    def post(self, path: str, headers: bytes, body: bytes, timeout_seconds: float) -> HttpAnswer:
        """Return the answer to a POST. `headers` end each line with CRLF. Raises ConnectionFailed, AnswerTimedOut.

        A kept connection that the server has closed meanwhile is replaced once by a fresh one.
        """
        request = (
            b"POST %b HTTP/1.1\r\nHost: %b\r\n%bContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
            % (path.encode("ascii"), self._host, headers, len(body), body)
        )
        while kept := self._take():
            try:
                return self._exchange(kept, request, timeout_seconds)
            except ConnectionFailed:
                self._forget()
        return self._exchange(self._connect(timeout_seconds), request, timeout_seconds)

    def close(self) -> None:
        """Close the connections that wait; requests in hand end as they would."""
        self._forget()

    def _take(self) -> socket.socket | None:
        while self._idle:
            kept = self._idle.pop()
            if _is_quiet(kept):
                return kept
            kept.close()
        return None

    def _forget(self) -> None:
        while self._idle:
            self._idle.pop().close()

    def _connect(self, timeout_seconds: float) -> socket.socket:
        try:
            return self._open(min(CONNECT_SECONDS, timeout_seconds))
        except OSError as err:
            raise ConnectionFailed(f"{type(err).__name__}: {err}") from err

    def _open(self, timeout_seconds: float) -> socket.socket:
        fresh = socket.create_connection(self._address, timeout_seconds)
        fresh.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._trusted is None:
            return fresh
        try:
            return self._trusted.wrap_socket(fresh, server_hostname=self._address[0])
        except OSError:
            fresh.close()
            raise

    def _exchange(self, connection: socket.socket, request: bytes, timeout_seconds: float) -> HttpAnswer:
        answer = None
        try:
            connection.settimeout(timeout_seconds)
            connection.sendall(request)
            until = time.monotonic() + timeout_seconds if self._is_strangers else None
            answer = _receive(connection, self._most_bytes, until)
        except TimeoutError as err:
            raise AnswerTimedOut(f"no answer within {timeout_seconds:.1f} s") from err
        except OSError as err:
            raise ConnectionFailed(f"{type(err).__name__}: {err}") from err
        finally:
            if answer is not None and answer.keeps_connection and len(self._idle) < self._kept:
                self._idle.append(connection)
            else:
                connection.close()
        return answer


def trace_header() -> str:
    """Return the line that tells a model server the trace of the work in hand; nothing where there is none."""
    traceparent = current_traceparent()
    return f"{TRACEPARENT}: {traceparent}\r\n" if traceparent else ""


class StrangersConnections(Connections):
    """Connections to a server that may mean ill: all of an answer has to come in time, and be short."""

    _is_strangers = True
    _most_bytes = MAX_STRANGERS_BODY_BYTES

    def __init__(self, place: Place, kept: int) -> None:
        """Connect to nobody yet; `place` is the path of a unix socket, or an IP address and a port."""
        self._path = place if isinstance(place, str) else None
        super().__init__(*(("sandbox", 0) if isinstance(place, str) else place), kept)
        self._host = b"sandbox"

    def _open(self, timeout_seconds: float) -> socket.socket:
        if self._path is None:
            return super()._open(timeout_seconds)
        fresh = socket.socket(socket.AF_UNIX)
        try:
            fresh.settimeout(timeout_seconds)
            fresh.connect(self._path)
        except OSError:
            fresh.close()
            raise
        return fresh


def _is_quiet(connection: socket.socket) -> bool:
    """Tell whether nothing came unasked, neither bytes nor the end: only then is a connection of more use."""
    try:
        connection.settimeout(0)
        # Past TLS, whose records can't be peeked at: tickets that came with an answer's end are taken for more.
        socket.socket.recv(connection, 1, socket.MSG_PEEK)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _receive(
    connection: socket.socket, most_bytes: int = MAX_BODY_BYTES, until: float | None = None
) -> HttpAnswer:
    """Return an answer; with `until`, in monotonic seconds, the whole of it has to come by then."""
    received = b""
    while (end := received.find(b"\r\n\r\n")) < 0:
        if len(received) > MAX_HEAD_BYTES:
            _hang_up("the head of the answer is too long")
        received += _receive_some(connection, until)
    status, length, keeps = _read_head(received[:end], most_bytes)
    body = [received[end + 4 :]]
    missing = length - len(body[0])
    while missing > 0:
        part = _receive_some(connection, until)
        body.append(part)
        missing -= len(part)
    if missing < 0:
        _hang_up("the answer is longer than it says")
    return HttpAnswer(status, b"".join(body), keeps)


def _receive_some(connection: socket.socket, until: float | None) -> bytes:
    if until is not None:
        connection.settimeout(max(until - time.monotonic(), 0.001))
    data = connection.recv(RECEIVE_BYTES)
    if not data:
        _hang_up("the server closed the connection")
    return data


def _read_head(head: bytes, most_bytes: int) -> tuple[int, int, bool]:
    lines = head.split(b"\r\n")
    try:
        version, status, *_ = lines[0].split(b" ")
        fields = {
            name.strip().lower(): value.strip() for name, _, value in (x.partition(b":") for x in lines[1:])
        }
        length = int(fields[b"content-length"])
        code = int(status)
    except (ValueError, KeyError):
        _hang_up("the head of the answer is unreadable")
    if not 0 <= length <= most_bytes:
        _hang_up("the answer is too long")
    keeps = version == b"HTTP/1.1" and fields.get(b"connection", b"").lower() != b"close"
    return code, length, keeps


def _hang_up(reason: str) -> NoReturn:
    raise OSError(reason)
