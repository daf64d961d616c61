"""Files of lines from owners: their maximum size, and forwarding them in pieces.

A plain form sends the file as a part of the form, which is kept on disk meanwhile. A script sends it as the body
itself, so that the browser can show the progress. Either way no process ever has the whole file in memory.
"""

from collections.abc import Iterator
from typing import IO

from dynabench_common.problems import Problem
from flask import request

from web.kit.language import _
from web.kit.numbers import megabytes

LARGEST_FILE_BYTES = 256_000_000
FORM_BYTES = 10_000
PIECE = 64 * 1024
LINES, ROWS = "application/x-ndjson", "text/csv"
ROW_FILES = (".csv", ".tsv")


def take_files() -> None:
    """Let the current request hold a file of the largest size."""
    request.max_content_length = LARGEST_FILE_BYTES + FORM_BYTES


def given_lines(remedy_when_large: str, remedy_when_missing: str) -> Iterator[bytes]:
    """Return the file of the current request, piece by piece. Raises Problem as `given_file`."""
    return _pieces(given_file(remedy_when_large, remedy_when_missing))


def is_too_large() -> bool:
    """Return whether the current request says that it has more than the largest file."""
    return (request.content_length or 0) > LARGEST_FILE_BYTES + FORM_BYTES


def is_csv() -> bool:
    """Return whether the current request's file is a table, by its type or its name."""
    if is_too_large() or request.mimetype in (LINES, ROWS):
        return request.mimetype == ROWS
    given = request.files.get("file")
    return bool(given and (given.filename or "").lower().endswith(ROW_FILES))


def given_file(remedy_when_large: str, remedy_when_missing: str) -> IO[bytes]:
    """Return the file of the current request.

    Raises Problem for one that is missing or too large, each with its remedy.
    """
    if is_too_large():
        raise Problem(
            413,
            "file-too-large",
            _("The file is too large"),
            _("It has more than %(size)s, so nothing was stored.", size=megabytes(LARGEST_FILE_BYTES)),
            field="file",
            remedy=remedy_when_large,
        )
    if request.mimetype in (LINES, ROWS):
        return request.stream
    given = request.files.get("file")
    if given is None or not given.filename:
        raise Problem(
            422,
            "file-missing",
            _("No file was chosen"),
            _("Nothing was sent, so nothing was stored."),
            field="file",
            remedy=remedy_when_missing,
        )
    return given.stream


def _pieces(stream: IO[bytes]) -> Iterator[bytes]:
    while piece := stream.read(PIECE):
        yield piece
