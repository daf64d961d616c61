"""Files of collections that were made elsewhere: read whole before anything is sent, and sent in batches."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import typer
from dynabench_toolkit.collections.lines import Batch, Survey, batches, survey
from dynabench_toolkit.collections.reader import Reader, UnusableLineError, formats, reader_of

from dynabench_cli import output
from dynabench_cli.line_files import STANDARD_INPUT, LineFile, counted, existing, name_lines, opened
from dynabench_cli.session import YOURS, InputError

MOST_BATCH_BYTES = 4_000_000
ONE_RECORD = "JSON object"


@dataclass(frozen=True)
class CollectionFile:
    """An open file of which every line can be read."""

    file: LineFile
    reader: Reader
    found: Survey

    @property
    def name(self) -> str:
        """Name of the file in errors."""
        return self.file.name

    @property
    def targets(self) -> list[str]:
        """The targets in its lines, in alphabetical order."""
        return sorted(self.found.targets)

    def batches(self, most_lines: int) -> Iterator[Batch]:
        """Yield its records in batches of the platform's size. Raises InputError if the file has changed."""
        try:
            yield from batches(self.file.lines(), self.reader, most_lines, MOST_BATCH_BYTES)
        except UnusableLineError as err:
            raise InputError(f"{self.name} was changed while it was read: {err}.", "Try again.") from err


def readable_twice(path: Path) -> Path:
    """Return the path of a file. Raises BadParameter, which is an error of usage."""
    if str(path) == STANDARD_INPUT:
        raise typer.BadParameter(
            "standard input can't be used: the collection is read twice, to see that all of it can be read "
            "before anything is sent. Write it to a file."
        )
    return existing(path)


def known_format(name: str) -> str:
    """Return the name of a format. Raises BadParameter, which is an error of usage."""
    if name not in formats():
        raise typer.BadParameter(f"{name!r} is no format; there are {', '.join(formats())}.")
    return name


def source_of(path: Path) -> str:
    """Return the name of a collection after its file: `r1.jsonl.gz` holds `r1`."""
    return (path.with_suffix("") if path.suffix == ".gz" else path).stem


@contextmanager
def opened_collection(path: Path, format: str) -> Iterator[CollectionFile]:
    """Open a file and read it whole; lines that can't be read are named, and end the command."""
    reader = reader_of(format)
    with opened(path, ONE_RECORD) as file:
        found = survey(file.lines(), reader)
        if found.problem_count:
            name_lines(file.name, map(vars, found.problems))
            what = counted(found.problem_count, "line", len(found.problems))
            output.error(f"{file.name} has {what}. Nothing was stored.", "Correct these lines and try again.")
            raise typer.Exit(YOURS)
        yield CollectionFile(file, reader, found)
