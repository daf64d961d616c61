"""The HTTP server of the crowd platforms, alone or in a thread of a test."""

import socket
import threading
from typing import Any

import urllib3
from flask import Flask, Response, g, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.serving import WSGIRequestHandler, make_server

from tests.crowd_platforms import control, mturk, prolific
from tests.crowd_platforms.state import Fault, State

LOCKS_ITSELF = "control.send"
"""Sends to servers that may call back."""


class LockedFlask(Flask):
    """An app that handles one call at a time; faults hang outside of the lock."""

    state: State

    def dispatch_request(self) -> ResponseReturnValue:
        if request.endpoint == LOCKS_ITSELF:
            return super().dispatch_request()
        with self.state.lock:
            return super().dispatch_request()


class Quiet(WSGIRequestHandler):
    """Logs no requests."""

    def log(self, type: str, message: str, *args: Any) -> None:
        pass


class CrowdPlatforms:
    """Prolific and Mechanical Turk on one port of the loopback interface, at `url` once started."""

    def __init__(self, port: int = 0, host: str = "127.0.0.1") -> None:
        self.state = State()
        self._server = make_server(host, port, create_app(self.state), threaded=True, request_handler=Quiet)
        self.url = f"http://{host}:{self._server.server_port}"
        self._thread = threading.Thread(target=self.serve, daemon=True)

    def serve(self) -> None:
        self._server.serve_forever(0.02)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self.state.release()
        self._server.shutdown()
        self._thread.join(5)
        self._server.server_close()

    def control(self, method: str, path: str, **body: Any) -> Any:
        """Call the control interface, and return what it answers."""
        answer = urllib3.request(method, f"{self.url}/control/{path}", json=body)
        if answer.status >= 400:
            raise AssertionError(f"{method} {path} was answered {answer.status}: {answer.data!r}")
        return answer.json() if answer.data else None

    def fail(self, match: str, when: str, answer: str | int, **more: Any) -> None:
        """Arm a fault: see `Fault`."""
        self.control("POST", "faults", match=match, when=when, answer=answer, **more)


def create_app(state: State) -> Flask:
    """Return the app over a state."""
    app = LockedFlask(__name__)
    app.state = state
    for module in (prolific, mturk, control):
        app.register_blueprint(module.blueprint(state))

    @app.before_request
    def note() -> ResponseReturnValue | None:
        if request.path.startswith("/control/"):
            return None
        state.calls.append(call_name())
        g.fault = state.take_fault(call_name(), "before")
        return perform(state, g.fault, Response()) if g.fault else None

    @app.after_request
    def spoil(response: Response) -> Response:
        is_carried_out = "fault" in g and g.fault is None
        fault = state.take_fault(call_name(), "after") if is_carried_out else None
        return perform(state, fault, response) if fault else response

    return app


def call_name() -> str:
    """Return the name of a call by which faults match."""
    if operation := request.headers.get("X-Amz-Target"):
        return f"MTurk {operation.removeprefix(mturk.TARGET)}"
    return f"{request.method} {request.path}"


def perform(state: State, fault: Fault, response: Response) -> Response:
    """Answer as the fault says, or close the connection without an answer."""
    if isinstance(fault.answer, int):
        response = jsonify(
            fault.body or {"error": {"status": fault.answer, "detail": "A fault of the test."}}
        )
        response.status_code = fault.answer
        response.headers.update(fault.headers)
        return response
    if fault.answer == "hang":
        state.released.wait()
    request.environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
    return response
