"""Gzip compression of responses for browsers that accept it, so that no edge in front has to compress.

The size of a compressed page reveals nothing. A page has no secret from its reader, and other sites can't choose a
page's content (`security.py`).
"""

import gzip
from functools import lru_cache

from flask import Flask, Response, request

COMPRESSED = ("text/", "application/json", "image/svg+xml")
LEAST_BYTES = 1_000
PAGE_LEVEL, FILE_LEVEL = 5, 9


def install(app: Flask) -> None:
    """Compress what is long enough to gain by it."""
    app.after_request(_compress)


def _compress(response: Response) -> Response:
    if (
        response.is_streamed
        or response.direct_passthrough
        or not (response.mimetype or "").startswith(COMPRESSED)
    ):
        return response
    response.vary.add("Accept-Encoding")
    body = response.get_data()
    if len(body) < LEAST_BYTES or request.accept_encodings.quality("gzip") == 0:
        return response
    response.set_data(_file(body) if response.cache_control.immutable else gzip.compress(body, PAGE_LEVEL))
    response.content_encoding = "gzip"
    return response


@lru_cache(maxsize=128)
def _file(body: bytes) -> bytes:
    return gzip.compress(body, FILE_LEVEL)
