"""Errors as people and programs read them: application/problem+json (RFC 9457), made only at the edge."""

import json
from collections.abc import Callable, Mapping
from string import Formatter
from typing import Any

from flask import Response
from structlog.contextvars import bind_contextvars

from dynabench_common.telemetry.tracing import current_request_id

MEDIA_TYPE = "application/problem+json"


Parameter = str | int | float


class Problem(Exception):
    """A refusal with everything its reader needs: problem, field, reason, and remedy.

    Title, detail and remedy are plain texts. With `parameters` they are templates whose `{name}` are filled in here.
    Slug and parameters travel with the document, so that a reader can render the texts in another language. So
    anything that varies is a parameter and never part of a template (0003-problems-in-other-languages.md).
    """

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
        parameters: Mapping[str, object] | None = None,
    ) -> None:
        self.parameters = {
            name: _plain(value) for name, value in (parameters or {}).items() if value is not None
        }
        if self.parameters:
            title, detail = title.format_map(self.parameters), detail.format_map(self.parameters)
            remedy = None if remedy is None else remedy.format_map(self.parameters)
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
        if self.parameters:
            document["parameters"] = self.parameters
        return {**document, **self.extra}

    def response(self) -> Response:
        """Return the HTTP response."""
        name_in_log(self.slug)
        body = json.dumps(self.document(), ensure_ascii=True)
        return Response(body, status=self.status, headers=self.headers, content_type=MEDIA_TYPE)


def name_in_log(slug: str) -> None:
    """Name the problem in the log line of this request."""
    bind_contextvars(problem=f"/problems/{slug}")


def _plain(value: object) -> Parameter:
    """Return a parameter as JSON holds it."""
    return value if isinstance(value, int | float) else str(value)


ErrorMap = Mapping[type[Exception], Callable[[Any], Problem]]


def refusal(
    status: int,
    slug: str,
    title: str,
    detail: str,
    *,
    field: str | None = None,
    remedy: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Callable[[Any], Problem]:
    """Return a row of an error map whose texts are filled in with attributes of the exception.

    Only the attributes that title, detail and remedy name become parameters of the problem. `field` may name
    attributes too.
    """
    names = [
        name
        for text in (title, detail, remedy or "")
        for _, name, _, _ in Formatter().parse(text)
        if name is not None
    ]

    def problem(error: Exception) -> Problem:
        return Problem(
            status,
            slug,
            title,
            detail,
            field=None if field is None else field.format_map(vars(error)),
            remedy=remedy,
            headers=headers,
            parameters={name: getattr(error, name) for name in names},
        )

    return problem


def not_found(what: str, field: str) -> Problem:
    """Return the refusal for an id that names nothing."""
    return Problem(
        404,
        f"{what.replace(' ', '-')}-not-found",
        "No such {what}",
        "There is no {what} with this id.",
        field=field,
        remedy="Check the id, or list what exists.",
        parameters={"what": what},
    )


def waits_for_update(kind: str, name: str) -> Problem:
    """Return the refusal to act on a task that names a type, rule or policy of a later version."""
    return unavailable(
        "task-paused-for-update",
        "This task waits for an update",
        "The task names the {kind} {name!r}, which this part of the platform does not know yet.",
        60,
        parameters={"kind": kind, "name": name},
    )


def unavailable(
    slug: str,
    title: str,
    detail: str,
    retry_after_seconds: int,
    parameters: Mapping[str, object] | None = None,
) -> Problem:
    """Return the refusal for something that will work again soon; its remedy is filled in with the rest."""
    return Problem(
        503,
        slug,
        title,
        detail,
        remedy="Nothing was stored. Try again in {seconds} s.",
        headers={"Retry-After": str(retry_after_seconds)},
        parameters={"seconds": retry_after_seconds, **(parameters or {})},
    )
