"""`dynabench export`: the examples of a round, or your own work. The file is written whole or not at all."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from dynabench_cli.files import whole_file
from dynabench_cli.output import AsJson, Output
from dynabench_cli.session import InputError, client_of

JSONL = "jsonl"
BINARY = ("parquet", "xlsx")
FORMATS = (JSONL, "csv", *BINARY)

app = typer.Typer()


@app.command()
def export(
    context: typer.Context,
    round_id: Annotated[str | None, typer.Argument(help="The round's id")] = None,
    own: Annotated[bool, typer.Option("--own", help="Write your own examples and votes")] = False,
    chosen: Annotated[str, typer.Option("--format", help="jsonl, parquet, csv or xlsx")] = JSONL,
    explanations: Annotated[
        bool,
        typer.Option("--explanations", help="Include free text that people did not write for the public"),
    ] = False,
    file: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="File to write. Default: standard output", dir_okay=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write the examples of a round, or your own work. The round may still be in progress."""
    if own is (round_id is not None):
        raise InputError("One thing is exported.", "Give a round's id, or --own.")
    if chosen not in FORMATS or (own and chosen != JSONL):
        raise InputError(
            f"There is no such export as {chosen}.", "Rounds: jsonl, parquet, csv, xlsx. One's own: jsonl."
        )
    if file is None:
        _ensure_readable(chosen, as_json)
    area = client_of(context).datasets
    pieces = (
        area.export_own()
        if round_id is None
        else area.export_round(round_id, chosen, explanations=explanations)
    )
    if file is None:
        _write(pieces, typer.get_binary_stream("stdout"))
        return
    with whole_file(file) as target:
        size = _write(pieces, target)
    Output(as_json).record({"file": str(file), "bytes": size})


def _ensure_readable(chosen: str, as_json: bool) -> None:
    """Check that standard output can take an export. Raises InputError."""
    if as_json:
        raise InputError("With --json standard output is taken.", "Give -o FILE.")
    if chosen in BINARY and typer.get_binary_stream("stdout").isatty():
        raise InputError(f"A terminal can't show {chosen}.", "Give -o FILE, or send it into a pipe.")


def _write(pieces: Iterable[bytes], target: BinaryIO) -> int:
    size = sum(target.write(piece) for piece in pieces)
    target.flush()
    return size
