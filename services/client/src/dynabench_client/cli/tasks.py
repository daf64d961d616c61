"""`dynabench tasks`."""

from pathlib import Path
from typing import Annotated

import typer

from dynabench_client.cli.output import AsJson, Output
from dynabench_client.cli.session import InputError, client_of
from dynabench_client.pages import LARGEST_PAGE, every
from dynabench_client.results.annotation import Task

app = typer.Typer(no_args_is_help=True)

COLUMNS = {
    "task": lambda task: task.slug,
    "title": lambda task: task.title,
    "rounds": lambda task: len(task.rounds),
    "open": lambda task: [one.number for one in task.rounds if one.is_open] or None,
}


@app.command("list")
def list_tasks(context: typer.Context, as_json: AsJson = False) -> None:
    """List tasks."""
    area = client_of(context).annotation
    found = every(lambda cursor: area.tasks(limit=LARGEST_PAGE, cursor=cursor))
    Output(as_json).rows(found, COLUMNS, "No task yet. Create one with 'dynabench tasks create FILE'.")


@app.command()
def show(
    context: typer.Context,
    task: Annotated[str, typer.Argument(help="The task's slug")],
    as_json: AsJson = False,
) -> None:
    """Show a task with its labels and rounds."""
    _show(client_of(context).annotation.task(task), as_json)


@app.command()
def create(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="The configuration, YAML", exists=True, dir_okay=False)],
    as_json: AsJson = False,
) -> None:
    """Create a task from its configuration."""
    try:
        configuration = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as err:
        raise InputError(f"{file} is not UTF-8 text.", "Save it as UTF-8 and try again.") from err
    _show(client_of(context).annotation.create_task(configuration), as_json)


def _show(task: Task, as_json: bool) -> None:
    lines = {
        "task": task.slug,
        "title": task.title,
        "description": task.description,
        "configuration": f"version {task.configuration_version}",
        "fields": [field.get("name", "?") for field in task.configuration.get("input", [])],
    }
    rounds = {f"round {one.number}": f"{one.round_id}  {one.state}  {one.title}" for one in task.rounds}
    Output(as_json).record(task.document(), {**lines, **rounds})
