"""`dynabench rounds import` and `rounds harvest`: rounds out of collections that were made elsewhere."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from dynabench_client.areas.annotation import AnnotationClient
from dynabench_client.errors import ProblemError, UnreachableError
from dynabench_client.platform import Dynabench
from dynabench_client.results.annotation import Import
from dynabench_client.results.base import Result
from dynabench_toolkit.collections.lines import MOST_PROBLEMS_NAMED, Batch
from dynabench_toolkit.collections.reader import formats

from dynabench_cli import output
from dynabench_cli.collection_files import (
    CollectionFile,
    known_format,
    opened_collection,
    readable_twice,
    source_of,
)
from dynabench_cli.figures import known
from dynabench_cli.follow import follow
from dynabench_cli.line_files import counted, line_errors, name_lines
from dynabench_cli.output import AsJson, Output, reported
from dynabench_cli.session import YOURS, InputError, client_of

UNUSABLE = "records-unusable"
DRAFT = "draft"
MOST_RECORDS, MOST_TEXTS = 1_000, 200
AGAIN = "Correct these lines and run the same command again."

CollectionPath = Annotated[
    Path, typer.Argument(help="JSON lines, plain or .gz. The file is read twice", callback=readable_twice)
]
TaskSlug = Annotated[str, typer.Option("--task", help="The task's slug")]
Source = Annotated[
    str | None, typer.Option(help="Name of the collection, unique in the task. Default: the file's name")
]
Title = Annotated[str | None, typer.Option(help="What people see")]

app = typer.Typer()


@dataclass(frozen=True)
class Sending:
    """An import of a collection in batches. `remedy` is for refused lines."""

    made: Import
    collection: CollectionFile
    batches: Iterable[Batch]
    remedy: str

    def send(self, send: Callable[[Batch], Result], totals: Counter[str], quiet: bool) -> None:
        """Send every batch and add up the answers. After an interruption, the rest is still to be sent."""
        with self._left_as_draft(totals), reported("lines", self.collection.found.lines, quiet) as done:
            for batch in self.batches:
                try:
                    _add(totals, send(batch))
                except ProblemError as err:
                    if err.slug != UNUSABLE:
                        raise
                    where = f"Nothing of the lines {batch.first_line:,} to {batch.last_line:,} was stored."
                    _refuse(self.collection, *line_errors(err), where, self.remedy)
                done(batch.lines)

    @contextmanager
    def _left_as_draft(self, totals: Counter[str]) -> Iterator[None]:
        """Return the note on an interrupted import: none if its first lines were refused."""
        try:
            yield
        except (KeyboardInterrupt, ProblemError, UnreachableError, InputError, typer.Exit) as err:
            was_refused = isinstance(err, typer.Exit) and not self.made.records and not totals["stored"]
            if self.made.state == DRAFT and not was_refused:
                output.note(
                    f"Round {self.made.round_id} stays a draft with the lines stored so far; "
                    "the same command goes on with it, and stores nothing twice."
                )
            raise


@app.command("import")
def import_collection(
    context: typer.Context,
    file: CollectionPath,
    task: TaskSlug,
    chosen: Annotated[
        str,
        typer.Option(
            "--format",
            help=f"Format of the file: {', '.join(formats())}",
            callback=known_format,
            autocompletion=lambda: list(formats()),
        ),
    ] = "records",
    source: Source = None,
    title: Title = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check every record, store nothing")] = False,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait until its votes are counted")] = True,
    as_json: AsJson = False,
) -> None:
    """Make a round of a collection with its votes. After an interruption, the same command resumes."""
    client, name = client_of(context), source or source_of(file)
    area, totals = client.annotation, Counter(stored=0, repeated=0, votes=0)
    with opened_collection(file, chosen) as collection:
        if dry_run:
            would = _check(area, task, collection, collection.batches(MOST_RECORDS), quiet=as_json)
            result = {"source": name, "targets": collection.targets, **would, "dry_run": True}
            Output(as_json).record(result, result)
            return
        start = partial(area.start_import, task, name, collection.targets, title=title)
        batches = collection.batches(MOST_RECORDS)
        made = start()
        Sending(made, collection, batches, f"{AGAIN} --dry-run finds all of them at once.").send(
            lambda batch: area.add_records(made.round_id, batch.pieces, batch.first_line), totals, as_json
        )
    _close(area, made)
    ended = start()
    if wait:
        _wait(client, ended, as_json)
    _show(ended, totals, as_json)


@app.command()
def harvest(
    context: typer.Context,
    file: CollectionPath,
    task: TaskSlug,
    target: Annotated[list[str], typer.Option(help="Served model to ask. Repeat it for several")],
    margin_below: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Also keep texts that a model answers with a smaller margin"),
    ] = None,
    source: Source = None,
    title: Title = None,
    as_json: AsJson = False,
) -> None:
    """Run models over text, {"id", "context", "input", "label"} a line, and keep what they fail on for validation."""
    area, name = client_of(context).annotation, source or source_of(file)
    totals = Counter(seen=0, stored=0, repeated=0, wrong=0, unsure=0)
    with opened_collection(file, "records") as collection:
        start = partial(area.start_import, task, name, target, origin="harvested", title=title)
        made = start()
        if made.state == DRAFT:
            Sending(made, collection, collection.batches(MOST_TEXTS), AGAIN).send(
                lambda batch: area.harvest(made.round_id, batch.pieces, margin_below, batch.first_line),
                totals,
                as_json,
            )
    _close(area, made)
    _show(start(), totals, as_json)


def _check(
    area: AnnotationClient, task: str, collection: CollectionFile, batches: Iterable[Batch], *, quiet: bool
) -> Counter[str]:
    """Return what storing these records would do; lines that can't be used are named, and end the command."""
    totals, errors, count = Counter(stored=0, repeated=0, votes=0), list[dict[str, object]](), 0
    with reported("records", collection.found.lines, quiet) as done:
        for batch in batches:
            try:
                checked = area.check_records(task, collection.targets, batch.pieces, batch.first_line)
                _add(totals, checked)
            except ProblemError as err:
                if err.slug != UNUSABLE:
                    raise
                named, found = line_errors(err)
                errors, count = (errors + named)[:MOST_PROBLEMS_NAMED], count + found
            done(batch.lines)
    if count:
        _refuse(collection, errors, count, "Nothing was stored.", "Correct these lines and try again.")
    return totals


def _close(area: AnnotationClient, made: Import) -> None:
    """Close the round of an import, unless it is closed."""
    if made.state == DRAFT:
        area.set_round_state(made.round_id, "closed")


def _wait(client: Dynabench, ended: Import, quiet: bool) -> None:
    """Wait until validation has all examples and their votes."""
    counted_before = 0

    def examples() -> int:
        counts = known(lambda: client.validation.counts(ended.round_id))
        return min(counts.examples, ended.records) if counts is not None else 0

    with reported("votes counted, examples", ended.records, quiet) as done:

        def seen(examples: int) -> None:
            nonlocal counted_before
            done(examples - counted_before)
            counted_before = examples

        found = follow(examples, lambda examples: examples >= ended.records, seen)
    if found < ended.records:
        output.note(
            f"Votes of {found:,} of {ended.records:,} examples are counted so far, and the rest follows. "
            f"'dynabench rounds show {ended.round_id}' shows the progress."
        )


def _show(ended: Import, totals: Counter[str], as_json: bool) -> None:
    Output(as_json).record(
        {
            "round_id": ended.round_id,
            "source": ended.source,
            **totals,
            "records": ended.records,
            "state": ended.state,
        }
    )


def _add(totals: Counter[str], answer: Result) -> None:
    for name in totals:
        totals[name] += getattr(answer, name)


def _refuse(
    collection: CollectionFile, errors: Sequence[Mapping[str, object]], count: int, where: str, remedy: str
) -> NoReturn:
    name_lines(collection.name, errors)
    output.error(f"{collection.name} has {counted(count, 'record', len(errors))}. {where}", remedy)
    raise typer.Exit(YOURS)
