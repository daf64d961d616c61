"""Bodies of JSON lines."""

from collections.abc import Iterator

from dynabench_common.json_line_bodies import NDJSON, stream_of_body
from dynabench_tasks.fields import InputRefused
from dynabench_tasks.json_lines import Limits, Line, read_lines
from flask import request


def lines_of_body(limits: Limits, first_line: int = 1) -> Iterator[Line]:
    """Return the lines of the request's body, the first numbered as given. Raises InputRefused."""
    if request.mimetype != NDJSON:
        raise InputRefused(
            "Content-Type", f"is {request.mimetype or 'missing'}", f"Send the file as {NDJSON}."
        )
    return read_lines(stream_of_body(limits.file_bytes), limits, first_line)
