"""The `model-agent` command."""

import typer
from dynabench_common.command_errors import run_command
from dynabench_common.http.serve import run_http
from dynabench_common.settings import load
from dynabench_common.telemetry.logging import configure_logging

from model_agent.settings import AgentSettings

NAME = "model-agent"
app = typer.Typer(
    help="Keeps the model store, and controls the model servers on its machine.", no_args_is_help=True
)


@app.callback()
def command() -> None:
    """Keep the model store, and control the model servers on this machine."""


@app.command()
def http() -> None:
    """Serve the HTTP interface, for the registry's worker."""
    settings = load(AgentSettings)
    configure_logging(NAME, settings.log_level)
    run_http(
        NAME,
        "model_agent.entrypoints.http.app:create_served_app",
        settings,
        options={"workers": 1, "timeout": 120},
    )


def main() -> None:
    """Run the command."""
    run_command(NAME, app)
