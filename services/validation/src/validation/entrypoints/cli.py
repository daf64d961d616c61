"""The `validation` command."""

import typer
from dynabench_common.command_errors import run_command
from dynabench_common.http.serve import run_http
from dynabench_common.settings import OwnerSettings, load
from dynabench_common.telemetry.logging import configure_logging

from validation.settings import ValidationSettings

app = typer.Typer(help="Votes on examples, and what they decide.", no_args_is_help=True)


@app.command()
def http() -> None:
    """Serve the HTTP interface."""
    settings = load(ValidationSettings)
    configure_logging("validation", settings.log_level)
    run_http("validation", "validation.entrypoints.http.app:create_app", settings)


@app.command()
def worker() -> None:
    """Read annotation's events, send validation's own, count agreement and compute evidence."""
    from dynabench_common.work.worker import run_worker

    from validation.bootstrap import build_worker

    settings = load(ValidationSettings)
    configure_logging("validation", settings.log_level)
    run_worker("validation", build_worker(settings))


@app.command()
def migrate() -> None:
    """Bring the database to the newest version, and let the role that processes run as read and write its rows."""
    from dynabench_common.database import roles as database_roles

    from validation.bootstrap import MIGRATIONS

    database_roles.migrate("validation", load(OwnerSettings), MIGRATIONS)


@app.command(name="rebuild")
def rebuild_command() -> None:
    """Read tasks, rounds and examples anew from the log; votes and resolutions stay."""
    from dynabench_common.database.connections import service_engine

    from validation.bootstrap import CONSUMER
    from validation.rebuild import rebuild

    settings = load(ValidationSettings)
    configure_logging("validation", settings.log_level)
    applied = rebuild(
        service_engine(settings, "validation", "rebuild"),
        consumer=CONSUMER,
        bootstrap_servers=settings.kafka_bootstrap_servers,
        topic_prefix=settings.kafka_topic_prefix,
        tell=_tell,
    )
    typer.echo(f"{applied} events applied")


def _tell(read: int, total: int) -> None:
    typer.echo(f"{read:,} of {total:,} events read", err=True)


def main() -> None:
    """Run the command."""
    run_command("validation", app)
