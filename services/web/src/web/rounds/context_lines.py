"""Contexts as owners give them, made into JSON lines: pasted lines, rows of a CSV file, and those of another round."""

import csv
import io
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import IO

from dynabench_client.results.annotation import OwnersContext
from dynabench_common.problems import Problem
from dynabench_tasks.values import Value

from web.kit.configuration import Field, TaskRules
from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.line_files import PIECE
from web.kit.numbers import count

TAGS = "tags"
DELIMITERS = ",;\t"
KEPT_IN_MEMORY = 1_000_000
LONGEST_CELL = 200_000
LONGEST_ROW = 1_000_000
"""Most characters of a row with all of its lines: a file without line breaks is never in memory."""
PAGE = 200


def pasted_field(rules: TaskRules) -> Field | None:
    """Return the field that a pasted line fills: the only field of the task's contexts, if it is a text."""
    only = rules.context[0] if len(rules.context) == 1 else None
    return only if only and only.is_free_text else None


def lines_of_text(text: str, rules: TaskRules) -> Iterator[bytes]:
    """Yield a context for each line of a text; blank lines are left out. Raises Problem 422."""
    field = pasted_field(rules)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if field is None or not lines:
        raise _unreadable(
            _("No line was given."), _("Paste one text per line, or choose a file."), field="pasted"
        )
    return (_line({field.name: line}, ()) for line in lines)


def lines_of_csv(file: IO[bytes], rules: TaskRules) -> Iterator[bytes]:
    """Yield a context for each row of a CSV file in UTF-8 with a header. All rows are read first.

    A column has the name or the label of a field; the column `tags` may hold several, separated by `;`. Commas,
    semicolons and tabs are accepted between columns. Raises Problem 422.
    """
    csv.field_size_limit(LONGEST_CELL)
    lines = tempfile.SpooledTemporaryFile(max_size=KEPT_IN_MEMORY)  # noqa: SIM115
    rows = _RowLines(io.TextIOWrapper(file, "utf-8-sig", newline=""))
    try:
        for line in _rows(rows, rules):
            lines.write(line)
    except Problem:
        lines.close()
        raise
    except UnicodeDecodeError as err:
        lines.close()
        raise _unreadable(
            _("The file is not in UTF-8."), _("Save it as “CSV UTF-8” and send it again.")
        ) from err
    except csv.Error as err:
        lines.close()
        raise _unreadable(
            _("The row in line %(line)s can't be read: %(reason)s.", line=count(rows.first), reason=str(err)),
            _("Check quotes and line breaks."),
        ) from err
    lines.seek(0)
    return _pieces(lines)


def lines_of_round(round_id: str) -> Iterator[bytes]:
    """Yield the contexts of a round that are not withdrawn."""
    cursor: str | None = None
    while True:
        found = platform().annotation.contexts(round_id, limit=PAGE, cursor=cursor)
        yield from (_line_of(each) for each in found.items if not each.is_withdrawn)
        cursor = found.next_cursor
        if cursor is None:
            return


class _RowLines:
    """The lines of a CSV file, of which a row has one or more; `first` is the number of the row's first one."""

    def __init__(self, text: IO[str]) -> None:
        self._text = text
        self._read = self._characters = 0
        self.first = 1

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        """Return the next line. Raises Problem 422 for a row that is too long."""
        line = self._text.readline(LONGEST_ROW + 1)
        if not line:
            raise StopIteration
        self._read += 1
        self._characters += len(line)
        if self._characters > LONGEST_ROW:
            raise _unreadable(
                _(
                    "The row in line %(line)s is longer than %(most)s characters.",
                    line=count(self.first),
                    most=count(LONGEST_ROW),
                ),
                _("End each row with a line break, and close all quotes."),
            )
        return line

    def end_row(self) -> None:
        """Let the next line begin a row."""
        self._characters, self.first = 0, self._read + 1


def _rows(lines: _RowLines, rules: TaskRules) -> Iterator[bytes]:
    header = next(lines, "")
    lines.end_row()
    delimiter = max(DELIMITERS, key=header.count)
    columns = [_column(name, rules) for name in next(csv.reader([header], delimiter=delimiter), [])]
    missing = [field.label for field in rules.context if field.name not in columns]
    if missing:
        raise _unreadable(
            _("The first row names no column %(names)s.", names=", ".join(missing)),
            _(
                "Begin with a row of names: %(names)s.",
                names=", ".join(field.name for field in rules.context),
            ),
        )
    for row in csv.reader(lines, delimiter=delimiter):
        lines.end_row()
        if any(cell.strip() for cell in row):
            values = dict(zip(columns, row, strict=False))
            tags = [tag.strip() for tag in values.pop(TAGS, "").split(";") if tag.strip()]
            yield _line({name: value for name, value in values.items() if name}, tags)


def _column(name: str, rules: TaskRules) -> str:
    """Return the field that a column is called by, `tags`, or nothing for a column that is left out."""
    wanted = name.strip().casefold()
    known = {TAGS: TAGS}
    for field in rules.context:
        known |= {field.label.casefold(): field.name, field.name.casefold(): field.name}
    return known.get(wanted, "")


def _line_of(context: OwnersContext) -> bytes:
    return _line(context.fields, context.tags)


def _line(fields: Mapping[str, Value], tags: Sequence[str]) -> bytes:
    return json.dumps({"fields": fields, "tags": list(tags)}, ensure_ascii=False).encode() + b"\n"


def _pieces(lines: IO[bytes]) -> Iterator[bytes]:
    with lines:
        while piece := lines.read(PIECE):
            yield piece


def _unreadable(detail: str, remedy: str, field: str = "file") -> Problem:
    return Problem(422, "contexts-unreadable", _("Nothing was added"), detail, field=field, remedy=remedy)
