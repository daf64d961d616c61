"""The `scoring` command."""

from typing import Annotated

import typer
from dynabench_common.command_errors import run_command
from dynabench_common.http.serve import run_http
from dynabench_common.settings import DatabaseSettings, EventSettings, OwnerSettings, load
from dynabench_common.telemetry.logging import configure_logging

from scoring.settings import EvaluatorSettings, HttpSettings, WorkerSettings

app = typer.Typer(help="Datasets of Dynabench's rounds.", no_args_is_help=True)


@app.command()
def http() -> None:
    """Serve the HTTP interface."""
    settings = load(HttpSettings)
    configure_logging("scoring", settings.log_level)
    run_http("scoring", "scoring.entrypoints.http.app:create_app", settings)


@app.command()
def worker() -> None:
    """Take events in, build releases, make measurements and send events."""
    from dynabench_common.work.worker import run_worker

    from scoring.bootstrap import build_worker

    settings = load(WorkerSettings)
    configure_logging("scoring", settings.log_level)
    run_worker("scoring", build_worker(settings))


@app.command()
def evaluator() -> None:
    """Evaluate models: prepare datasets, ask models, compute scores."""
    from dynabench_common.work.worker import run_worker

    from scoring.bootstrap import build_evaluator

    settings = load(EvaluatorSettings)
    configure_logging("scoring", settings.log_level)
    run_worker("scoring", build_evaluator(settings))


@app.command()
def migrate() -> None:
    """Bring the database to the newest version, and let the role that processes run as read and write its rows."""
    from dynabench_common.database import roles as database_roles

    from scoring.bootstrap import MIGRATIONS

    database_roles.migrate("scoring", load(OwnerSettings), MIGRATIONS)


@app.command(name="rebuild")
def rebuild_command(
    database_url: Annotated[
        str | None,
        typer.Option(
            help="Another database than DATABASE_URL, as its owner; may be empty, it is migrated first"
        ),
    ] = None,
) -> None:
    """Read all facts anew from the log, publishing nothing; releases and datasets stay."""
    from dynabench_common.database.connections import create_database_engine
    from dynabench_common.database.migrations import upgrade

    from scoring.adapters.projection import rebuild
    from scoring.bootstrap import MIGRATIONS, log_reader

    settings = load(EventSettings)
    url = database_url or load(DatabaseSettings).session_url
    if database_url:
        upgrade(url, MIGRATIONS)
    engine = create_database_engine(url, "scoring-command", pool_size=1)
    applied = rebuild(engine, log_reader(settings, _tell))
    typer.echo(f"{applied} events applied")


def _tell(read: int, total: int) -> None:
    typer.echo(f"{read:,} of {total:,} events read", err=True)


def main() -> None:
    """Run the command."""
    run_command("scoring", app)
