"""Bodies of JSON lines, read as they come."""

from collections.abc import Iterator
from io import BufferedReader
from typing import Any, cast

from dynabench_tasks.fields import InputRefused
from flask import request

from annotation.entrypoints.ndjson import Limits, read_lines
from annotation.service_layer.lines import Line

NDJSON = "application/x-ndjson"
BUFFER_BYTES = 65_536


def body_of_lines(description: str) -> dict[str, Any]:
    """Describe a body of JSON lines for the interface's documentation."""
    schema = {"type": "string", "description": f"{description} on each line, UTF-8"}
    return {"required": True, "content": {NDJSON: {"schema": schema}}}


def lines_of_body(limits: Limits, first_line: int = 1) -> Iterator[Line]:
    """Return the lines of the request's body, the first numbered as given.

    What is too large is for the reader to say, with the line. Raises InputRefused.
    """
    if request.mimetype != NDJSON:
        raise InputRefused(
            "Content-Type", f"is {request.mimetype or 'missing'}", f"Send the file as {NDJSON}."
        )
    request.max_content_length = max(request.content_length or 0, limits.file_bytes) + 1
    body = BufferedReader(cast("BufferedReader", request.stream), BUFFER_BYTES)
    return read_lines(body, limits, first_line)
