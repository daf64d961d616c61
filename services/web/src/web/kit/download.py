"""Files that pass through to the browser piece by piece, as a service reads them.

A refusal is a page. What breaks off midway ends the answer without its end, so that no browser takes a part for the
whole.
"""

from collections.abc import Iterator

from flask import Response

JSONL = "application/jsonl"


def download(pieces: Iterator[bytes], name: str, media_type: str) -> Response:
    """Return the answer that sends a file."""
    response = Response(pieces, content_type=media_type)
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response
