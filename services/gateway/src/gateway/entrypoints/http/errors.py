"""The error map: what each refusal looks like over HTTP."""

from dynabench_common.problems import ErrorMap, Problem
from werkzeug.exceptions import RequestEntityTooLarge

from gateway.domain.errors import NotExplainable, RequestRefused, TooManyInFlight, Unavailable, UnknownModel
from gateway.entrypoints.http.body import MAX_BODY_BYTES


def _refused(error: RequestRefused) -> Problem:
    return Problem(
        error.status,
        error.slug,
        "Unusable request",
        f"{error.field}: {error.reason}.",
        field=error.field,
        remedy=error.remedy,
    )


def _unknown_model(error: UnknownModel) -> Problem:
    return Problem(
        404,
        "model-not-found",
        "No such model",
        f"No model called {error.name[:100]} is served.",
        field="name",
        remedy="List the models with GET /api/gateway/v1/models.",
    )


def _not_explainable(error: NotExplainable) -> Problem:
    return Problem(
        404,
        "explanations-not-served",
        "No explanations",
        f"The model {error.name} is served without explanations.",
        field="name",
        remedy="Ask for a prediction instead.",
    )


def _too_many(error: TooManyInFlight) -> Problem:
    return Problem(
        429,
        "too-many-in-flight",
        "Too busy",
        f"The model {error.name} already has {error.limit} {error.what} in hand, the most it takes.",
        remedy="Try again in 1 s.",
        headers={"Retry-After": "1"},
    )


def _unavailable(error: Unavailable) -> Problem:
    return Problem(
        503,
        error.slug,
        "Not available just now",
        error.detail,
        remedy=f"Try again in {error.retry_after_seconds} s.",
        headers={"Retry-After": str(error.retry_after_seconds)},
    )


def _too_large(_error: RequestEntityTooLarge) -> Problem:
    return Problem(
        413,
        "body-too-large",
        "Body too large",
        f"body: it is larger than {MAX_BODY_BYTES} bytes.",
        field="body",
        remedy="Send fewer or shorter instances.",
    )


ERROR_MAP: ErrorMap = {
    RequestRefused: _refused,
    UnknownModel: _unknown_model,
    NotExplainable: _not_explainable,
    TooManyInFlight: _too_many,
    Unavailable: _unavailable,
    RequestEntityTooLarge: _too_large,
}
