"""The `web` command."""

import typer
from gevent import monkey

app = typer.Typer(help="The pages of Dynabench.", no_args_is_help=True)


@app.callback()
def root() -> None:
    """Serve the pages of Dynabench."""


@app.command()
def http() -> None:
    """Serve the pages."""
    from dynabench_common.http.serve import run_http
    from dynabench_common.settings import load
    from dynabench_common.telemetry.logging import configure_logging

    from web.settings import WebSettings

    settings = load(WebSettings)
    configure_logging("web", settings.log_level)
    run_http("web", "web.entrypoints.http.app:create_app", settings, worker_class="gevent")


def main() -> None:
    """Run the command.

    The standard library is made cooperative before anything else that opens sockets or locks is imported.
    """
    monkey.patch_all()
    from dynabench_common.command_errors import run_command

    run_command("web", app)
