"""`dynabench tasks`."""

from typing import Annotated

import typer

from dynabench_client.cli import configurations, dynatask
from dynabench_client.cli.answers import attributions, described
from dynabench_client.cli.arguments import TaskSlug
from dynabench_client.cli.configurations import ConfigurationFile
from dynabench_client.cli.files import read_configuration
from dynabench_client.cli.output import AsJson, Output, waiting
from dynabench_client.cli.session import client_of
from dynabench_client.cli.values import ContextFieldOption, InputOption, read_values
from dynabench_client.pages import LARGEST_PAGE, every
from dynabench_client.results.annotation import Task

app = typer.Typer(no_args_is_help=True)
app.add_typer(configurations.app)
app.add_typer(dynatask.app)

COLUMNS = {
    "task": lambda task: task.slug,
    "title": lambda task: task.title,
    "rounds": lambda task: len(task.rounds),
    "open": lambda task: [one.number for one in task.rounds if one.is_open] or None,
}
MODEL_COLUMNS = {
    "model": lambda model: model.name,
    "type": lambda model: model.task_type,
    "ready": lambda model: model.ready,
    "in the loop": lambda model: model.in_the_loop,
    "labels": lambda model: model.labels,
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
    task: TaskSlug,
    as_json: AsJson = False,
) -> None:
    """Show a task with its labels and rounds."""
    _show(client_of(context).annotation.task(task), as_json)


@app.command()
def create(context: typer.Context, file: ConfigurationFile, as_json: AsJson = False) -> None:
    """Create a task from its configuration."""
    _show(client_of(context).annotation.create_task(read_configuration(file)), as_json)


@app.command()
def models(context: typer.Context, task: TaskSlug, as_json: AsJson = False) -> None:
    """List the served models that fit a task."""
    found = client_of(context).annotation.models(task)
    Output(as_json).rows(found, MODEL_COLUMNS, "No served model fits this task.")


@app.command()
def sandbox(
    context: typer.Context,
    task: TaskSlug,
    model: Annotated[str, typer.Argument(help="A model that fits, from 'tasks models'")],
    fields: ContextFieldOption = None,
    field: InputOption = None,
    inspect: Annotated[
        bool, typer.Option("--inspect", help="Show which parts of the text moved the model")
    ] = False,
    label: Annotated[str | None, typer.Option(help="Inspect for this label instead of the answer")] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="Integration steps of the inspection")] = None,
    as_json: AsJson = False,
) -> None:
    """Ask one model about a text outside of any round; nothing is stored."""
    given = read_values(fields or [], "--context"), read_values(field or [], "--input")
    area = client_of(context).annotation
    with waiting("waiting for the model; its workers may have to start", quiet=as_json):
        if inspect:
            inspection = area.sandbox_inspect(task, model, *given, label, steps)
            document, lines = inspection.document(), attributions(inspection)
        else:
            found = area.sandbox(task, model, *given)
            document, lines = found.document(), {one.target: described(one) for one in found.answers}
    Output(as_json).record(document, lines)


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
