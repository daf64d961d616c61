"""A service's OpenAPI document: the declarations of its routes, and the parts common to all answers."""

from collections.abc import Iterable, Mapping
from typing import Any

from flask_openapi import OpenAPI
from pydantic import BaseModel, ConfigDict, Field

from dynabench_common.problems import MEDIA_TYPE

Document = dict[str, Any]
TEXT: Document = {"type": "string"}
OBJECT: Document = {"type": "object"}
JSON = "application/json"


class ProblemDocument(BaseModel):
    """An error (RFC 9457). Some types have further members, for example `errors`, one for each line at fault."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(
        pattern="^/problems/[a-z0-9-]+$", description="Stable identifier of the problem for programs"
    )
    title: str
    status: int = Field(ge=400, le=599)
    detail: str
    request_id: str | None = Field(description="Id of the request in the logs")
    field: str | None = Field(default=None, description="Field at fault; left out if there is none")
    remedy: str | None = Field(
        default=None, description="Action that solves the problem; left out if unknown"
    )
    parameters: dict[str, str | int | float] | None = Field(
        default=None,
        description="Parameters of title, detail and remedy, for rendering them in another language",
    )


class PublishedApp(OpenAPI):
    """An application that adds request ids and refusals to the OpenAPI document of its routes."""

    def generate_spec_json(self) -> None:
        """Make the document once."""
        super().generate_spec_json()  # type: ignore[no-untyped-call]
        for operations in self.spec_json["paths"].values():
            for operation in operations.values():
                operation["responses"] = _with_refusals(operation["responses"])


def content(*media_types: str, schema: Mapping[str, Any] | None = None) -> Document:
    """Return the declaration of an answer that is not a record: a file, an image or a foreign document."""
    return {"description": "OK", "content": {each: {"schema": dict(schema or {})} for each in media_types}}


def _with_refusals(declared: Mapping[str, Any]) -> Document:
    own = {status: answer for status, answer in declared.items() if status != "422"}
    is_cached = "304" in own
    answers = {status: _with_headers(status, answer, is_cached) for status, answer in own.items()}
    waits = ("Retry-After",)
    return {
        **answers,
        "429": _refusal("Too much at once", waits),
        "4XX": _refusal("Refused"),
        "503": _refusal("Not available just now", waits),
        "5XX": _refusal("Something broke on our side"),
    }


def _with_headers(status: str, answer: Mapping[str, Any], is_cached: bool) -> Document:
    if status == "304" or (is_cached and status == "200"):
        return {**answer, "headers": _headers("ETag")}
    return {**answer, "headers": _headers("Location") if status.startswith("3") else _headers()}


def _refusal(description: str, headers: Iterable[str] = ()) -> Document:
    problem = {"$ref": f"#/components/schemas/{ProblemDocument.__name__}"}
    return {
        "description": description,
        "headers": _headers(*headers),
        "content": {MEDIA_TYPE: {"schema": problem}},
    }


def _headers(*names: str) -> Document:
    return {name: {"required": True, "schema": TEXT} for name in ("X-Request-Id", *names)}
