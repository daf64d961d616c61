"""Graceful shutdown: finish open requests, refuse new connections.

gunicorn's own shutdown keeps listening while it finishes open requests, though it accepts no connection. A client that
connects meanwhile waits for an answer that never comes. Here such connections are refused at once, so that the load
balancer tries another replica. A TLS handshake may take ten seconds at most. A client that speaks plain HTTP to a TLS
port gets an answer that asks for HTTPS.
"""

import ctypes
import signal
import socket
import struct
import sys
from contextlib import suppress
from types import FrameType
from typing import Any, NoReturn

from gunicorn.arbiter import Arbiter
from gunicorn.http import get_parser
from gunicorn.sock import ssl_wrap_socket
from gunicorn.workers.gthread import _DEFER, DEFAULT_WORKER_DATA_TIMEOUT, ThreadWorker

from dynabench_common.http.tls import HANDSHAKE_SECONDS, answered_plainly
from dynabench_common.telemetry.logging import get_logger

log = get_logger(__name__)

STOPS = {signal.SIGTERM, signal.SIGQUIT, signal.SIGINT}
SO_ATTACH_FILTER = 26  # Linux, asm-generic/socket.h: the socket module has no name for it
# Classic BPF over a TCP header, struct sock_filter[4] of linux/filter.h: drop segments without ACK, which are
# connection requests, and pass the rest, so that open handshakes complete.
DROP_CONNECTION_REQUESTS = ctypes.create_string_buffer(
    b"".join(
        struct.pack("HBBI", *step)
        for step in (
            (0x30, 0, 0, 13),  # load the byte of flags
            (0x45, 0, 1, 0x10),  # is ACK set?
            (0x06, 0, 0, 0xFFFFFFFF),  # pass
            (0x06, 0, 0, 0),  # drop
        )
    )
)


class DrainingArbiter(Arbiter):  # type: ignore[misc]
    """The supervisor of a service's processes, which refuses new connections once all of them stop.

    A client that connected between a worker's last accept and the close of its listener would be cut off unanswered. So
    the kernel ignores connection attempts in that moment. Clients try again after a second, and are refused or reach
    another replica.

    A new worker begins with the arbiter's signal handling, which is to queue signals. A worker that got a signal
    before it had its own handler would never notice it. Everything would then wait DRAIN_SECONDS for it. So stop
    signals are blocked from before the fork until `end_when_told` has run in the worker.
    """

    def spawn_worker(self) -> Any:
        """Start a worker; return its process id."""
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
        try:
            return super().spawn_worker()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)

    def stop(self, graceful: bool = True) -> None:
        """Stop all workers."""
        for listener in self.LISTENERS:
            drop_new_connections(listener.sock)
        super().stop(graceful)


def end_on_stop_signal() -> None:
    """Unblock stop signals; one of them ends a process that has no work yet."""
    for stop in STOPS:
        signal.signal(stop, _end)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)


def _end(_signal: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(0)


def drop_new_connections(listener: socket.socket) -> None:
    """Drop new connection requests from now on; established connections still wait to be accepted. On Linux only."""
    program = struct.pack("HP", 4, ctypes.addressof(DROP_CONNECTION_REQUESTS))
    with suppress(OSError):
        listener.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, program)


class DrainingThreads(ThreadWorker):  # type: ignore[misc]
    """A worker that, once stopped, accepts established connections and no others."""

    def set_accept_enabled(self, enabled: bool) -> None:
        """Accept connections or don't; once the worker stops, for good."""
        super().set_accept_enabled(enabled)
        if not self.alive:
            for listener in self.sockets:
                self._take_in(listener)
                listener.close()

    def handle(self, conn: Any) -> Any:
        """Serve a connection in a thread; over TLS it begins with a handshake, which has a time limit."""
        if self.cfg.is_ssl and not conn.initialized:
            if not conn.wait_for_data(DEFAULT_WORKER_DATA_TIMEOUT):
                return _DEFER
            if not self._handshake_succeeds(conn):
                return False
        return super().handle(conn)

    def _handshake_succeeds(self, conn: Any) -> bool:
        conn.sock.settimeout(HANDSHAKE_SECONDS)
        try:
            if answered_plainly(conn.sock):
                return False
            conn.sock = ssl_wrap_socket(conn.sock, self.cfg)
            conn.sock.do_handshake()
        except OSError as err:
            log.info("handshake_failed", reason=str(err))
            return False
        conn.parser = get_parser(self.cfg, conn.sock, conn.client)
        conn.initialized = True
        return True

    def _take_in(self, listener: object) -> None:
        """Accept the waiting connections."""
        before = -1
        while before != self.nr_conns:
            before = self.nr_conns
            self.accept(listener)
