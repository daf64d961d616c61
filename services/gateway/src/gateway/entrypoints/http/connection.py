"""A check that the client of a request still waits for its answer."""

from collections.abc import Mapping
from socket import MSG_PEEK
from typing import Any

from gevent.select import select
from gevent.socket import socket

CONNECTION = "gateway.connection"
"""The key under which the server stores a request's connection."""


def has_hung_up(environ: Mapping[str, Any]) -> bool:
    """Return whether the client of a request has closed its connection."""
    connection = environ.get(CONNECTION)
    if connection is None:
        return False
    try:
        readable, _, _ = select([connection], [], [], 0)
        # Below TLS, whose records can't be peeked at: only the end of the stream matters.
        return bool(readable) and not socket.recv(connection, 1, MSG_PEEK)
    except (OSError, ValueError):
        return True
