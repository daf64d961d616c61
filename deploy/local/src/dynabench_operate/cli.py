"""The command `dynabench-operate`."""

import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated

import psycopg2
import typer
from botocore.exceptions import BotoCoreError, ClientError
from dynabench_common.command_errors import CommandRefused
from kafka.errors import KafkaError

from dynabench_operate import backup as backups
from dynabench_operate import manifest
from dynabench_operate import restore as restores
from dynabench_operate.doctor import examination
from dynabench_operate.doctor.finding import State
from dynabench_operate.stores import Stores, from_environment

app = typer.Typer(
    add_completion=False, no_args_is_help=True, help="Back up, restore and examine an installation."
)
Local = Annotated[
    bool,
    typer.Option(
        "--local", help="The one-machine stack of DYNABENCH_HOME and PORT_BASE, not the environment."
    ),
]
Folder = Annotated[Path, typer.Argument(help="The folder of one backup.")]
AWAY = (psycopg2.Error, KafkaError, BotoCoreError, ClientError, OSError)
"""Errors that unavailable stores raise."""


def say(line: str) -> None:
    """Print a step for the operator."""
    typer.echo(line, err=True)


@app.command()
def backup(
    into: Annotated[Path, typer.Argument(help="The folder in which a folder for this backup is made.")],
    local: Local = False,
    keep: Annotated[
        int | None, typer.Option(min=1, help="Remove older backups there, so that this many are left.")
    ] = None,
) -> None:
    """Take a backup of everything while the platform runs, and verify it; print its folder."""
    target = into.resolve() / manifest.now()
    with _stores(local) as stores:
        former = backups.complete(into)[-1:] if into.is_dir() else []
        found = backups.take(stores, target, say, *former)
    restores.verify(target)
    for path in found.vanished_objects[:10]:
        say(f"the object {path} was removed meanwhile and is not in the backup")
    if keep is not None:
        for path_removed in backups.prune(into.resolve(), keep):
            say(f"removed {path_removed.name}")
    typer.echo(str(target))


@app.command()
def verify(folder: Folder) -> None:
    """Return whether a backup is whole; touches no store."""
    found = restores.verify(folder.resolve())
    records, unsent = sum(found.events.values()), sum(found.unsent_events.values())
    typer.echo(
        f"whole: taken at {found.taken_at}, {len(found.revisions)} databases, {records} records of "
        f"{len(found.events)} topics, {unsent} events not sent yet, {found.objects} objects of "
        f"{found.object_bytes} bytes"
    )


@app.command()
def restore(
    folder: Folder,
    local: Local = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Remove what the stores hold first.")
    ] = False,
    wait: Annotated[float, typer.Option(min=0, help="Seconds to wait for services to end.")] = 0,
) -> None:
    """Bring a backup into empty stores, while no service runs."""
    with _stores(local, stopped=True) as stores:
        restores.restore(stores, folder.resolve(), say, overwrite=overwrite, wait_seconds=wait)
    typer.echo("restored; start the services" + (": make up" if local else ""))


@app.command()
def doctor(
    local: Local = False,
    json_: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Examine all stores; exit with 1 if a check failed."""
    with _stores(local, begin=False) as stores:
        findings = list(examination.examine(stores))
    typer.echo(examination.as_json(findings) if json_ else "\n".join(examination.as_lines(findings)))
    raise typer.Exit(1 if any(found.state is State.FAILED for found in findings) else 0)


def _stores(local: bool, *, begin: bool = True, stopped: bool = False) -> AbstractContextManager[Stores]:
    if not local:
        return nullcontext(from_environment())
    from dynabench_operate import one_machine

    return one_machine.stores(say, begin=begin, stopped=stopped)


def main() -> None:
    """Run the command; a mistake of the operator is one line and exit status 2, an unavailable store 3."""
    try:
        app()
    except CommandRefused as err:
        typer.echo(f"dynabench-operate: {err}", err=True)
        sys.exit(2)
    except AWAY as err:
        typer.echo(f"dynabench-operate: a store does not serve: {type(err).__name__}: {err}", err=True)
        sys.exit(3)
