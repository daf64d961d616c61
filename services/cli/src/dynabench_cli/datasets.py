"""`dynabench datasets`."""

from typing import Annotated

import typer
from dynabench_client.results.base import LARGEST_PAGE, every
from dynabench_client.results.datasets import Dataset

from dynabench_cli import downloads, evaluations
from dynabench_cli.output import AsJson, Output
from dynabench_cli.session import DatasetId, client_of

app = typer.Typer(no_args_is_help=True)
app.add_typer(downloads.app)
app.add_typer(evaluations.datasets)

COLUMNS = {
    "dataset": lambda one: one.dataset_id,
    "name": lambda one: one.name,
    "task": lambda one: one.task_slug,
    "version": lambda one: one.version,
    "licence": lambda one: one.licence,
    "released": lambda one: one.released_at,
}


@app.command("list")
def list_datasets(
    context: typer.Context,
    task: Annotated[str | None, typer.Argument(help="Slug of a task. Default: all tasks")] = None,
    as_json: AsJson = False,
) -> None:
    """List datasets, of one task or of all."""
    area = client_of(context).datasets
    found = every(lambda cursor: area.datasets(task, limit=LARGEST_PAGE, cursor=cursor))
    Output(as_json).rows(found, COLUMNS, "No dataset yet. Make one with 'dynabench rounds release ROUND'.")


@app.command()
def show(context: typer.Context, dataset_id: DatasetId, as_json: AsJson = False) -> None:
    """Show a dataset: counts, files with their checksums, citation."""
    found = client_of(context).datasets.dataset(dataset_id)
    Output(as_json).record(found.document(), _lines(found))


def _lines(found: Dataset) -> dict[str, object]:
    files = {one.path: f"{one.size:,} bytes  sha256 {one.sha256}" for one in found.files}
    return {
        "dataset": found.dataset_id,
        "name": found.name,
        "title": found.title,
        "task": found.task_slug,
        "round": found.round_id,
        "version": found.version,
        "digest": found.digest,
        "licence": found.licence,
        "counts": found.counts,
        "released": found.released_at,
        **files,
        "citation": found.citation,
        "measurements": found.measurements,
    }
