"""The `accounts` command."""

import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from dynabench_common.command_errors import run_command
from dynabench_common.http.serve import run_http
from dynabench_common.settings import DatabaseSettings, OwnerSettings, load
from dynabench_common.telemetry.logging import configure_logging

from accounts.settings import AccountsSettings

app = typer.Typer(help="People, roles, sign-in and tokens of Dynabench.", no_args_is_help=True)
keys_app = typer.Typer(help="Change the keys that access tokens are signed with.", no_args_is_help=True)
app.add_typer(keys_app, name="signing-keys")

KeyFile = Annotated[Path, typer.Option("--file", envvar="SIGNING_KEY_FILE", help="The file of keys")]
Thumbprint = Annotated[str, typer.Argument(help="Thumbprint of a key, as `list` shows it")]
TAKES_THUMBPRINT = {"ignore_unknown_options": True}
"""A thumbprint can begin with a hyphen."""


@app.command()
def http() -> None:
    """Serve the HTTP interface."""
    from accounts.adapters.signing_keys import load_or_create

    settings = load(AccountsSettings)
    configure_logging("accounts", settings.log_level)
    load_or_create(settings.signing_key_file)
    run_http("accounts", "accounts.entrypoints.http.app:create_app", settings)


@app.command()
def worker() -> None:
    """Send events and remove what has expired."""
    from dynabench_common.work.worker import run_worker

    from accounts.bootstrap import build_worker

    settings = load(AccountsSettings)
    configure_logging("accounts", settings.log_level)
    run_worker("accounts", build_worker(settings))


@app.command()
def migrate() -> None:
    """Bring the database to the newest version, and let the role that processes run as read and write its rows."""
    from dynabench_common.database import roles as database_roles

    from accounts.bootstrap import MIGRATIONS

    database_roles.migrate("accounts", load(OwnerSettings), MIGRATIONS)


@app.command(name="ensure-person")
def ensure_person_command(
    user_name: Annotated[str, typer.Option(help="3 to 40 of a-z, 0-9, '-', '_' and '.'")],
    email: Annotated[str, typer.Option(help="Mail address, kept in this service")],
    role: Annotated[list[str] | None, typer.Option(help="A role to hold; may be repeated")] = None,
    cohort: Annotated[str, typer.Option(help="volunteer, crowd or expert; for a new person")] = "volunteer",
) -> None:
    """Make sure that a person exists with the password on standard input; prints the person's id.

    An existing person gets missing roles and the password, and keeps everything else.
    """
    from accounts.bootstrap import build_command_dependencies
    from accounts.domain.errors import AlreadyTaken, FieldRefused
    from accounts.service_layer.people import EnsurePerson, ensure_person

    password = sys.stdin.readline().rstrip("\r\n")
    command = EnsurePerson(user_name, email, password, tuple(role or ()), cohort)
    collaborators = build_command_dependencies(load(DatabaseSettings), "ensure-person")
    try:
        person = ensure_person(command, collaborators)
    except FieldRefused as err:
        _refuse(f"{err.field} {err.reason}.", err.remedy)
    except AlreadyTaken as err:
        _refuse(f"another person has this {err.field}.", "Use another one.")
    typer.echo(str(person.person_id))


@app.command(name="raise-limits")
def raise_limits_command(
    address: Annotated[
        str, typer.Argument(help="IP address that many people share, as the refusal names it")
    ],
    times: Annotated[int, typer.Option(help="How many times the usual limits; 1 takes it back")] = 10,
) -> None:
    """Raise the limits of an address for a day: failed sign-ins, sign-ups, and new passwords asked for.

    It holds at once; nothing needs to be started anew.
    """
    from accounts.bootstrap import build_command_dependencies
    from accounts.domain.errors import FieldRefused
    from accounts.service_layer.limits import raise_limits

    collaborators = build_command_dependencies(load(DatabaseSettings), "raise-limits")
    try:
        raised = raise_limits(address, times, collaborators)
    except FieldRefused as err:
        _refuse(f"{err.field} {err.reason}.", err.remedy)
    typer.echo(f"{raised} has {times} times the usual limits for a day.")


@keys_app.command(name="list")
def list_signing_keys(file: KeyFile) -> None:
    """Print the thumbprint of each key; the first signs."""
    from accounts.adapters.signing_keys import load_or_create

    for number, key in enumerate(load_or_create(file)):
        typer.echo(f"{key.thumbprint()}  {'is valid' if number else 'signs'}")


@keys_app.command(name="add")
def add_signing_key(file: KeyFile) -> None:
    """Add a key that is valid and does not sign yet; prints its thumbprint."""
    from accounts.adapters.signing_keys import add

    typer.echo(add(file))


@keys_app.command(name="sign-with", context_settings=TAKES_THUMBPRINT)
def sign_with_key(thumbprint: Thumbprint, file: KeyFile) -> None:
    """Let another key sign, once every process of accounts knows it."""
    from accounts.adapters.signing_keys import sign_with

    sign_with(file, thumbprint)


@keys_app.command(name="remove", context_settings=TAKES_THUMBPRINT)
def remove_signing_key(thumbprint: Thumbprint, file: KeyFile) -> None:
    """Remove a key, once no access token by it is in use: a quarter of an hour after another one signs."""
    from accounts.adapters.signing_keys import remove

    remove(file, thumbprint)


def _refuse(what: str, remedy: str) -> NoReturn:
    typer.echo(f"accounts: {what}\n{remedy}", err=True)
    raise typer.Exit(1)


def main() -> None:
    """Run the command."""
    run_command("accounts", app)
