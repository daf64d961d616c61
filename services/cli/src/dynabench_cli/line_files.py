"""Files of JSON lines, plain or gzip, that are sent to the platform, and the errors of their lines.

A file is read once to see that it is UTF-8 and not empty, and once more while it is sent, in pieces of bounded size or
line by line. What its lines hold is for the platform to judge, which names every line at fault.
"""

import codecs
import gzip
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfileobj
from typing import BinaryIO, cast

import typer
from dynabench_client.errors import ProblemError

from dynabench_cli import output
from dynabench_cli.files import not_utf8
from dynabench_cli.session import InputError

PIECE_BYTES = 256 * 1024
STANDARD_INPUT = "-"


@dataclass(frozen=True)
class LineFile:
    """An open file that was found readable; `size` is in bytes, unpacked."""

    name: str
    size: int
    file: BinaryIO
    done: Callable[[int], None] = lambda _: None

    def reporting(self, done: Callable[[int], None]) -> "LineFile":
        """Return the same file; each pass over its pieces calls `done` with the size of every one."""
        return LineFile(self.name, self.size, self.file, done)

    def __iter__(self) -> Iterator[bytes]:
        """Yield the file from its start, so that it can be sent again, without a byte order mark."""
        for piece in _pieces(self.file):
            self.done(len(piece))
            yield piece

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of the file from its start, without a byte order mark."""
        _rewind(self.file)
        yield from self.file


def existing(path: Path) -> Path:
    """Return the path of a file or of standard input. Raises BadParameter, which is an error of usage."""
    if str(path) != STANDARD_INPUT and not path.is_file():
        raise typer.BadParameter(f"file {str(path)!r} does not exist.")
    return path


@contextmanager
def opened(path: Path, one_line: str) -> Iterator[LineFile]:
    """Open a file, plain or gzip, or standard input; `one_line` says what to write on a line. Raises InputError."""
    if str(path) == STANDARD_INPUT:
        with tempfile.TemporaryFile() as kept:
            copyfileobj(sys.stdin.buffer, kept)
            yield _checked("standard input", kept, one_line)
        return
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        yield _checked(str(path), cast(BinaryIO, file), one_line)


def name_lines(name: str, errors: Iterable[Mapping[str, object]]) -> None:
    """Write `FILE:LINE: field reason. remedy` for each line that can't be used."""
    for one in errors:
        parts = [str(one[key]) for key in ("field", "reason") if one.get(key)]
        remedy = f" {one['remedy']}" if one.get("remedy") else ""
        output.note(f"{name}:{one.get('line', '?')}: {' '.join(parts).rstrip('.')}.{remedy}")


def line_errors(problem: ProblemError) -> tuple[list[dict[str, object]], int]:
    """Return the lines that a problem names as unusable, and how many there are in all."""
    errors = [one for one in problem.document.get("errors", ()) if isinstance(one, dict)]
    count = problem.document.get("error_count")
    return errors, count if isinstance(count, int) else len(errors)


def counted(count: int, what: str, named: int) -> str:
    """Return such as "140 contexts that can't be used, of which the first 100 are named"."""
    more = f", of which the first {named} are named" if named != count else ""
    return f"{count:,} {what}{'' if count == 1 else 's'} that can't be used{more}"


def _checked(name: str, file: BinaryIO, one_line: str) -> LineFile:
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
        raise InputError(f"{name} is empty.", f"Write one {one_line} a line.")
    return LineFile(name, size, file)


def _rewind(file: BinaryIO) -> None:
    file.seek(0)
    if file.read(len(codecs.BOM_UTF8)) != codecs.BOM_UTF8:
        file.seek(0)


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    _rewind(file)
    while piece := file.read(PIECE_BYTES):
        yield piece
