"""The HTTP layer that every service shares: request ids, problems, health, OpenAPI and the access log."""

import json
import re
import time
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any, Generic, TypeVar
from uuid import uuid4

import structlog
from dynabench_tasks.strict_json import NumberTooLarge, read_json
from flask import Flask, Response, current_app, g, request
from flask_openapi import Info
from opentelemetry.trace import Span
from pydantic import BaseModel, ValidationError
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from werkzeug.exceptions import HTTPException, NotFound

from dynabench_common.auth.authentication import Authenticates
from dynabench_common.auth.permissions import ATTRIBUTE, Permission, current_principal, ensure
from dynabench_common.events.outbox import LARGEST_EVENT_BYTES, EventTooLarge
from dynabench_common.http import downloads, uploads
from dynabench_common.http.openapi import ProblemDocument, PublishedApp
from dynabench_common.http.page_headers import missing_headers
from dynabench_common.problems import ErrorMap, Problem, unavailable
from dynabench_common.telemetry.logging import get_logger
from dynabench_common.telemetry.metrics import request_served
from dynabench_common.telemetry.spans import begin_request, begin_unwatched, end_request
from dynabench_common.telemetry.tracing import person_variable, request_id_variable

__all__ = ["Provided", "current_principal", "idempotency_key", "json_response", "prepare", "service_app"]

log = get_logger(__name__)
MAX_BODY_BYTES = 1_000_000
INTERFACE_PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Interface of {service}</title></head>
<body><h1>Interface of {service}</h1>
<p>It is described by <a href="/api/{service}/openapi.json">an OpenAPI document</a>.</p></body>
</html>
"""
SAFE_ID = re.compile(r"[A-Za-z0-9._-]{1,100}")
KEY = re.compile(r"[\x21-\x7e]{1,200}")
PROVIDED = "dynabench"
Needed = TypeVar("Needed")


class Provided(Generic[Needed]):
    """Access of routes to the collaborators that bootstrap chose: `dependencies = Provided[X]()`.

    Two packages whose routes are in one app each give a name.
    """

    def __init__(self, name: str = PROVIDED) -> None:
        self._name = name

    def provide(self, app: Flask, needed: Needed) -> None:
        """Keep the collaborators with an app."""
        app.extensions[self._name] = needed

    def __call__(self) -> Needed:
        """Return the collaborators of the app that serves this request."""
        needed: Needed = current_app.extensions[self._name]
        return needed


def _database_away(_error: Exception) -> Problem:
    return Problem(
        503,
        "database-unavailable",
        "Not available just now",
        "The database does not answer.",
        remedy="Repeat the request in 2 s, with the same Idempotency-Key if it is a write.",
        headers={"Retry-After": "2"},
    )


def _event_too_large(error: EventTooLarge) -> Problem:
    return Problem(
        413,
        "event-too-large",
        "Too much at once",
        "This would be {size:,} bytes when it is stored; at most {largest:,} are possible.",
        remedy="Nothing was stored. Shorten it, or send it in several parts.",
        parameters={"size": error.size, "largest": LARGEST_EVENT_BYTES},
    )


COMMON_ERRORS: ErrorMap = {
    **dict.fromkeys((OperationalError, InterfaceError, PoolTimeout), _database_away),
    EventTooLarge: _event_too_large,
}


def service_app(
    service: str,
    *,
    verifier: Authenticates,
    error_map: ErrorMap | None = None,
    ready: Callable[[], None] = lambda: None,
) -> PublishedApp:
    """Return an app that serves OpenAPI at /api/<service>/openapi.json.

    `ready` raises while the service is not ready.
    """
    app = PublishedApp(
        service,
        info=Info(title=f"Dynabench {service}", version=version(f"dynabench-{service}")),
        security_schemes={"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
        doc_prefix=f"/api/{service}",
        doc_url="/openapi.json",
        doc_ui=True,
        validation_error_status=422,
        validation_error_model=ProblemDocument,
        validation_error_callback=_invalid_input,
    )
    app.openapi_version = "3.1.0"
    app.config["OPENAPI_HTML_STRING"] = INTERFACE_PAGE.format(service=service)
    prepare(app, verifier=verifier, error_map=error_map, ready=ready)
    app.before_request(_ensure_permission)
    uploads.limit(app, MAX_BODY_BYTES)
    downloads.limit(app, MAX_BODY_BYTES)
    app.before_request(_refuse_bad_body)
    return app


def prepare(
    app: Flask,
    *,
    verifier: Authenticates,
    error_map: ErrorMap | None = None,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Give any Flask app the shared request handling, error map and health routes."""
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES
    app.before_request(_begin)
    app.before_request(_authenticate(verifier))
    app.after_request(_finish)
    _register_errors(app, {**COMMON_ERRORS, **(error_map or {})})
    _register_health(app, ready)


def json_response(
    body: BaseModel | Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a JSON response; NaN and Infinity are refused, never sent."""
    text = (
        body.model_dump_json()
        if isinstance(body, BaseModel)
        else json.dumps(body, allow_nan=False, default=str)
    )
    return Response(text, status=status, headers=dict(headers or {}), content_type="application/json")


def idempotency_key() -> str | None:
    """Return the request's Idempotency-Key, if it has one. Raises Problem 422 for an unusable one."""
    key = request.headers.get("Idempotency-Key")
    if key is not None and not KEY.fullmatch(key):
        raise Problem(
            422,
            "idempotency-key-invalid",
            "Unusable Idempotency-Key",
            "The key must be 1 to 200 printable ASCII characters.",
            field="Idempotency-Key",
            remedy="Send a fresh UUID.",
        )
    return key


def _begin() -> None:
    given = request.headers.get("X-Request-Id", "")
    g.request_id = given if SAFE_ID.fullmatch(given) else uuid4().hex
    g.started = time.perf_counter()
    request_id_variable.set(g.request_id)
    g.span = _span()
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(request_id=g.request_id)


def _span() -> Span:
    if request.path.startswith("/healthz/"):
        return begin_unwatched()
    return begin_request(request.method, request.headers.get("traceparent"))


def _route() -> str | None:
    """Return the template of the route that serves the request, if one does."""
    return None if request.url_rule is None else request.url_rule.rule


def _authenticate(verifier: Authenticates) -> Callable[[], None]:
    def authenticate() -> None:
        person_variable.set(None)
        if request.path.startswith("/healthz/"):
            return
        g.principal = verifier.principal(request.headers.get("Authorization"))
        person_variable.set(str(g.principal.person_id) if g.principal.person_id else None)

    return authenticate


def _ensure_permission() -> None:
    """Refuse callers without the route's permission, before the body is read."""
    view = None if request.url_rule is None else current_app.view_functions[request.url_rule.endpoint]
    permission = getattr(view, ATTRIBUTE, None)
    if isinstance(permission, Permission):
        ensure(permission)


UNPACKS = "UNPACKS_BODIES"
"""Set in the configuration of an application whose routes read compressed bodies themselves."""


def _refuse_bad_body() -> None:
    if request.method not in {"POST", "PUT", "PATCH"} or not request.is_json:
        return
    if current_app.config.get(UNPACKS) and "Content-Encoding" in request.headers:
        return
    body = request.get_data(cache=True)
    try:
        document = read_json(body.decode("utf-8"))
    except UnicodeDecodeError as err:
        raise Problem(
            400,
            "body-not-utf8",
            "Unreadable body",
            "The body is not valid UTF-8 at byte {position}.",
            field="body",
            remedy="Send JSON encoded as UTF-8.",
            parameters={"position": err.start},
        ) from err
    except NumberTooLarge as err:
        raise Problem(
            422,
            "number-too-large",
            "Unusable input",
            "The number {number} is too large for 64 bits.",
            field=err.field,
            remedy="Send a smaller number.",
            parameters={"number": err.number},
        ) from err
    except ValueError as err:
        raise Problem(
            400,
            "body-not-json",
            "Unreadable body",
            "The body is not valid JSON: {reason}.",
            field="body",
            remedy="Send one JSON object.",
            parameters={"reason": err},
        ) from err
    if isinstance(document, str):
        # The framework would read the JSON inside the text by its own rules.
        raise Problem(
            422,
            "input-invalid",
            "Unusable input",
            "{field}: {message}.",
            field="body",
            remedy="Change the field and send again.",
            parameters={"field": "body", "message": "is not a JSON object"},
        )


def _finish(response: Response) -> Response:
    response.headers["X-Request-Id"] = g.get("request_id", "")
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    if request.path.startswith("/api/"):
        response.headers.setdefault("Cache-Control", "no-store")
    if response.mimetype == "text/html":
        response.headers.update(missing_headers(response.headers))
    if not request.path.startswith("/healthz/"):
        seconds = time.perf_counter() - g.get("started", time.perf_counter())
        request_served(current_app.name, request.method, _route(), response.status_code, seconds)
        log.info(
            "request_served",
            method=request.method,
            path=request.path,
            status=response.status_code,
            milliseconds=round(seconds * 1000, 1),
        )
        span: Span | None = g.get("span")
        if span is not None and span.is_recording():
            end_request(span, request.method, _route(), response.status_code, g.request_id)
    return response


def _invalid_input(error: ValidationError) -> Response:
    """Refuse a request that could not be parsed; an answer that breaks its own record is a 500, by `_unexpected`."""
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"]) or "body"
    message = first["msg"].removeprefix("Value error, ")
    return Problem(
        422,
        "input-invalid",
        "Unusable input",
        "{field}: {message}.",
        field=field,
        remedy="Change the field and send again.",
        extra={
            "errors": [{"field": ".".join(map(str, e["loc"])), "detail": e["msg"]} for e in error.errors()]
        },
        parameters={"field": field, "message": message},
    ).response()


def _register_errors(app: Flask, error_map: ErrorMap) -> None:
    app.register_error_handler(Problem, lambda problem: problem.response())
    for kind, make in error_map.items():
        app.register_error_handler(kind, _mapped(make))
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _unexpected)


def _mapped(make: Callable[[Any], Problem]) -> Callable[[Exception], Response]:
    return lambda error: make(error).response()


def _http_error(error: HTTPException) -> Response:
    status = error.code or 500
    name = error.name.lower().replace(" ", "-")
    detail = error.description or error.name
    if isinstance(error, NotFound):
        detail = "Nothing is served at this address."
    problem = Problem(
        status, name, "{name}", "{description}", parameters={"name": error.name, "description": detail}
    )
    response = problem.response()
    for header, value in error.get_headers():
        if header.lower() in {"allow", "retry-after"}:
            response.headers[header] = value
    return response


def _unexpected(error: Exception) -> Response:
    log.error("request_failed", exc_info=error, path=request.path)
    return Problem(
        500,
        "unexpected",
        "Something broke on our side",
        "The request could not be served.",
        remedy=(
            "Repeat it, with the same Idempotency-Key if it is a write. If the problem stays, report the request "
            "id."
        ),
    ).response()


def _register_health(app: Flask, ready: Callable[[], None]) -> None:
    def live() -> Response:
        return json_response({"status": "live"})

    def is_ready() -> Response:
        try:
            ready()
        except Exception as err:
            log.warning("not_ready", reason=str(err))
            return unavailable("not-ready", "Not ready", "{reason}", 1, {"reason": err}).response()
        return json_response({"status": "ready"})

    app.add_url_rule("/healthz/live", "health_live", live)
    app.add_url_rule("/healthz/ready", "health_ready", is_ready)
