"""`dynabench datasets download`: every file of a dataset, each checked by its checksum.

A file is stored whole or not at all. Files that exist are not fetched again, so the same command resumes
where it was interrupted.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Annotated

import typer
from dynabench_client.areas.datasets import DatasetsClient
from dynabench_client.results.datasets import DatasetFile

from dynabench_cli import output
from dynabench_cli.files import whole_file
from dynabench_cli.output import AsJson, Output, byte_progress
from dynabench_cli.session import OURS, DatasetId, InputError, client_of

PIECE_BYTES = 1 << 20

app = typer.Typer()


@app.command()
def download(
    context: typer.Context,
    dataset_id: DatasetId,
    folder: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Folder. Default: the dataset's name"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Download and check all files of a dataset. Keeps those that exist."""
    area = client_of(context).datasets
    found = area.dataset(dataset_id)
    base = folder or _place(Path(), found.name or found.dataset_id)
    fetched = 0
    with byte_progress("bytes", sum(one.size for one in found.files), as_json) as done:
        for one in found.files:
            place = _place(base, one.path)
            if _is_there(place, one):
                done(one.size)
            else:
                _fetch(area, dataset_id, one, place, done)
                fetched += 1
    files = len(found.files)
    Output(as_json).record({"folder": str(base), "files": files, "fetched": fetched, "kept": files - fetched})


def _place(base: Path, path: str) -> Path:
    """Return where a file of a dataset goes, which is never outside the folder. Raises InputError."""
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or "\\" in path or ".." in parts:
        raise InputError(f"The file name {path!r} leads out of the folder.", "Don't trust this platform.")
    return base.joinpath(*parts)


def _is_there(place: Path, one: DatasetFile) -> bool:
    """Return whether the file exists with the right content. Raises InputError."""
    digest = hashlib.sha256()
    try:
        with place.open("rb") as file:
            while piece := file.read(PIECE_BYTES):
                digest.update(piece)
    except FileNotFoundError:
        return False
    except OSError as err:
        raise InputError(f"{place} can't be read: {err.strerror}.", "Choose another -o.") from err
    return digest.hexdigest() == one.sha256


def _fetch(
    area: DatasetsClient, dataset_id: str, one: DatasetFile, place: Path, done: Callable[[int], object]
) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as err:
        raise InputError(f"{place.parent} can't be made: {err.strerror}.", "Choose another -o.") from err
    digest = hashlib.sha256()
    with whole_file(place) as target:
        for piece in area.file(dataset_id, one.path):
            digest.update(piece)
            target.write(piece)
            done(len(piece))
        if digest.hexdigest() != one.sha256:
            output.error(
                f"{one.path} came with other content than was released: its sha256 is {digest.hexdigest()}.",
                "Nothing of it was kept. Try again; if it stays, report the dataset.",
            )
            raise typer.Exit(OURS)
