"""`dynabench tasks`."""

from pathlib import Path
from typing import Annotated, NoReturn

import typer
from dynabench_client.results.annotation import ConfigurationChange, ConfigurationCheck, Task
from dynabench_client.results.base import LARGEST_PAGE, every

from dynabench_cli import dynatask
from dynabench_cli.files import read_configuration
from dynabench_cli.output import AsJson, Output
from dynabench_cli.session import YOURS, InputError, Yes, client_of

app = typer.Typer(no_args_is_help=True)
app.add_typer(dynatask.app)

COLUMNS = {
    "task": lambda task: task.slug,
    "title": lambda task: task.title,
    "rounds": lambda task: len(task.rounds),
    "open": lambda task: [one.number for one in task.rounds if one.is_open] or None,
}
PROBLEM_COLUMNS = {
    "line": lambda problem: problem.line,
    "column": lambda problem: problem.column,
    "where": lambda problem: problem.path,
    "why": lambda problem: problem.reason,
    "remedy": lambda problem: problem.remedy,
}
CHANGE_COLUMNS = {
    "where": lambda change: change.path,
    "before": lambda change: change.before,
    "after": lambda change: change.after,
}
ConfigurationFile = Annotated[
    Path, typer.Argument(help="The configuration, YAML", exists=True, dir_okay=False)
]


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
def create(context: typer.Context, file: ConfigurationFile, as_json: AsJson = False) -> None:
    """Create a task from its configuration."""
    _show(client_of(context).annotation.create_task(read_configuration(file)), as_json)


@app.command()
def check(context: typer.Context, file: ConfigurationFile, as_json: AsJson = False) -> None:
    """Check a configuration. Names line, column, reason and remedy of every problem. Exit code 1 if there is one."""
    checked = client_of(context).annotation.check_configuration(read_configuration(file))
    if checked.valid:
        Output(as_json).record(checked.document(), {f"{file}": "can be used"})
        return
    _refuse(checked, as_json)


@app.command()
def update(
    context: typer.Context,
    file: ConfigurationFile,
    yes: Yes = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would change")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the changes of a configuration, ask, and apply them as the task's next version."""
    if as_json and not (yes or dry_run):
        raise InputError("With --json nobody can be asked.", "Give --yes or --dry-run as well.")
    area, configuration = client_of(context).annotation, read_configuration(file)
    checked = area.check_configuration(configuration)
    if not checked.valid or checked.configuration is None:
        _refuse(checked, as_json)
    slug = str(checked.configuration["slug"])
    change = area.configure_task(slug, configuration, dry_run=True)
    if not as_json:
        Output(as_json).rows(change.changes, CHANGE_COLUMNS, "Nothing would change.")
    if not dry_run and change.changes:
        if not yes:
            typer.confirm(
                f"Make this version {change.configuration_version} of {slug}?", abort=True, err=True
            )
        area.configure_task(slug, configuration)
    _conclude(slug, change, bool(change.changes) and not dry_run, as_json)


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


def _refuse(checked: ConfigurationCheck, as_json: bool) -> NoReturn:
    output = Output(as_json)
    if as_json:
        output.document(checked.document())
    else:
        output.rows(checked.problems, PROBLEM_COLUMNS, "The configuration can't be used.")
    raise typer.Exit(YOURS)


def _conclude(slug: str, change: ConfigurationChange, applied: bool, as_json: bool) -> None:
    if as_json:
        document = {**change.document(), "task_slug": slug, "applied": applied}
        Output(as_json).document(document)
    elif applied:
        Output(as_json).record({"task": slug, "version": change.configuration_version})
