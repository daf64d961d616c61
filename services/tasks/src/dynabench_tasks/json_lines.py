"""Files of JSON lines (UTF-8): read line by line; problems are all counted, and some are shown.

Never more than one line is in memory.
"""

import json
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from dynabench_tasks.fields import InputRefused
from dynabench_tasks.file_shapes import misshapen
from dynabench_tasks.strict_json import read_json, unkeepable

SPLIT = "Split the file and send its parts one after another."
MOST_ERRORS_SHOWN = 100


@dataclass(frozen=True)
class Line:
    """A line of a file, by its number from 1: a JSON document, or the reason for none."""

    number: int
    document: object = None
    flaw: InputRefused | None = None


@dataclass(frozen=True)
class UnusableLine:
    """A line's problem and its remedy."""

    line: int
    field: str
    reason: str
    remedy: str


@dataclass(eq=False)
class LinesUnusable(Exception):
    """Unusable lines: the first of them, and their number."""

    errors: tuple[UnusableLine, ...]
    error_count: int


@dataclass
class Findings:
    """Collected errors; beyond the first ones only their number."""

    kind: type[LinesUnusable]
    shown: list[UnusableLine] = field(default_factory=list)
    count: int = 0

    def add(self, line: int, refusal: InputRefused) -> None:
        """Add a line's problem."""
        self.count += 1
        if len(self.shown) < MOST_ERRORS_SHOWN:
            self.shown.append(UnusableLine(line, refusal.field, refusal.reason, refusal.remedy))

    def raise_any(self) -> None:
        """Raise LinesUnusable, or the given subclass of it, if there are problems."""
        if self.count:
            raise self.kind(tuple(self.shown), self.count)


@dataclass(frozen=True)
class Limits:
    """The most that is read: bytes of a file and of a line, and lines that are not blank."""

    file_bytes: int = 256_000_000
    line_bytes: int = 1_000_000
    lines: int = 100_000


LIMITS = Limits()


def read_lines(stream: BinaryIO, limits: Limits = LIMITS, first_line: int = 1) -> Iterator[Line]:
    """Yield the lines that are not blank, with their numbers.

    A line beyond a limit has a problem and is the last; so is the first of a file of another type.
    """
    number, size, count = first_line - 1, 0, 0
    while raw := stream.readline(limits.line_bytes + 1):
        number += 1
        size += len(raw) + _skip_rest(stream, raw, limits)
        if size > limits.file_bytes:
            yield Line(number, flaw=_beyond(f"the {limits.file_bytes:,} bytes"))
            return
        content = raw.removeprefix(BOM_UTF8 if number == first_line else b"").rstrip(b"\r\n")
        if content.strip():
            count += 1
            if count > limits.lines:
                yield Line(number, flaw=_beyond(f"the {limits.lines:,} lines"))
                return
            if count == 1 and (flaw := misshapen(content, stream)):
                yield Line(number, flaw=flaw)
                return
            yield _line(number, content, limits)


def _beyond(limit: str) -> InputRefused:
    return InputRefused("file", f"goes beyond {limit} that it may have", SPLIT)


def _skip_rest(stream: BinaryIO, raw: bytes, limits: Limits) -> int:
    """Skip the rest of a line that is too long; return its size in bytes."""
    skipped = 0
    while len(raw) > limits.line_bytes and not raw.endswith(b"\n") and skipped <= limits.file_bytes:
        raw = stream.readline(limits.line_bytes + 1)
        skipped += len(raw)
    return skipped


def _line(number: int, content: bytes, limits: Limits) -> Line:
    try:
        return Line(number, document=_document(content, limits))
    except InputRefused as flaw:
        return Line(number, flaw=flaw)


def _document(content: bytes, limits: Limits) -> Any:
    if len(content) > limits.line_bytes:
        reason = f"is longer than {limits.line_bytes:,} bytes"
        raise InputRefused("line", reason, "Shorten the texts, and write one JSON object on each line.")
    try:
        document = read_json(content.decode())
    except UnicodeDecodeError as err:
        reason = f"is not UTF-8 at byte {err.start:,} of the line"
        raise InputRefused("line", reason, "Save the file as UTF-8.") from err
    except json.JSONDecodeError as err:
        reason = f"is not JSON at column {err.colno}: {err.msg}"
        raise InputRefused("line", reason, "Write one JSON object on each line.") from err
    except ValueError as err:
        raise InputRefused("line", f"is not JSON: {err}", "Write one JSON object on each line.") from err
    lost = unkeepable(document) if b"\\u" in content else None
    if lost is not None:
        path, character = lost
        raise InputRefused(path, f"holds the character {character}, which is no text", "Remove it.")
    return document
