"""A limit on the uploads that a process receives at once.

The edge buffers a request until its body is complete, unless the body exceeds the usual limit. A longer body arrives
piece by piece, as fast as its sender sends, and occupies a thread meanwhile. The limit keeps the remaining threads for
everyone else.
"""

from flask import Flask, g, request

from dynabench_common.auth.permissions import current_principal
from dynabench_common.http import addresses
from dynabench_common.http.concurrency_limit import ConcurrencyLimit
from dynabench_common.problems import Problem

WRITES = {"POST", "PUT", "PATCH"}
MOST_AT_ONCE = 4
MOST_OF_ONE = 2
RETRY_SECONDS = 5


def limit(app: Flask, most_buffered: int) -> None:
    """Refuse further uploads while there are enough; a body of at most `most_buffered` bytes is none."""
    open_uploads = ConcurrencyLimit(MOST_AT_ONCE, MOST_OF_ONE)

    def begin() -> None:
        if request.method in WRITES and is_upload():
            sender = str(current_principal().person_id or addresses.sender())
            if not open_uploads.begin(sender):
                raise _too_many()
            g.upload_of = sender

    def is_upload() -> bool:
        is_piecewise = "chunked" in request.headers.get("Transfer-Encoding", "").lower()
        return is_piecewise or (request.content_length or 0) > most_buffered

    def end(_error: BaseException | None = None) -> None:
        sender = g.pop("upload_of", None)
        if sender is not None:
            open_uploads.end(sender)

    app.before_request(begin)
    app.teardown_request(end)


def _too_many() -> Problem:
    return Problem(
        429,
        "uploads-in-hand",
        "Too many uploads at once",
        "{most} uploads are taken at a time, {of_one} of them from one person.",
        remedy="Try again in {seconds} s.",
        headers={"Retry-After": str(RETRY_SECONDS)},
        parameters={"most": MOST_AT_ONCE, "of_one": MOST_OF_ONE, "seconds": RETRY_SECONDS},
    )
