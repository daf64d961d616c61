"""A limit on the long answers that a process sends at once.

The edge buffers an answer of up to `max_body_bytes`, whatever its reader does. A longer answer goes out as slowly as
its client reads. Meanwhile it occupies a thread and perhaps a database connection. The limit keeps the remaining
threads for everyone else.
"""

from functools import partial
from http import HTTPStatus

from flask import Flask, Response

from dynabench_common.auth.permissions import current_principal
from dynabench_common.http import addresses
from dynabench_common.http.concurrency_limit import ConcurrencyLimit
from dynabench_common.problems import Problem

MOST_AT_ONCE = 6
MOST_OF_ONE = 3
RETRY_SECONDS = 5


def limit(app: Flask, most_buffered: int) -> None:
    """Refuse further downloads while there are enough; an answer of at most `most_buffered` bytes is none."""
    open_downloads = ConcurrencyLimit(MOST_AT_ONCE, MOST_OF_ONE)

    def begin(response: Response) -> Response:
        length = response.content_length if response.is_streamed else response.calculate_content_length()
        if response.status_code != HTTPStatus.OK or (length is not None and length <= most_buffered):
            return response
        reader = str(current_principal().person_id or addresses.sender())
        if not open_downloads.begin(reader):
            response.close()
            return _too_many().response()
        response.call_on_close(partial(open_downloads.end, reader))
        return response

    app.after_request(begin)


def _too_many() -> Problem:
    return Problem(
        429,
        "downloads-in-hand",
        "Too many downloads at once",
        "{most} downloads are sent at a time, {of_one} of them to one person.",
        remedy="Try again in {seconds} s, once one of yours or of others has ended.",
        headers={"Retry-After": str(RETRY_SECONDS)},
        parameters={"most": MOST_AT_ONCE, "of_one": MOST_OF_ONE, "seconds": RETRY_SECONDS},
    )
