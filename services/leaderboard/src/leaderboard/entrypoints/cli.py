"""The `leaderboard` command."""

import contextlib
import json
from typing import TYPE_CHECKING, Annotated, Any

import typer
from dynabench_common.command_errors import run_command
from dynabench_common.http.serve import run_http
from dynabench_common.settings import DatabaseSettings, EventSettings, OwnerSettings, load
from dynabench_common.telemetry.logging import configure_logging

from leaderboard.settings import HttpSettings, WorkerSettings

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from leaderboard.adapters.read_models import Build

app = typer.Typer(help="Rates and figures of Dynabench's rounds.", no_args_is_help=True)

DatabaseUrl = Annotated[
    str | None, typer.Option(help="Another database, as its owner; may be empty, it is migrated first")
]


@app.command()
def http() -> None:
    """Serve the HTTP interface."""
    settings = load(HttpSettings)
    configure_logging("leaderboard", settings.log_level)
    run_http("leaderboard", "leaderboard.entrypoints.http.app:create_app", settings)


@app.command()
def worker() -> None:
    """Take events in and keep the boards."""
    from dynabench_common.work.worker import run_worker

    from leaderboard.bootstrap import build_worker

    settings = load(WorkerSettings)
    configure_logging("leaderboard", settings.log_level)
    run_worker("leaderboard", build_worker(settings))


@app.command()
def migrate() -> None:
    """Bring the database to the newest version, and let the role that processes run as read and write its rows."""
    from dynabench_common.database import roles as database_roles

    from leaderboard.bootstrap import MIGRATIONS

    database_roles.migrate("leaderboard", load(OwnerSettings), MIGRATIONS)


@app.command(name="rebuild")
def rebuild_command(database_url: DatabaseUrl = None) -> None:
    """Rebuild all boards from the log while the present ones serve, then switch over; publishes nothing."""
    from sqlalchemy.exc import SQLAlchemyError

    from leaderboard.adapters.projection import VERSION
    from leaderboard.adapters.retirement import drop_unused
    from leaderboard.bootstrap import build_builder

    engine = _engine(database_url)
    with contextlib.suppress(SQLAlchemyError):
        drop_unused(engine, VERSION)
    applied = build_builder(engine, load(EventSettings), note=_echo).rebuild()
    typer.echo(f"{applied} events applied")


@app.command()
def builds(
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, for programs")] = False,
) -> None:
    """Show the boards in use with their versions, and the progress of those being built."""
    from leaderboard.adapters import read_models

    with _engine(None).connect() as connection:
        found = [_described(build) for build in read_models.list_all(connection)]
        troubles = read_models.troubles(connection)
    if as_json:
        typer.echo(json.dumps(found, indent=1))
        return
    for build in found:
        typer.echo(
            f"{build['schema']:16} version {build['version']}  {build['state']:9} "
            f"{build['events_read']:>12,} of {build['events_total']:,} events read  since {build['since']}"
            + (f"  {build['events_refused']:,} refused" if build["events_refused"] else "")
        )
    for version, reason in troubles.items():
        typer.echo(f"version {version} does not come to stand: {reason}")


@app.command(name="snapshot")
def snapshot_command(
    database_url: DatabaseUrl = None,
    as_json: Annotated[bool, typer.Option("--json", help="Every row as JSON, comparable by text")] = False,
) -> None:
    """Show what the read models hold: rows per table, or with --json every row."""
    from leaderboard.adapters.snapshot import snapshot

    tables = snapshot(_engine(database_url))
    if as_json:
        typer.echo(json.dumps(tables, sort_keys=True, indent=1))
        return
    for table, rows in tables.items():
        typer.echo(f"{table:20} {len(rows):>10}")


def _described(build: "Build") -> dict[str, Any]:
    since = build.replaced_at or build.stood_at or build.begun_at
    return {
        "schema": build.read_model.schema,
        "version": build.read_model.version,
        "state": build.state,
        "events_read": build.events_read,
        "events_total": build.events_total,
        "events_refused": build.events_refused,
        "since": since.isoformat(timespec="seconds"),
        "trouble": build.trouble,
    }


def _echo(event: str, **fields: Any) -> None:
    typer.echo(" ".join([event, *(f"{name}={value}" for name, value in fields.items())]), err=True)


def _engine(database_url: str | None) -> "Engine":
    from dynabench_common.database.connections import create_database_engine

    from leaderboard.adapters.projection import VERSION
    from leaderboard.adapters.read_models import session_name

    url = database_url or load(DatabaseSettings).session_url
    if database_url:
        from dynabench_common.database.migrations import upgrade

        from leaderboard.bootstrap import MIGRATIONS

        upgrade(url, MIGRATIONS)
    return create_database_engine(url, session_name("command", VERSION), pool_size=1)


def main() -> None:
    """Run the command."""
    run_command("leaderboard", app)
