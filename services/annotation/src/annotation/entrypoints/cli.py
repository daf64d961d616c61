"""The `annotation` command."""

import typer
from dynabench_common.command_errors import run_command
from dynabench_common.http.serve import run_http
from dynabench_common.settings import OwnerSettings, load
from dynabench_common.telemetry.logging import configure_logging

from annotation.settings import AnnotationSettings

app = typer.Typer(help="Tasks, rounds, contexts and examples of Dynabench.", no_args_is_help=True)


@app.command()
def http() -> None:
    """Serve the HTTP interface."""
    settings = load(AnnotationSettings)
    configure_logging("annotation", settings.log_level)
    run_http("annotation", "annotation.entrypoints.http.app:create_app", settings)


@app.command()
def worker() -> None:
    """Send events, and take in how examples were resolved."""
    from dynabench_common.work.worker import run_worker

    from annotation.bootstrap import build_worker

    settings = load(AnnotationSettings)
    configure_logging("annotation", settings.log_level)
    run_worker("annotation", build_worker(settings))


@app.command()
def migrate() -> None:
    """Bring the database to the newest version, and let the role that processes run as read and write its rows."""
    from dynabench_common.database import roles as database_roles

    from annotation.bootstrap import MIGRATIONS

    database_roles.migrate("annotation", load(OwnerSettings), MIGRATIONS)


def main() -> None:
    """Run the command."""
    run_command("annotation", app)
