"""`dynabench contexts`."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from dynabench_client.cli.output import AsJson, Output, progress
from dynabench_client.cli.session import InputError, client_of
from dynabench_client.pages import LARGEST_PAGE, every

MOST_PER_CALL = 1000
RoundId = Annotated[str, typer.Argument(help="The round's id")]

app = typer.Typer(no_args_is_help=True)

COLUMNS = {
    "context": lambda context: context.context_id,
    "fields": lambda context: context.fields,
    "tags": lambda context: context.tags,
}


@app.command()
def add(
    context: typer.Context,
    round_id: RoundId,
    file: Annotated[
        Path,
        typer.Argument(
            help='JSON lines: {"fields": {…}, "tags": […]}, or the fields alone', exists=True, dir_okay=False
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Give a round contexts from a file, a thousand at a time."""
    area = client_of(context).annotation
    contexts = read_contexts(file)
    with progress("contexts", len(contexts), quiet=as_json) as done:
        for part in _parts(contexts):
            area.add_contexts(round_id, part)
            done(len(part))
    Output(as_json).record({"round_id": round_id, "added": len(contexts)})


@app.command("list")
def list_contexts(context: typer.Context, round_id: RoundId, as_json: AsJson = False) -> None:
    """List a round's contexts."""
    area = client_of(context).annotation
    found = every(lambda cursor: area.contexts(round_id, limit=LARGEST_PAGE, cursor=cursor))
    Output(as_json).rows(found, COLUMNS, "No context yet. Add some with 'dynabench contexts add ROUND FILE'.")


def read_contexts(file: Path) -> list[dict[str, Any]]:
    """Return the contexts in a file, all of them checked before any is sent. Raises InputError."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as err:
        raise InputError(f"{file} is not UTF-8 text.", "Save it as UTF-8 and try again.") from err
    contexts = [_context(file, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not contexts:
        raise InputError(f"{file} holds no context.", "Write one JSON object a line.")
    return contexts


def _context(file: Path, number: int, line: str) -> dict[str, Any]:
    remedy = 'Write one JSON object a line, such as {"fields": {"prompt": "…"}, "tags": []}.'
    try:
        value = json.loads(line)
    except ValueError as err:
        raise InputError(f"{file}, line {number}: not JSON.", remedy) from err
    if not isinstance(value, dict):
        raise InputError(f"{file}, line {number}: not an object.", remedy)
    return value if isinstance(value.get("fields"), dict) else {"fields": value, "tags": []}


def _parts(contexts: Sequence[dict[str, Any]]) -> Iterator[Sequence[dict[str, Any]]]:
    for start in range(0, len(contexts), MOST_PER_CALL):
        yield contexts[start : start + MOST_PER_CALL]
