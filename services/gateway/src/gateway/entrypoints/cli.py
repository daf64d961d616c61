"""The `gateway` command."""

import typer
from gevent import monkey

WORKER = "gateway.entrypoints.worker.DrainingWorker"
app = typer.Typer(help="The one way to a served model.", no_args_is_help=True)


@app.callback()
def root() -> None:
    """Serve KServe V1 and the Open Inference Protocol."""


@app.command()
def http() -> None:
    """Serve the HTTP interface."""
    from dynabench_common.http.serve import run_http
    from dynabench_common.settings import load
    from dynabench_common.telemetry.logging import configure_logging

    from gateway.adapters.shared_balances import share_balances
    from gateway.settings import GatewaySettings

    settings = load(GatewaySettings)
    configure_logging("gateway", settings.log_level)
    if settings.http_processes > 1:
        share_balances()
    run_http("gateway", "gateway.entrypoints.http.app:create_served_app", settings, worker_class=WORKER)


def main() -> None:
    """Run the command.

    The standard library is made cooperative before anything else that opens sockets or locks is imported.
    """
    monkey.patch_all()
    from dynabench_common.command_errors import run_command

    run_command("gateway", app)
