"""Files of contexts, JSON lines, as they are streamed to the platform.

A file is read once to see that it is UTF-8 and not empty, and once more while it is sent, in pieces of bounded
size. What its lines hold is for the platform to judge, which names every line at fault.
"""

import codecs
import gzip
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfileobj
from typing import BinaryIO, cast

import typer

from dynabench_client.cli.files import not_utf8
from dynabench_client.cli.session import InputError

PIECE_BYTES = 256 * 1024
STANDARD_INPUT = "-"


@dataclass(frozen=True)
class ContextLines:
    """An open file that was found readable; `size` is in bytes, unpacked."""

    name: str
    size: int
    file: BinaryIO
    done: Callable[[int], None] = lambda _: None

    def reporting(self, done: Callable[[int], None]) -> "ContextLines":
        """Return the same file; each pass over it calls `done` with the size of every piece."""
        return ContextLines(self.name, self.size, self.file, done)

    def __iter__(self) -> Iterator[bytes]:
        """Yield the file from its start, so that it can be sent again, without a byte order mark."""
        for piece in _pieces(self.file):
            self.done(len(piece))
            yield piece


def existing(path: Path) -> Path:
    """Return the path of a file or of standard input. Raises BadParameter, which is an error of usage."""
    if str(path) != STANDARD_INPUT and not path.is_file():
        raise typer.BadParameter(f"file {str(path)!r} does not exist.")
    return path


@contextmanager
def opened(path: Path) -> Iterator[ContextLines]:
    """Open a file of contexts, plain or gzip, or standard input. Raises InputError."""
    if str(path) == STANDARD_INPUT:
        with tempfile.TemporaryFile() as kept:
            copyfileobj(sys.stdin.buffer, kept)
            yield _checked("standard input", kept)
        return
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        yield _checked(str(path), cast(BinaryIO, file))


def _checked(name: str, file: BinaryIO) -> ContextLines:
    decoder = codecs.getincrementaldecoder("utf-8")()
    size, lines, start, shows_something = 0, 1, b"", False
    try:
        for piece in _pieces(file):
            start = start or piece[:4]
            try:
                decoder.decode(piece)
            except UnicodeDecodeError as err:
                raise not_utf8(name, start, lines + err.object[: err.start].count(b"\n")) from err
            lines += piece.count(b"\n")
            size += len(piece)
            shows_something = shows_something or not piece.isspace()
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as err:
        raise not_utf8(name, start, lines) from err
    except (gzip.BadGzipFile, EOFError, zlib.error) as err:
        raise InputError(f"{name} is not a whole gzip file.", "Pack it again with gzip.") from err
    if not shows_something:
        raise InputError(f"{name} is empty.", 'Write one {"fields": {…}, "tags": […]} a line.')
    return ContextLines(name, size, file)


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    file.seek(0)
    if file.read(len(codecs.BOM_UTF8)) != codecs.BOM_UTF8:
        file.seek(0)
    while piece := file.read(PIECE_BYTES):
        yield piece
