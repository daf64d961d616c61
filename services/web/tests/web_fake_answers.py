"""Common parts of the fake platform's answers: headers, problems, and the fields that lists leave out."""

import re
from typing import Any

from dynabench_common.http.contracts import Asked
from flask import Response, jsonify, request

from tests.published import contracts

REQUEST_ID = "request-of-the-fake"
REVISIONS = re.compile(r"/api/leaderboard/v1/rounds/[^/]+(/(history|breakdown|effort|matrix))?")


def problem(status: int, body: dict[str, Any], headers: dict[str, str] | None = None) -> Response:
    """Return a problem document."""
    response = jsonify({"status": status, "request_id": REQUEST_ID, **body})
    response.status_code = status
    response.headers.update(headers or {})
    response.headers["Content-Type"] = "application/problem+json"
    return response


def with_headers(response: Response) -> Response:
    """Give an answer the headers that every answer has, and figures their revision."""
    response.headers.setdefault("X-Request-Id", REQUEST_ID)
    if REVISIONS.fullmatch(request.path) and response.status_code == 200:
        response.set_etag("revision-of-the-fake")
    return response


def without(document: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return a document without some of its members, as a list has it."""
    return {name: value for name, value in document.items() if name not in names}


def bad_input() -> bool:
    """Return whether the current request is not what the service takes."""
    operation = contracts()[request.path.split("/")[2]].operation(request.method, request.path)
    if operation is None:
        return False
    asked = Asked(dict(request.args.lists()), request.get_data())
    return any((*operation.breaches_of_request(asked), *operation.breaches_of_address(request.path)))


SERVED: dict[str, Any] = {
    "version": "1",
    "task": "sentiment",
    "task_type": "text-classification",
    "fields": ["text"],
    "labels": ["negative", "neutral", "positive"],
    "start": "always",
    "accepted": True,
    "model_digest": "sha256:aa",
    "handler_digest": "sha256:bb",
    "published": True,
    "submitted_by": None,
    "worker_peak_bytes": None,
    "in_flight": 0,
    "max_in_flight": 8,
    "max_characters": 4000,
    "breaker": {"state": "closed", "failures_in_a_row": 0, "retry_after_seconds": 0.0},
    "explain": None,
}
