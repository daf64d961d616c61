"""Conditional answers: a reader that holds the present revision gets 304 and no body.

The tag is the round's revision with the build of the code that answers: another build may answer otherwise.
"""

from uuid import UUID

from dynabench_common.build import build_of
from dynabench_common.http.service import json_response
from flask import Response, request
from pydantic import BaseModel

BUILD = build_of("leaderboard", "dynabench_api", "dynabench_common", "dynabench_tasks")


def is_current(revision: UUID) -> bool:
    """Tell whether the caller says that it holds this revision."""
    return request.if_none_match.contains_weak(_tag(revision))


def tagged(revision: UUID, body: BaseModel) -> Response:
    """Return the answer of a revision."""
    return _with_tag(json_response(body), revision)


def not_modified(revision: UUID) -> Response:
    """Return the answer for a caller that holds this revision."""
    return _with_tag(Response(status=304), revision)


def _tag(revision: UUID) -> str:
    return f"{revision.hex}-{BUILD}"


def _with_tag(response: Response, revision: UUID) -> Response:
    response.set_etag(_tag(revision))
    response.headers["Cache-Control"] = "no-cache"
    return response
