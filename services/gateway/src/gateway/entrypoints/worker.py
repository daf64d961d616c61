"""The gateway's gunicorn worker: gevent's own server, which closes idle connections on shutdown.

Callers keep connections open between requests. gunicorn cannot distinguish those from open requests, and would wait for
all of them until its graceful timeout. Here a stop takes as long as the requests in progress. A caller that sends
another request on such a connection just then gets an answer with a request to close. Connections without a request are
closed after a moment.
"""

from socket import SHUT_RD
from typing import Any, ClassVar

import gevent
from dynabench_common.http.greenlets import Handshakes
from gevent.socket import socket
from gunicorn.workers.ggevent import GeventPyWSGIWorker, PyWSGIHandler, PyWSGIServer

from gateway.entrypoints.http.connection import CONNECTION

LOOK_SECONDS = 0.1
LINGER_SECONDS = 2.0
"""Time in which an idle connection may still send a request, as in services with threads."""


class DrainingHandler(PyWSGIHandler):  # type: ignore[misc]
    """Serves one connection, and notes when it waits for the next request."""

    is_stopping: ClassVar[bool] = False
    is_over: ClassVar[bool] = False
    idle: ClassVar[set[Any]] = set()

    def read_requestline(self) -> Any:
        """Return the next request's first line; None when the worker has stopped."""
        if self.is_over:
            return ""
        self.idle.add(self.socket)
        try:
            return super().read_requestline()
        finally:
            self.idle.discard(self.socket)

    def start_response(self, status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
        """Begin an answer; once the worker stops, it is the connection's last."""
        last = [("Connection", "close")] if self.is_stopping else []
        return super().start_response(status, [*headers, *last], exc_info)

    def get_environ(self) -> Any:
        """Return the WSGI environment of a request, with its connection."""
        return {**super().get_environ(), CONNECTION: self.socket}

    def log_request(self) -> None:
        """Log nothing: the application writes the access log, with the model and the request id."""


class DrainingServer(Handshakes, PyWSGIServer):  # type: ignore[misc]
    """A listener that answers established connections before it closes."""

    def close(self) -> None:
        """Accept the established connections, then stop listening."""
        while not self.closed and (come := self.do_read()) is not None:
            self.do_handle(*come)
        super().close()


class DrainingWorker(GeventPyWSGIWorker):  # type: ignore[misc]
    """A worker that serves until it is stopped, then finishes its open requests."""

    server_class = DrainingServer
    wsgi_handler = DrainingHandler

    def run(self) -> None:
        """Serve."""
        gevent.spawn(self._hang_up_when_stopped)
        super().run()

    def _hang_up_when_stopped(self) -> None:
        while self.alive:
            gevent.sleep(LOOK_SECONDS)
        DrainingHandler.is_stopping = True
        gevent.sleep(LINGER_SECONDS)
        DrainingHandler.is_over = True
        for connection in list(DrainingHandler.idle):
            # Below TLS, which cannot close one direction: readers find the end.
            socket.shutdown(connection, SHUT_RD)
