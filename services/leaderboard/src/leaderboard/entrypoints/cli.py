"""The `leaderboard` command."""

import json
import sys
from typing import Annotated

import typer
from dynabench_common.database import create_database_engine
from dynabench_common.logging import configure_logging
from dynabench_common.migrations import upgrade
from dynabench_common.rebuilding import LogIsEmpty
from dynabench_common.serve import run_http
from dynabench_common.settings import DatabaseSettings, EventSettings, SettingsError, load
from dynabench_common.worker import run_worker
from sqlalchemy import Engine

from leaderboard.adapters.rebuild import rebuild
from leaderboard.adapters.snapshot import snapshot
from leaderboard.bootstrap import MIGRATIONS, build_worker, log_reader
from leaderboard.entrypoints.http.app import create_app
from leaderboard.settings import HttpSettings, WorkerSettings

app = typer.Typer(help="Rates and figures of Dynabench's rounds.", no_args_is_help=True)

DatabaseUrl = Annotated[
    str | None, typer.Option(help="Another database than DATABASE_URL; may be empty, it is migrated first")
]


@app.command()
def http() -> None:
    """Serve the HTTP interface."""
    settings = load(HttpSettings)
    configure_logging("leaderboard", settings.log_level)
    run_http(create_app, settings)


@app.command()
def worker() -> None:
    """Take events in and keep the boards."""
    settings = load(WorkerSettings)
    configure_logging("leaderboard", settings.log_level)
    run_worker(build_worker(settings))


@app.command()
def migrate() -> None:
    """Bring the database to the newest version."""
    upgrade(load(DatabaseSettings).database_url, MIGRATIONS)


@app.command(name="rebuild")
def rebuild_command(database_url: DatabaseUrl = None) -> None:
    """Build every board anew from the log, publishing nothing; the worker may be running."""
    settings = load(EventSettings)
    applied = rebuild(_engine(database_url), log_reader(settings))
    typer.echo(f"{applied} events applied")


@app.command(name="snapshot")
def snapshot_command(
    database_url: DatabaseUrl = None,
    as_json: Annotated[bool, typer.Option("--json", help="Every row as JSON, comparable by text")] = False,
) -> None:
    """Show what the read models hold: rows per table, or with --json every row."""
    tables = snapshot(_engine(database_url))
    if as_json:
        typer.echo(json.dumps(tables, sort_keys=True, indent=1))
        return
    for table, rows in tables.items():
        typer.echo(f"{table:20} {len(rows):>10}")


def _engine(database_url: str | None) -> Engine:
    url = database_url or load(DatabaseSettings).database_url
    if database_url:
        upgrade(url, MIGRATIONS)
    return create_database_engine(url, "leaderboard-command", pool_size=1)


def main() -> None:
    """Run the command; what the caller must put right is one line and exit status 2."""
    try:
        app()
    except (SettingsError, LogIsEmpty) as err:
        typer.echo(f"leaderboard: {err}", err=True)
        sys.exit(2)
