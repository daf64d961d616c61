"""KServe V1: list, readiness, `:predict` and `:explain`."""

import re
from typing import Any

from dynabench_common.client import ASKER
from dynabench_common.http import json_response
from dynabench_common.permissions import Permission, current_principal, is_allowed, requires
from flask import Response, current_app, g, request
from flask_openapi import APIBlueprint
from structlog.contextvars import bind_contextvars

from gateway.bootstrap import Dependencies
from gateway.domain.breaker import BreakerReport
from gateway.domain.coalescer import Lane
from gateway.domain.deadline import HEADER, Call
from gateway.domain.errors import UnknownModel
from gateway.domain.quota import tokens_of
from gateway.domain.routes import Route
from gateway.entrypoints.http.body import decoded_body, encode
from gateway.entrypoints.http.connection import has_hung_up
from gateway.entrypoints.http.fast_path import FAILURE, lane_of
from gateway.entrypoints.http.schemas import (
    EXPLAIN_BODY,
    PREDICT_BODY,
    BreakerStatus,
    ExplainStatus,
    ExplanationList,
    ModelList,
    ModelPath,
    ModelStatus,
    ModelStatusList,
    PredictionList,
)

LONGEST_ASKER = 100
EXTENSION = "gateway"
MAX_WAIT_SECONDS = 30
WAIT = re.compile(r"(?:^|[,;\s])wait=(\d{1,4})(?:$|[,;\s])")
blueprint = APIBlueprint("models", __name__, url_prefix="/api/gateway/v1")


def _needed() -> Dependencies:
    needed: Dependencies = current_app.extensions[EXTENSION]
    return needed


@blueprint.get("/models", responses={200: ModelList})
@requires(Permission.READ_MODELS)
def list_models() -> Response:
    """List the served models by name, of unpublished ones those that the caller may ask."""
    return json_response(
        ModelList(models=[route.name for route in _needed().routes.all() if _is_seen(route)])
    )


@blueprint.get("/model-statuses", responses={200: ModelStatusList})
@requires(Permission.READ_MODELS)
def list_statuses() -> Response:
    """Tell of every served model, by name, whether it answers, and what it is."""
    return json_response(
        ModelStatusList(models=[_status(route) for route in _needed().routes.all() if _is_seen(route)])
    )


@blueprint.get("/models/<name>", responses={200: ModelStatus})
@requires(Permission.READ_MODELS)
def read_model(path: ModelPath) -> Response:
    """Tell whether a model answers, and what it is."""
    return json_response(_status(_find(path.name)))


@blueprint.post("/models/<string:name>:predict", request_body=PREDICT_BODY, responses={200: PredictionList})
@requires(Permission.USE_MODELS)
def predict(path: ModelPath) -> Response:
    """Answer each instance. Regular requests are answered by the fast path before this.

    Workers of some models start on demand: `Prefer: wait=30` waits for them instead of a 503.
    """
    needed = _needed()
    route = _find(path.name)
    body = decoded_body()
    _log_with(route, body)
    _take(tokens_of(body, explains=False))
    failure = request.environ.get(FAILURE)
    if failure is not None:
        raise failure
    answer = needed.predictions.predict(route, body, _call())
    _count(route, sum("error" not in entry for entry in answer.entries))
    return Response(encode("predictions", answer), content_type="application/json")


@blueprint.post("/models/<string:name>:explain", request_body=EXPLAIN_BODY, responses={200: ExplanationList})
@requires(Permission.USE_MODELS)
def explain(path: ModelPath) -> Response:
    """Weigh each instance's tokens by their share in a label's score, or in where an answer starts or ends.

    Explanation workers start on demand: `Prefer: wait=30` waits for them instead of a 503.
    """
    needed = _needed()
    route = _find(path.name)
    body = decoded_body()
    _log_with(route, body)
    _take(tokens_of(body, explains=True))
    explained = needed.explanations.explain(route, body, _call())
    _count(route, len(explained.entries))
    digests = f'"model_digest":"{route.model_digest}","handler_digest":"{route.handler_digest}"'
    return Response(
        b'{"explanations":[' + b",".join(explained.entries) + b"]," + digests.encode() + b"}",
        headers={"X-Cache": "hit" if explained.cached else "miss"},
        content_type="application/json",
    )


def _find(name: str) -> Route:
    """Return a model that the caller may know of. Raises UnknownModel."""
    route = _needed().routes.find(name)
    if not _is_seen(route):
        raise UnknownModel(name)
    return route


def _is_seen(route: Route) -> bool:
    """Tell whether a model is published, the caller's own, or of a task that the caller looks after."""
    principal = current_principal()
    is_own = route.submitted_by is not None and route.submitted_by == str(principal.person_id)
    return route.published or is_own or is_allowed(Permission.ASK_TARGETS, principal, route.task)


def _take(tokens: int) -> None:
    """Take a person's tokens; services answer for those whom they serve. Raises QuotaUsed."""
    principal = current_principal()
    if not principal.is_service:
        _needed().quota.take(str(principal.person_id), tokens)


def _count(route: Route, texts: int) -> None:
    """Count what a person is told; services count for themselves what they tell people. Raises ModelInTheLoop."""
    principal = current_principal()
    if not principal.is_service:
        _needed().probes.count(
            route,
            str(principal.person_id),
            texts,
            also_in_the_loop=is_allowed(Permission.ASK_TARGETS, principal, route.task),
        )


def _call() -> Call:
    environ = request.environ
    return Call(
        g.request_id,
        request.headers.get(HEADER),
        _preferred_wait(),
        asker=_asker(),
        has_left=lambda: has_hung_up(environ),
        lane=lane_of(environ) if current_principal().is_service else Lane.PEOPLE,
    )


def _asker() -> str:
    """Return who is served: the person, or for a service the one on whose behalf it asks."""
    principal = current_principal()
    named = request.headers.get(ASKER, "")[:LONGEST_ASKER] if principal.is_service else ""
    return named or str(principal.person_id or "")


def _preferred_wait() -> float:
    """Return the seconds in `Prefer: wait=<seconds>` (RFC 7240), at most MAX_WAIT_SECONDS."""
    found = WAIT.search(request.headers.get("Prefer", ""))
    return float(min(int(found[1]), MAX_WAIT_SECONDS)) if found else 0.0


def _log_with(route: Route, body: Any) -> None:
    """Name the model and the number of instances in the request's log line."""
    instances = body.get("instances") if isinstance(body, dict) else None
    bind_contextvars(model=route.name, instances=len(instances) if isinstance(instances, list) else None)


def _status(route: Route) -> ModelStatus:
    dispatcher = _needed().predictions.dispatcher(route.name)
    report = dispatcher.breaker.report()
    return ModelStatus(
        name=route.name,
        ready=route.is_ready and report.state != "open",
        state=route.state,
        reason=route.reason,
        version=route.version,
        task=route.task,
        task_type=route.task_type,
        fields=list(route.fields),
        labels=list(route.labels),
        start=route.start,
        model_digest=route.model_digest,
        handler_digest=route.handler_digest,
        published=route.published,
        submitted_by=route.submitted_by if current_principal().is_service else None,
        in_flight=dispatcher.in_flight,
        max_in_flight=route.max_in_flight,
        max_characters=route.max_characters,
        breaker=_breaker(report),
        explain=_explain_status(route),
    )


def _explain_status(route: Route) -> ExplainStatus | None:
    if route.explain is None:
        return None
    bench = _needed().explanations.bench(route.name)
    return ExplainStatus(
        state=route.explain.state,
        reason=route.explain.reason,
        in_flight=bench.running,
        waiting=bench.queue.waiting,
        max_in_flight=route.explain.max_in_flight,
        max_characters=route.explain.max_characters,
        breaker=_breaker(bench.breaker.report()),
    )


def _breaker(report: BreakerReport) -> BreakerStatus:
    return BreakerStatus(
        state=report.state.value,
        failures_in_a_row=report.failures_in_a_row,
        retry_after_seconds=round(report.retry_after_seconds, 1),
    )
