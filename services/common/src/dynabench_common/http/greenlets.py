"""Greenlet servers with TLS: handshakes have a time limit, and plain HTTP gets an answer that asks for HTTPS."""

from functools import partial
from typing import Any

from gevent.server import StreamServer
from gunicorn.workers.ggevent import GeventWorker

from dynabench_common.http.tls import HANDSHAKE_SECONDS, answered_plainly
from dynabench_common.telemetry.logging import get_logger

log = get_logger(__name__)


class Handshakes:
    """A mixin for gevent's servers: wraps connections in TLS before they are handled."""

    def wrap_socket_and_handle(self, client_socket: Any, address: Any) -> Any:
        """Serve one connection."""
        server: Any = self
        client_socket.settimeout(HANDSHAKE_SECONDS)
        try:
            if answered_plainly(client_socket):
                client_socket.close()
                return None
            wrapped = server.wrap_socket(client_socket, **server.ssl_args)
        except OSError as err:
            log.info("handshake_failed", reason=str(err))
            client_socket.close()
            return None
        wrapped.settimeout(None)
        try:
            return server.handle(wrapped, address)
        finally:
            wrapped.close()


class SecuredStreams(Handshakes, StreamServer):  # type: ignore[misc]
    """gevent's server of streams, over TLS."""


class SecuredGreenlets(GeventWorker):  # type: ignore[misc]
    """gunicorn's worker of greenlets, over TLS."""

    def server_class(
        self, listener: Any, *, spawn: Any, ssl_context: Any, **_of_others: Any
    ) -> SecuredStreams:
        """Return the server that listens."""
        server = SecuredStreams(
            listener, handle=partial(self.handle, listener), spawn=spawn, ssl_context=ssl_context
        )
        if self.cfg.workers > 1:
            server.max_accept = 1
        return server
