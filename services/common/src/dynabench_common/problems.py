"""Errors as people and programs read them: application/problem+json (RFC 9457), made only at the edge."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from flask import Response

from dynabench_common.tracing import current_request_id

MEDIA_TYPE = "application/problem+json"


class Problem(Exception):
    """A refusal with everything its reader needs: what, which field, why, and the remedy."""

    def __init__(
        self,
        status: int,
        slug: str,
        title: str,
        detail: str,
        *,
        field: str | None = None,
        remedy: str | None = None,
        headers: Mapping[str, str] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.slug = slug
        self.title = title
        self.detail = detail
        self.field = field
        self.remedy = remedy
        self.headers = dict(headers or {})
        self.extra = dict(extra or {})

    def document(self) -> dict[str, Any]:
        """Return the JSON document."""
        document: dict[str, Any] = {
            "type": f"/problems/{self.slug}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "request_id": current_request_id(),
        }
        if self.field is not None:
            document["field"] = self.field
        if self.remedy is not None:
            document["remedy"] = self.remedy
        return {**document, **self.extra}

    def response(self) -> Response:
        """Return the HTTP response."""
        body = json.dumps(self.document(), ensure_ascii=True)
        return Response(body, status=self.status, headers=self.headers, content_type=MEDIA_TYPE)


ErrorMap = Mapping[type[Exception], Callable[[Any], Problem]]


def not_found(what: str, field: str) -> Problem:
    """Return the refusal for an id that names nothing."""
    return Problem(
        404,
        f"{what.replace(' ', '-')}-not-found",
        f"No such {what}",
        f"There is no {what} with this id.",
        field=field,
        remedy="Check the id, or list what exists.",
    )


def waits_for_update(kind: str, name: str) -> Problem:
    """Return the refusal to act on a task that names a type, rule or policy of a later version."""
    return unavailable(
        "task-paused-for-update",
        "This task waits for an update",
        f"The task names the {kind} {name!r}, which this part of the platform does not know yet.",
        60,
    )


def unavailable(slug: str, title: str, detail: str, retry_after_seconds: int) -> Problem:
    """Return the refusal for something that will work again soon."""
    return Problem(
        503,
        slug,
        title,
        detail,
        remedy=f"Nothing was stored. Try again in {retry_after_seconds} s.",
        headers={"Retry-After": str(retry_after_seconds)},
    )
