"""Connections to model servers: one request and one complete answer, with limits of time and size."""

import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import RemoteDisconnected
from typing import Any
from urllib.parse import urlsplit

import gevent
import urllib3
from dynabench_common.pools import trusted_authorities
from dynabench_common.telemetry.tracing import TRACEPARENT, current_traceparent
from urllib3.connection import HTTPConnection
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError, ProtocolError
from urllib3.exceptions import TimeoutError as NoAnswerInTime

from gateway.domain.routes import Place

MAX_BODY_BYTES = 16_000_000
MAX_STRANGERS_BODY_BYTES = 1_048_576
CONNECT_SECONDS = 2.0
HUNG_UP = (RemoteDisconnected, ConnectionResetError, BrokenPipeError)


class ConnectionFailed(Exception):
    """The server could not be reached, it disconnected, or its answer is no HTTP or too long."""


class AnswerTimedOut(Exception):
    """No whole answer came in time."""


@dataclass(frozen=True)
class HttpAnswer:
    """A status and a body."""

    status: int
    body: bytes


class Connections:
    """Connections to one server, kept for the next request."""

    def __init__(self, pool: urllib3.HTTPConnectionPool, most_bytes: int = MAX_BODY_BYTES) -> None:
        self._pool = pool
        self._most_bytes = most_bytes

    def post(self, path: str, headers: Mapping[str, str], body: bytes, timeout_seconds: float) -> HttpAnswer:
        """Return the answer to a POST of JSON. Raises ConnectionFailed, AnswerTimedOut.

        A server may close a kept connection just when it is used, so such a request is sent once more.
        """
        until = time.monotonic() + timeout_seconds
        try:
            return self._exchange(path, headers, body, until)
        except ProtocolError as err:
            if not any(isinstance(each, HUNG_UP) for each in err.args):
                raise ConnectionFailed(str(err)) from err
        try:
            return self._exchange(path, headers, body, until)
        except ProtocolError as err:
            raise ConnectionFailed(str(err)) from err

    def close(self) -> None:
        """Close idle connections; the others close after their request."""
        self._pool.close()

    def _exchange(self, path: str, headers: Mapping[str, str], body: bytes, until: float) -> HttpAnswer:
        """Raises ProtocolError, ConnectionFailed, AnswerTimedOut."""
        seconds = max(until - time.monotonic(), 0.001)
        in_time = urllib3.Timeout(connect=min(CONNECT_SECONDS, seconds), read=seconds)
        try:
            # The read timeout is for each piece of an answer; this limit ends an answer that trickles in.
            with gevent.Timeout(seconds, AnswerTimedOut(f"no whole answer within {seconds:.1f} s")):
                response = self._pool.urlopen(
                    "POST",
                    path,
                    body=body,
                    headers={"Content-Type": "application/json", **headers},
                    retries=False,
                    redirect=False,
                    timeout=in_time,
                    preload_content=False,
                )
                return self._whole(response)
        except (NewConnectionError, ConnectTimeoutError) as err:
            raise ConnectionFailed(str(err)) from err
        except NoAnswerInTime as err:
            raise AnswerTimedOut(f"no answer within {seconds:.1f} s") from err
        except ProtocolError:
            raise
        except HTTPError as err:
            raise ConnectionFailed(f"{type(err).__name__}: {err}") from err

    def _whole(self, response: urllib3.BaseHTTPResponse) -> HttpAnswer:
        length = response.length_remaining
        if length is None or length > self._most_bytes:
            response.close()
            raise ConnectionFailed(
                "the answer names no length" if length is None else "the answer is too long"
            )
        return HttpAnswer(response.status, response.read(decode_content=False))


def connections_to(url: str, kept: int) -> Connections:
    """Return connections to a server, over TLS where its address says https. Raises SettingsError."""
    secured = {"ssl_context": trusted_authorities()} if urlsplit(url).scheme == "https" else {}
    return Connections(urllib3.connection_from_url(url, maxsize=kept, **secured))


def untrusted_connections(place: Place, kept: int) -> Connections:
    """Return connections to an untrusted server: the path of a unix socket, or an IP address and a port."""
    pool = (
        _SocketPool(place, kept)
        if isinstance(place, str)
        else urllib3.HTTPConnectionPool(*place, maxsize=kept)
    )
    return Connections(pool, MAX_STRANGERS_BODY_BYTES)


def trace_header() -> dict[str, str]:
    """Return the header that tells a model server the trace of the current work; nothing where there is none."""
    traceparent = current_traceparent()
    return {TRACEPARENT: traceparent} if traceparent else {}


class _SocketConnection(HTTPConnection):
    """A connection over a unix socket."""

    def __init__(self, path: str, **options: Any) -> None:
        super().__init__("sandbox", **options)
        self._path = path

    def _new_conn(self) -> socket.socket:
        fresh = socket.socket(socket.AF_UNIX)
        try:
            fresh.settimeout(CONNECT_SECONDS)
            fresh.connect(self._path)
        except OSError as err:
            fresh.close()
            raise NewConnectionError(self, str(err)) from err
        return fresh


class _SocketPool(urllib3.HTTPConnectionPool):
    """Connections over a unix socket."""

    def __init__(self, path: str, kept: int) -> None:
        super().__init__("sandbox", maxsize=kept)
        self._path = path

    def _new_conn(self) -> HTTPConnection:
        return _SocketConnection(self._path)
