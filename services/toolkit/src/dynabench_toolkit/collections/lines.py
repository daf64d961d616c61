"""Files of JSON lines, read twice: once to see that all of it can be read, and once more to send it in batches.

The platform judges the content of the lines. Only duplicate ids are checked here, since the platform sees one batch at
a time.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from dynabench_tasks.strict_json import read_json

from dynabench_toolkit.collections.reader import Document, Reader, UnusableLineError

MOST_PROBLEMS_NAMED = 100
OWN_ID = "Give each record an id of its own, or remove one of them."
ONE_OBJECT = "Write one JSON object on each line."
DIGEST_BYTES = 16
PIECE_BYTES = 256 * 1024


@dataclass(frozen=True)
class LineProblem:
    """A problem of a line, with the line's number from 1 and a remedy."""

    line: int
    field: str
    reason: str
    remedy: str


@dataclass
class Survey:
    """The content of a whole file: the number of lines that are not blank, and the names of their targets.

    The first problems are kept; all are counted.
    """

    lines: int = 0
    targets: set[str] = field(default_factory=set)
    problems: list[LineProblem] = field(default_factory=list)
    problem_count: int = 0

    def add(self, line: int, error: UnusableLineError) -> None:
        """Add the problem of a line."""
        self.problem_count += 1
        if len(self.problems) < MOST_PROBLEMS_NAMED:
            self.problems.append(LineProblem(line, error.field, error.reason, error.remedy))


@dataclass(frozen=True)
class Batch:
    """A stretch of a file as JSON lines of records; `lines` are those that are not blank."""

    first_line: int
    lines: int
    content: bytes

    @property
    def last_line(self) -> int:
        """The number of its last line in the file."""
        return self.first_line + self.content.count(b"\n") - 1

    @property
    def pieces(self) -> list[bytes]:
        """The content in pieces, so that a slow line has time for each of them."""
        return [self.content[at : at + PIECE_BYTES] for at in range(0, len(self.content), PIECE_BYTES)]


def survey(raw_lines: Iterable[bytes], reader: Reader) -> Survey:
    """Read a whole file, as its lines, and return what it holds."""
    found, seen = Survey(), dict[str, tuple[int, bytes]]()
    for number, raw in enumerate(raw_lines, start=1):
        if raw.isspace():
            continue
        found.lines += 1
        try:
            document = _document(raw)
            record = reader.record(document)
            if record is None:
                found.lines -= 1
                continue
            found.targets.update(reader.targets(document))
            _check_id(record, number, seen)
        except UnusableLineError as err:
            found.add(number, err)
    return found


def batches(raw_lines: Iterable[bytes], reader: Reader, most_lines: int, most_bytes: int) -> Iterator[Batch]:
    """Yield the records of a file that was surveyed; a record larger than `most_bytes` goes alone.

    Lines without a record stay as blank ones, so that the lines of a batch are those of the file. Raises
    UnusableLineError if the file has changed meanwhile.
    """
    first, count, content = 1, 0, bytearray()
    for number, raw in enumerate(raw_lines, start=1):
        record = None if raw.isspace() else reader.record(_document(raw))
        line = b"\n" if record is None else json.dumps(record, allow_nan=False).encode() + b"\n"
        if count and (count == most_lines or len(content) + len(line) > most_bytes):
            yield Batch(first, count, bytes(content))
            first, count, content = number, 0, bytearray()
        content += line
        count += record is not None
    if count:
        yield Batch(first, count, bytes(content))


def _document(raw: bytes) -> Document:
    try:
        text = raw.decode().rstrip("\r\n")
        document = read_json(text)
    except json.JSONDecodeError as err:
        raise UnusableLineError("line", f"is not JSON at column {err.colno}: {err.msg}", ONE_OBJECT) from err
    except ValueError as err:
        raise UnusableLineError("line", f"is not JSON: {err}", ONE_OBJECT) from err
    if not isinstance(document, dict):
        raise UnusableLineError("line", "is not a JSON object", ONE_OBJECT)
    return document


def _check_id(record: Document, number: int, seen: dict[str, tuple[int, bytes]]) -> None:
    """See that an id that was given before had the same content. Raises UnusableLineError."""
    record_id: Any = record.get("id")
    if not isinstance(record_id, str):
        return
    digest = sha256(json.dumps(record, sort_keys=True).encode()).digest()[:DIGEST_BYTES]
    first, content = seen.setdefault(record_id, (number, digest))
    if content != digest:
        raise UnusableLineError("id", f"is that of line {first}, which has other content", OWN_ID)
