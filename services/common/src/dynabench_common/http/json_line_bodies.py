"""Request bodies of JSON lines, read as a stream."""

from collections.abc import Sequence
from io import BufferedReader
from typing import Any, Protocol, cast

from flask import request

from dynabench_common.problems import Problem

NDJSON = "application/x-ndjson"
BUFFER_BYTES = 65_536


class Flaw(Protocol):
    """A line's problem and its remedy."""

    @property
    def line(self) -> int:
        """Return its number, from 1."""

    @property
    def field(self) -> str:
        """Return the part of it that is at fault."""

    @property
    def reason(self) -> str:
        """Return the problem of that part."""

    @property
    def remedy(self) -> str:
        """Return the remedy."""


def body_of_lines(description: str) -> dict[str, Any]:
    """Describe a body of JSON lines for an interface's documentation."""
    schema = {"type": "string", "description": f"{description} on each line, UTF-8"}
    return {"required": True, "content": {NDJSON: {"schema": schema}}}


def stream_of_body(most_bytes: int) -> BufferedReader:
    """Return the request's body as a stream; its reader reports a line that is too large."""
    request.max_content_length = max(request.content_length or 0, most_bytes) + 1
    return BufferedReader(cast("BufferedReader", request.stream), BUFFER_BYTES)


def unusable_lines(kind: str, flaws: Sequence[Flaw], number: int) -> Problem:
    """Return the problem about unusable lines, of which nothing was stored; it lists the first of `number` flaws."""
    first = flaws[0]
    detail = "Line {line}: {field} {reason}. Nothing was stored."
    if number > 1:
        detail = "Line {line}: {field} {reason}. {more:,} more problems were found. Nothing was stored."
    return Problem(
        422,
        f"{kind}-unusable",
        "Unusable {kind}",
        detail,
        field=first.field,
        remedy="{remedy}",
        extra={"errors": [vars(each) for each in flaws], "error_count": number},
        parameters={
            "kind": kind,
            "line": first.line,
            "field": first.field,
            "reason": first.reason,
            "remedy": first.remedy,
            "more": number - 1,
        },
    )
