"""The `registry` command."""

import typer
from dynabench_common.command_errors import run_command
from dynabench_common.http.serve import run_http
from dynabench_common.settings import OwnerSettings, load
from dynabench_common.telemetry.logging import configure_logging

from registry.settings import HttpSettings, WorkerSettings

app = typer.Typer(help="Takes in submitted models, and keeps TorchServe serving them.", no_args_is_help=True)


@app.command()
def http() -> None:
    """Serve the HTTP interface."""
    settings = load(HttpSettings)
    configure_logging("registry", settings.log_level)
    run_http("registry", "registry.entrypoints.http.app:create_app", settings)


@app.command()
def worker() -> None:
    """Reconcile, run the checks of submissions, take events in and send events."""
    from dynabench_common.work.worker import run_worker

    from registry.bootstrap import build_worker

    settings = load(WorkerSettings)
    configure_logging("registry", settings.log_level)
    run_worker("registry", build_worker(settings))


@app.command()
def migrate() -> None:
    """Bring the database to the newest version, and let the role that processes run as read and write its rows."""
    from dynabench_common.database import roles as database_roles

    from registry.bootstrap import MIGRATIONS

    database_roles.migrate("registry", load(OwnerSettings), MIGRATIONS)


def main() -> None:
    """Run the command."""
    run_command("registry", app)
