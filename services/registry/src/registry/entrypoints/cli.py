"""The `registry` command."""

import sys

import typer
from dynabench_common.command_errors import CommandRefused
from dynabench_common.logging import configure_logging
from dynabench_common.serve import run_http
from dynabench_common.settings import load

from registry.settings import RegistrySettings

app = typer.Typer(help="Keeps TorchServe holding what models.yaml says.", no_args_is_help=True)


@app.callback()
def root() -> None:
    """Keep TorchServe holding what models.yaml says."""


@app.command()
def run() -> None:
    """Reconcile, and serve the HTTP interface, in one process."""
    settings = load(RegistrySettings)
    configure_logging("registry", settings.log_level)
    run_http("registry.entrypoints.http.app:create_served_app", settings, options={"workers": 1})


def main() -> None:
    """Run the command; an unusable setting is one line and exit status 2."""
    try:
        app()
    except CommandRefused as err:
        typer.echo(f"registry: {err}", err=True)
        sys.exit(2)
