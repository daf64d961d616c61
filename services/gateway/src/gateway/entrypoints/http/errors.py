"""Refusals as problems; those that need more than the exception have a function."""

import json

from dynabench_common.problems import MEDIA_TYPE, ErrorMap, Problem, refusal
from flask import Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from gateway.domain.errors import (
    ModelInTheLoop,
    NotExplainable,
    QuotaUsed,
    RequestRefused,
    TooManyInFlight,
    Unavailable,
    UnknownModel,
    UnknownVersion,
)
from gateway.domain.tensors import in_tensor_terms
from gateway.entrypoints.http.body import MAX_BODY_BYTES

TENSOR_PATH = "/api/gateway/v2"


def with_error_member(response: Response) -> Response:
    """Give problems the member `error` in which clients of the Open Inference Protocol look for a sentence."""
    if request.path.startswith(TENSOR_PATH) and response.mimetype == MEDIA_TYPE:
        problem = json.loads(response.get_data())
        message = " ".join(filter(None, (problem["detail"], problem.get("remedy"))))
        response.set_data(json.dumps({**problem, "error": message}))
    return response


def _refused(refused: RequestRefused) -> Problem:
    error = in_tensor_terms(refused) if request.path.startswith(TENSOR_PATH) else refused
    return Problem(
        error.status,
        error.slug,
        "Unusable request",
        "{field}: {reason}.",
        field=error.field,
        remedy="{remedy}",
        parameters={"field": error.field, "reason": error.reason, "remedy": error.remedy},
    )


def _unknown_model(error: UnknownModel) -> Problem:
    return Problem(
        404,
        "model-not-found",
        "No such model",
        "No model called {name} is served.",
        field="name",
        remedy="List the models with GET /api/gateway/v1/models.",
        parameters={"name": error.name[:100]},
    )


def _unknown_version(error: UnknownVersion) -> Problem:
    return Problem(
        404,
        "model-version-not-found",
        "No such version",
        "The model {name} is served as version {served}, not as {version}.",
        field="version",
        remedy="Leave /versions/… out of the address, or name the version that is served.",
        parameters={"name": error.name, "served": error.served, "version": error.version[:100]},
    )


def _quota_used(error: QuotaUsed) -> Problem:
    return Problem(
        429,
        "model-quota-used",
        "Asked too much",
        "This costs {tokens} tokens, and of {per_minute} a minute too few are left.",
        remedy="Try again in {seconds} s, or ask with fewer or shorter instances or fewer steps.",
        headers={"Retry-After": str(error.retry_after_seconds)},
        parameters={
            "tokens": error.tokens,
            "per_minute": error.per_minute,
            "seconds": error.retry_after_seconds,
        },
    )


def _unavailable(error: Unavailable) -> Problem:
    headers = {"Retry-After": str(error.retry_after_seconds)}
    parameters = {"reason": error.detail, "seconds": error.retry_after_seconds, "instances": error.instances}
    if error.instances > 1:
        return Problem(
            503,
            error.slug,
            "Not available just now",
            "{reason}",
            remedy="Send fewer than {instances} instances at once, or try again in {seconds} s.",
            headers=headers,
            parameters=parameters,
        )
    return Problem(
        503,
        error.slug,
        "Not available just now",
        "{reason}",
        remedy="Try again in {seconds} s.",
        headers=headers,
        parameters=parameters,
    )


def _too_large(_error: RequestEntityTooLarge) -> Problem:
    return Problem(
        413,
        "body-too-large",
        "Body too large",
        "body: it is larger than {limit} bytes.",
        field="body",
        remedy="Send fewer or shorter instances.",
        parameters={"limit": MAX_BODY_BYTES},
    )


ERRORS: ErrorMap = {
    RequestRefused: _refused,
    UnknownModel: _unknown_model,
    UnknownVersion: _unknown_version,
    ModelInTheLoop: refusal(
        403,
        "target-in-the-loop",
        "People try to fool this model",
        "People try to fool {target} in a round that is not closed.",
        field="name",
        remedy="Choose another model, or try to fool this one in its round.",
    ),
    QuotaUsed: _quota_used,
    NotExplainable: refusal(
        404,
        "explanations-not-served",
        "No explanations",
        "The model {name} is served without explanations.",
        field="name",
        remedy="Ask for a prediction instead.",
    ),
    TooManyInFlight: refusal(
        429,
        "too-many-in-flight",
        "Too busy",
        "The model {name} is already working on {limit} {what}, the most it takes.",
        remedy="Try again in 1 s.",
        headers={"Retry-After": "1"},
    ),
    Unavailable: _unavailable,
    RequestEntityTooLarge: _too_large,
}
