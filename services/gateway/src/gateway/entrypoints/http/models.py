"""KServe V1: list, readiness, `:predict` and `:explain`."""

from dynabench_api.gateway import (
    BreakerStatus,
    ExplainStatus,
    ExplanationList,
    ModelList,
    ModelStatus,
    ModelStatusList,
    PredictionList,
)
from dynabench_common.auth.permissions import Permission, current_principal, requires
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from gateway.domain.breaker import BreakerReport
from gateway.domain.quota import tokens_of
from gateway.domain.routes import Route
from gateway.entrypoints.http.asking import (
    call_of_request,
    count_answers,
    dependencies,
    find_accepted,
    find_model,
    is_seen,
    log_with,
    take_tokens,
)
from gateway.entrypoints.http.body import decoded_body, encode
from gateway.entrypoints.http.schemas import EXPLAIN_BODY, PREDICT_BODY, ModelPath

blueprint = APIBlueprint("models", __name__, url_prefix="/api/gateway/v1")


@blueprint.get("/models", responses={200: ModelList})
@requires(Permission.READ_MODELS)
def list_models() -> Response:
    """List the served models by name. Unpublished ones are listed only if you may ask them."""
    return json_response(
        ModelList(models=[route.name for route in dependencies().routes.all() if is_seen(route)])
    )


@blueprint.get("/model-statuses", responses={200: ModelStatusList})
@requires(Permission.READ_MODELS)
def list_statuses() -> Response:
    """List the served models by name, with their states and properties."""
    return json_response(
        ModelStatusList(models=[_status(route) for route in dependencies().routes.all() if is_seen(route)])
    )


@blueprint.get("/models/<name>", responses={200: ModelStatus})
@requires(Permission.READ_MODELS)
def read_model(path: ModelPath) -> Response:
    """Show a model's state and properties."""
    return json_response(_status(find_model(path.name)))


@blueprint.post("/models/<string:name>:predict", request_body=PREDICT_BODY, responses={200: PredictionList})
@requires(Permission.USE_MODELS)
def predict(path: ModelPath) -> Response:
    """Answer each instance.

    Workers of some models start on demand. With `Prefer: wait=30` the request waits for them instead of failing with
    503.
    """
    route = find_accepted(path.name)
    body = decoded_body()
    log_with(route, body)
    take_tokens(tokens_of(body, explains=False))
    answer = dependencies().predictions.predict(route, body, call_of_request())
    count_answers(route, sum("error" not in entry for entry in answer.entries))
    return Response(encode("predictions", answer), content_type="application/json")


@blueprint.post("/models/<string:name>:explain", request_body=EXPLAIN_BODY, responses={200: ExplanationList})
@requires(Permission.USE_MODELS)
def explain(path: ModelPath) -> Response:
    """Return the weight of each token for a label, or for the start or end of an answer span.

    Explanation workers start on demand. With `Prefer: wait=30` the request waits for them instead of failing with
    503.
    """
    route = find_accepted(path.name)
    body = decoded_body()
    log_with(route, body)
    take_tokens(tokens_of(body, explains=True))
    explained = dependencies().explanations.explain(route, body, call_of_request())
    count_answers(route, len(explained.entries))
    digests = f'"model_digest":"{route.model_digest}","handler_digest":"{route.handler_digest}"'
    return Response(
        b'{"explanations":[' + b",".join(explained.entries) + b"]," + digests.encode() + b"}",
        headers={"X-Cache": "hit" if explained.cached else "miss"},
        content_type="application/json",
    )


def _status(route: Route) -> ModelStatus:
    dispatcher = dependencies().predictions.dispatcher(route.name)
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
        accepted=route.accepted,
        published=route.published,
        submitted_by=route.submitted_by if current_principal().is_service else None,
        worker_peak_bytes=route.worker_peak_bytes if current_principal().is_service else None,
        in_flight=dispatcher.in_flight,
        max_in_flight=route.max_in_flight,
        max_characters=route.max_characters,
        breaker=_breaker(report),
        explain=_explain_status(route),
    )


def _explain_status(route: Route) -> ExplainStatus | None:
    if route.explain is None:
        return None
    in_progress = dependencies().explanations.of_model(route.name)
    return ExplainStatus(
        state=route.explain.state,
        reason=route.explain.reason,
        in_flight=in_progress.running,
        waiting=in_progress.queue.waiting,
        max_in_flight=route.explain.max_in_flight,
        max_characters=route.explain.max_characters,
        breaker=_breaker(in_progress.breaker.report()),
    )


def _breaker(report: BreakerReport) -> BreakerStatus:
    return BreakerStatus(
        state=report.state.value,
        failures_in_a_row=report.failures_in_a_row,
        retry_after_seconds=round(report.retry_after_seconds, 1),
    )
