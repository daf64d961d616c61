"""Questions to a sandbox over its socket or its pod's address. What it answers is bounded in size, time and depth."""

import io
import json
import socket
import time
from http.client import HTTPException, HTTPResponse, RemoteDisconnected
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from model_agent.errors import ModelServerAway, ModelServerRefused

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

CHUNK_BYTES = 65_536
HEAD_BYTES = 32_768
SHOWN_CHARACTERS = 300
Place: TypeAlias = Path | tuple[str, int]
"""The address of a sandbox: a unix socket, or an IP address and a port."""


class _Bounded(io.RawIOBase):
    """Reads from a socket until a time and up to a number of bytes; `HTTPResponse` takes it for a socket."""

    def __init__(self, connection: socket.socket, until: float, most_bytes: int) -> None:
        super().__init__()
        self._connection = connection
        self._until = until
        self._left = most_bytes

    def makefile(self, *_: object) -> io.BufferedReader:
        """Return it as a file."""
        return io.BufferedReader(self, CHUNK_BYTES)

    def readable(self) -> bool:
        """Return True: the body can be read."""
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        """Read some bytes. Raises TimeoutError, ModelServerRefused."""
        self._connection.settimeout(max(self._until - time.monotonic(), 0.001))
        number = self._connection.recv_into(buffer)
        self._left -= number
        if self._left < 0:
            raise ModelServerRefused("the answer is too long")
        return number


def ask(place: Place, method: str, path: str, body: object, seconds: float, most_bytes: int) -> Any:
    """Return the JSON that is answered.

    Raises ModelServerAway where nobody listens; ModelServerRefused for another status than 2xx, with it, and for an
    answer that is too late, too long or no JSON.
    """
    data = b"" if body is None else json.dumps(body).encode()
    # TorchServe reads a registration from the body where one is announced, and else from the address.
    kind = "" if body is None else "Content-Type: application/json\r\n"
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: sandbox\r\nConnection: close\r\n{kind}"
        f"Content-Length: {len(data)}\r\n\r\n"
    )
    status, content = _exchange(place, method, head.encode("ascii") + data, seconds, most_bytes)
    try:
        answer = json.loads(content or b"null")
    except (ValueError, RecursionError):
        answer = None
        if status < 300:
            raise ModelServerRefused("the answer is no JSON") from None
    if not 200 <= status < 300:
        message = answer.get("message", "") if isinstance(answer, dict) else ""
        raise ModelServerRefused(f"status {status}: {printable(message)}", status)
    return answer


def printable(text: object) -> str:
    """Return a stranger's text as it can stand in a log or a reason: short, on one line."""
    short = str(text)[:SHOWN_CHARACTERS]
    return "".join(character if character.isprintable() else " " for character in short)


def connect(place: Place, seconds: float) -> socket.socket:
    """Return a connection that waits so long at most. Raises OSError."""
    if not isinstance(place, Path):
        return socket.create_connection(place, seconds)
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.settimeout(seconds)
        connection.connect(str(place))
    except OSError:
        connection.close()
        raise
    return connection


def _exchange(
    place: Place, method: str, request: bytes, seconds: float, most_bytes: int
) -> tuple[int, bytes]:
    until = time.monotonic() + seconds
    try:
        with connect(place, seconds) as connection:
            connection.sendall(request)
            bounded = _Bounded(connection, until, most_bytes + HEAD_BYTES)
            response = HTTPResponse(cast(socket.socket, bounded), method=method)
            response.begin()
            return response.status, response.read()
    except TimeoutError as err:
        raise ModelServerRefused(f"no answer within {seconds:g} s") from err
    except (RemoteDisconnected, OSError) as err:
        raise ModelServerAway(type(err).__name__) from err
    except (HTTPException, ValueError) as err:
        raise ModelServerRefused("the answer is no HTTP") from err
