"""The fast path: regular predictions, answered before Flask is entered.

A prediction takes a few milliseconds, and after each one the processor's caches contain the model and not Flask.
Flask's 300 microseconds then become a whole millisecond, more than everything else in the gateway. So regular
predictions are answered here. Irregular ones are left to the application, which has the error map: a person, who is
counted; an odd body; workers that do not run; any refusal or outage. An outcome of the model is passed along, so the
model is never asked twice.
"""

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING
from uuid import uuid4

import gevent
from dynabench_common.authentication import Principal
from dynabench_common.http import BEGUN_SPAN
from dynabench_common.logging import get_logger
from dynabench_common.metrics import request_served
from dynabench_common.permissions import Permission, is_allowed
from dynabench_common.problems import Problem
from dynabench_common.spans import begin_request, end_request
from opentelemetry.trace import Span, use_span

from gateway.bootstrap import Dependencies
from gateway.domain.coalescer import Lane
from gateway.domain.deadline import Call
from gateway.domain.errors import RequestRefused, UnknownModel
from gateway.entrypoints.http.body import MAX_BODY_BYTES, decode, encode
from gateway.service_layer.ports import BatchAnswer

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

log = get_logger("dynabench_common.http")
FAILURE = "gateway.failure"
EVALUATION = "HTTP_X_EVALUATION"
"""Names the evaluation whose texts nobody may see, where a service asks for one."""
LOG_SECONDS = 0.002
ROUTE = "/api/gateway/v1/models/<string:name>:predict"
PATH = re.compile(r"/api/gateway/v1/models/([^/:]{1,200}):predict")
EVERY_MODEL = (Permission.USE_MODELS, Permission.ASK_TARGETS)
SAFE_ID = re.compile(r"[A-Za-z0-9._-]{1,100}")


class _Irregular(Exception):
    """The application has to see to it."""


@dataclass(frozen=True)
class _Served:
    """A request that was answered here; `ended_at` is in nanoseconds since 1970."""

    path: str
    model: str
    instances: int
    milliseconds: float
    request_id: str
    span: Span
    ended_at: int


class PredictFastPath:
    """Stands before the application."""

    def __init__(self, application: "WSGIApplication", needed: Dependencies) -> None:
        self._application = application
        self._needed = needed

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answer a regular prediction; leave everything else to the application."""
        found = PATH.fullmatch(environ["PATH_INFO"]) if environ["REQUEST_METHOD"] == "POST" else None
        length = environ.get("CONTENT_LENGTH", "")
        is_plain = (
            length.isdigit() and int(length) <= MAX_BODY_BYTES and "HTTP_CONTENT_ENCODING" not in environ
        )
        if found is None or not is_plain:
            return self._application(environ, start_response)
        started = time.perf_counter()
        given = environ.get("HTTP_X_REQUEST_ID", "")
        request_id = environ["HTTP_X_REQUEST_ID"] = given if SAFE_ID.fullmatch(given) else uuid4().hex
        span = begin_request("POST", environ.get("HTTP_TRACEPARENT"))
        data = environ["wsgi.input"].read(int(length))
        try:
            answer = self._predict(environ, found[1], data, request_id)
        except _Irregular:
            environ["wsgi.input"] = BytesIO(data)
            environ[BEGUN_SPAN] = span
            return self._application(environ, start_response)
        body = encode("predictions", answer)
        headers = [
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(body))),
            ("X-Request-Id", request_id),
            ("X-Content-Type-Options", "nosniff"),
            ("Cache-Control", "no-store"),
        ]
        start_response("200 OK", headers)
        served = _Served(
            path=environ["PATH_INFO"],
            model=found[1],
            instances=len(answer.entries),
            milliseconds=round((time.perf_counter() - started) * 1000, 1),
            request_id=request_id,
            span=span,
            ended_at=time.time_ns(),
        )
        gevent.spawn_later(LOG_SECONDS, _tell, served)
        return [body]

    def _predict(self, environ: "WSGIEnvironment", name: str, data: bytes, request_id: str) -> BatchAnswer:
        try:
            route = self._needed.routes.find(name)
            principal = self._needed.verifier.principal(environ.get("HTTP_AUTHORIZATION"))
            body = decode(data)
        except (UnknownModel, Problem, RequestRefused) as err:
            raise _Irregular from err
        if not route.is_ready or not route.accepted or not _may_ask_anything(principal):
            raise _Irregular
        if EVALUATION in environ and route.scorers is not None:
            raise _Irregular
        call = Call(request_id, environ.get("HTTP_X_DEADLINE_MILLISECONDS"), lane=lane_of(environ))
        try:
            return self._needed.predictions.predict(route, body, call)
        except Exception as err:
            environ[FAILURE] = err
            raise _Irregular from err


def _may_ask_anything(principal: Principal) -> bool:
    """Tell whether it is a service that may ask every model, also in a loop and unpublished."""
    return principal.is_service and all(is_allowed(permission, principal) for permission in EVERY_MODEL)


def lane_of(environ: "WSGIEnvironment") -> Lane:
    """Return the lane that a service asks in."""
    return Lane.EVALUATION if environ.get("HTTP_X_LANE") == Lane.EVALUATION else Lane.PEOPLE


def _tell(served: _Served) -> None:
    """Count the request, write its line and end its span, as the application would, a moment later."""
    request_served("gateway", "POST", ROUTE, 200, served.milliseconds / 1000)
    with use_span(served.span):
        log.info(
            "request_served",
            method="POST",
            path=served.path,
            status=200,
            milliseconds=served.milliseconds,
            model=served.model,
            instances=served.instances,
            request_id=served.request_id,
        )
    end_request(served.span, "POST", ROUTE, 200, served.request_id, served.ended_at)
