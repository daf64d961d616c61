"""The `annotation` command."""

import sys

import typer
from dynabench_common.logging import configure_logging
from dynabench_common.migrations import upgrade
from dynabench_common.serve import run_http
from dynabench_common.settings import DatabaseSettings, SettingsError, load
from dynabench_common.worker import run_worker

from annotation.bootstrap import MIGRATIONS, build_worker
from annotation.entrypoints.http.app import create_app
from annotation.settings import AnnotationSettings

app = typer.Typer(help="Tasks, rounds, contexts and examples of Dynabench.", no_args_is_help=True)


@app.command()
def http() -> None:
    """Serve the HTTP interface."""
    settings = load(AnnotationSettings)
    configure_logging("annotation", settings.log_level)
    run_http(create_app, settings)


@app.command()
def worker() -> None:
    """Send events, and take in how examples were resolved."""
    settings = load(AnnotationSettings)
    configure_logging("annotation", settings.log_level)
    run_worker(build_worker(settings))


@app.command()
def migrate() -> None:
    """Bring the database to the newest version."""
    upgrade(load(DatabaseSettings).database_url, MIGRATIONS)


def main() -> None:
    """Run the command; an unusable setting is one line and exit status 2."""
    try:
        app()
    except SettingsError as err:
        typer.echo(f"annotation: {err}", err=True)
        sys.exit(2)
