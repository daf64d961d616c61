"""Output of commands: JSON, plain lines in a pipe, tables on a terminal. Progress and errors go to stderr.

What a command found goes to standard output and nothing else does, so output can be piped as it is.
"""

import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar

import typer
from dynabench_client.results.base import Result
from dynabench_tasks.text import safe_cell
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document")]
AnyResult = TypeVar("AnyResult", bound=Result)
Columns = Mapping[str, Callable[[AnyResult], object]]


class Output:
    """Writer of a command's result."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._console = Console(soft_wrap=True, highlight=False)

    def rows(self, items: Iterable[AnyResult], columns: Columns[AnyResult], empty: str) -> None:
        """Write a list: `{"items": […]}`, tab-separated lines that spreadsheets read as texts, or a table."""
        found = list(items)
        if self._as_json:
            self.document({"items": [item.document() for item in found]})
        elif not self._console.is_terminal:
            lines = csv.writer(sys.stdout, dialect="excel-tab", lineterminator="\n")
            for item in found:
                lines.writerow([safe_cell(plain(cell(item))) for cell in columns.values()])
        elif found:
            self._console.print(_table(found, columns))
        else:
            self._console.print(empty)

    def record(self, document: Mapping[str, Any], lines: Mapping[str, object] | None = None) -> None:
        """Write one thing: its document, or the chosen `lines` of it, by default its plain fields."""
        if self._as_json:
            self.document(document)
            return
        shown = lines if lines is not None else {k: v for k, v in document.items() if _is_plain(v)}
        if not self._console.is_terminal:
            for name, value in shown.items():
                typer.echo(f"{name}\t{plain(value)}")
            return
        grid = Table.grid(padding=(0, 2))
        for name, value in shown.items():
            grid.add_row(Text(name, style="bold"), Text(plain(value)))
        self._console.print(grid)

    def document(self, document: object) -> None:
        """Write JSON."""
        typer.echo(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False, default=str))


def _table(found: Sequence[AnyResult], columns: Columns[AnyResult]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for number, name in enumerate(columns):
        table.add_column(name, overflow="fold", no_wrap=number == 0)
    for item in found:
        table.add_row(*(Text(plain(cell(item))) for cell in columns.values()))
    return table


def shown(value: object) -> object:
    """Return a field's value as people read it: a span as its text with its place, an image as what it shows."""
    if isinstance(value, Mapping) and {"start", "end", "text"} <= value.keys():
        return f"“{value['text']}” [{value['start']}, {value['end']})"
    if isinstance(value, Mapping) and "image_id" in value:
        return f"image {value['image_id']}: {value.get('alt', '')}"
    return value


def plain(value: object) -> str:
    """Return a value as one line of text without control characters, which could steer the terminal."""
    if isinstance(value, list | tuple | set | frozenset):
        return ", ".join(plain(item) for item in value)
    if isinstance(value, dict):
        return "; ".join(f"{name}: {plain(item)}" for name, item in value.items())
    return "".join(character if character.isprintable() else " " for character in _word(value))


def _word(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%SZ")
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _is_plain(value: object) -> bool:
    return not isinstance(value, dict | list | tuple)


def error(what: str, remedy: str | None = None, request_id: str | None = None) -> None:
    """Write an error to stderr: a line for the problem, a line for the remedy."""
    console = Console(stderr=True, soft_wrap=True, highlight=False)
    suffix = f" (request {request_id})" if request_id else ""
    console.print(Text(f"dynabench: {plain(what)}{suffix}", style="bold red"))
    if remedy:
        console.print(Text(plain(remedy)))


def note(what: str) -> None:
    """Write a line to stderr."""
    Console(stderr=True, soft_wrap=True, highlight=False).print(Text(plain(what)))


def progress(what: str, total: int, quiet: bool = False) -> AbstractContextManager[Callable[[int], None]]:
    """Draw a bar on a terminal's stderr; the block calls what it is given with each number of steps done."""
    return _bar(what, total, quiet, MofNCompleteColumn())


def byte_progress(
    what: str, total: int, quiet: bool = False
) -> AbstractContextManager[Callable[[int], None]]:
    """Draw a bar of bytes on a terminal's stderr."""
    return _bar(what, total, quiet, DownloadColumn())


@contextmanager
def reported(what: str, total: int, quiet: bool = False) -> Iterator[Callable[[int], None]]:
    """Draw a bar on a terminal's stderr; in a pipe write a line there whenever another tenth is done."""
    if quiet or Console(stderr=True).is_terminal:
        with progress(what, total, quiet) as done:
            yield done
        return
    finished = 0

    def report(steps: int) -> None:
        nonlocal finished
        before, finished = finished, finished + steps
        if finished * 10 // max(total, 1) > before * 10 // max(total, 1):
            note(f"{what}: {finished:,} of {total:,}")

    yield report


@contextmanager
def steps(quiet: bool = False) -> Iterator[Callable[[str, float], None]]:
    """Draw a bar with the name of the step under way, from 0 to 1 in all; in a pipe write a line for each step."""
    console = Console(stderr=True)
    shown = console.is_terminal and not quiet
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    with Progress(*columns, console=console, disable=not shown, transient=True) as bar:
        task, before = bar.add_task("", total=1.0), ""

        def report(step: str, share: float) -> None:
            nonlocal before
            bar.update(task, description=plain(step), completed=share)
            if step != before and not (shown or quiet):
                note(f"{step}: {share * 100:.0f} %")
            before = step

        yield report


@contextmanager
def _bar(what: str, total: int, quiet: bool, amount: ProgressColumn) -> Iterator[Callable[[int], None]]:
    console = Console(stderr=True)
    shown = console.is_terminal and not quiet
    columns = (TextColumn(what), BarColumn(), amount, TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not shown, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda steps: bar.advance(task, steps)
