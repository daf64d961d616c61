"""The `crowd` command."""

import typer
from dynabench_common.command_errors import run_command
from dynabench_common.http.serve import run_http
from dynabench_common.settings import OwnerSettings, load
from dynabench_common.telemetry.logging import configure_logging

from crowd.settings import CrowdSettings

app = typer.Typer(help="Campaigns that recruit and pay people.", no_args_is_help=True)


@app.command()
def http() -> None:
    """Serve the HTTP interface."""
    settings = load(CrowdSettings)
    configure_logging("crowd", settings.log_level)
    run_http("crowd", "crowd.entrypoints.http.app:create_app", settings)


@app.command()
def worker() -> None:
    """Read events, send crowd's own, follow platforms and settle payments."""
    from dynabench_common.work.worker import run_worker

    from crowd.bootstrap import build_worker

    settings = load(CrowdSettings)
    configure_logging("crowd", settings.log_level)
    run_worker("crowd", build_worker(settings))


@app.command()
def migrate() -> None:
    """Bring the database to the newest version, and let the role that processes run as read and write its rows."""
    from dynabench_common.database import roles as database_roles

    from crowd.bootstrap import MIGRATIONS

    database_roles.migrate("crowd", load(OwnerSettings), MIGRATIONS)


def main() -> None:
    """Run the command."""
    run_command("crowd", app)
