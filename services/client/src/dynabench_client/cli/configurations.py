"""`dynabench tasks` verbs about configurations: check, change, compare versions."""

import difflib
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from dynabench_client.areas.annotation import AnnotationClient
from dynabench_client.cli.arguments import TaskSlug, Yes
from dynabench_client.cli.files import read_configuration
from dynabench_client.cli.output import AsJson, Output
from dynabench_client.cli.session import YOURS, InputError, client_of
from dynabench_client.pages import LARGEST_PAGE, every
from dynabench_client.results.configuration import ConfigurationChange, ConfigurationCheck

ConfigurationFile = Annotated[
    Path, typer.Argument(help="The configuration, YAML", exists=True, dir_okay=False)
]

app = typer.Typer()

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
VERSION_COLUMNS = {
    "version": lambda version: version.configuration_version,
    "created": lambda version: version.created_at,
    "changed": lambda version: [change.path for change in version.changes] or None,
}


@app.command()
def check(context: typer.Context, file: ConfigurationFile, as_json: AsJson = False) -> None:
    """Check a configuration: line, column, reason and remedy of every problem; exit code 1 if there is one."""
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
    """Put a changed configuration in force as the task's next version, once its changes were shown."""
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


@app.command()
def versions(context: typer.Context, task: TaskSlug, as_json: AsJson = False) -> None:
    """List the versions of a task's configuration and what each changed, newest first."""
    area = client_of(context).annotation
    found = every(lambda cursor: area.versions(task, limit=LARGEST_PAGE, cursor=cursor))
    Output(as_json).rows(found, VERSION_COLUMNS, "No version.")


@app.command()
def diff(
    context: typer.Context,
    task: TaskSlug,
    before: Annotated[
        int | None, typer.Argument(min=1, help="A version; the one before the other if left out")
    ] = None,
    after: Annotated[int | None, typer.Argument(min=1, help="A version; the newest if left out")] = None,
    as_json: AsJson = False,
) -> None:
    """Compare two versions of a task's configuration, line by line."""
    area = client_of(context).annotation
    newer = after or area.task(task).configuration_version
    older = before or newer - 1
    lines = _compared(area, task, older, newer)
    if as_json:
        Output(as_json).document({"task_slug": task, "before": older, "after": newer, "lines": lines})
        return
    for line in lines:
        typer.echo(line)


@app.command()
def schema(context: typer.Context, as_json: AsJson = False) -> None:
    """Show the JSON Schema of task configurations, for editors that check while one types."""
    Output(as_json).document(client_of(context).annotation.configuration_schema())


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


def _compared(area: AnnotationClient, task: str, older: int, newer: int) -> list[str]:
    if older < 1:
        raise InputError(f"{task} has one version only.", "Change it with 'dynabench tasks update FILE'.")
    old, new = (area.version(task, number).yaml.splitlines() for number in (older, newer))
    names = f"{task} version {older}", f"{task} version {newer}"
    return list(difflib.unified_diff(old, new, *names, lineterm=""))
