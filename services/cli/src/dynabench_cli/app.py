"""The root of the `dynabench` command: signing in, and the groups of verbs."""

import platform as machine
from pathlib import Path
from typing import Annotated

import typer
from dynabench_client import profiles
from dynabench_client.errors import ProblemError
from dynabench_client.platform import Dynabench
from dynabench_client.profiles import Profile

from dynabench_cli import (
    api,
    board,
    contexts,
    datasets,
    dead_letters,
    evaluations,
    examples,
    exports,
    images,
    models,
    rounds,
    tasks,
)
from dynabench_cli.output import AsJson, Output
from dynabench_cli.session import Commands, InputError, Session, client_of, session_of

CODE_NEEDED = "second-factor-needed"

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Dynabench on the command line. Exit codes: 0 done, 1 error of the request, 2 usage, 3 platform at fault.",
)
app.add_typer(tasks.app, name="tasks", help="Tasks and their configurations.")
app.add_typer(rounds.app, name="rounds", help="Rounds of data collection.")
app.add_typer(contexts.app, name="contexts", help="Contexts: texts that people start from.")
app.add_typer(images.app, name="images", help="Pictures for contexts and inputs.")
app.add_typer(examples.app, name="examples", help="Tries and their verdicts.")
app.add_typer(datasets.app, name="datasets", help="Released rounds, and datasets that models are scored on.")
app.add_typer(models.app, name="models", help="Models: submit, check, and use them.")
app.add_typer(board.app, name="board", help="Rankings of models, and figures of rounds.")
app.add_typer(
    dead_letters.app, name="dead-letters", help="Failed events, which a service could not send or process."
)
app.add_typer(evaluations.predictions, name="predictions", help="Predictions of models that run elsewhere.")
app.add_typer(evaluations.app)
app.add_typer(exports.app)
app.add_typer(api.app)


@app.callback()
def root(
    context: typer.Context,
    profile: Annotated[
        Path | None,
        typer.Option(envvar="DYNABENCH_PROFILE", help="Profile file. Default: the current profile"),
    ] = None,
) -> None:
    """Store the named profile for the command."""
    context.obj = Session(profile)


@app.command()
def login(
    context: typer.Context,
    url: Annotated[str, typer.Argument(help="The platform's address, such as http://127.0.0.1:8080")],
    token: Annotated[str | None, typer.Option(envvar="DYNABENCH_TOKEN", help="An API token (dbt_…)")] = None,
    user_name: Annotated[str | None, typer.Option(help="User name, to sign in with a password")] = None,
    password: Annotated[
        str | None,
        typer.Option(envvar="DYNABENCH_PASSWORD", help="Password. Safer: leave it out, and the command asks"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Sign in to a platform and store the profile. Only you can read it.

    With a password, the command creates an API token and stores that instead. It asks for the code of a second factor.
    """
    named = session_of(context).profile
    path = named or profiles.default_file()
    api_token = token or _token_by_password(url, user_name, password)
    person = Dynabench(url, token=api_token).accounts.me()
    profiles.write(path, Profile(url.rstrip("/"), api_token))
    if named is None:
        profiles.use(path)
    lines = {"signed in as": person.user_name, "at": url, "profile": path}
    Output(as_json).record({**person.document(), "url": url, "profile": str(path)}, lines)


@app.command()
def whoami(context: typer.Context, as_json: AsJson = False) -> None:
    """Show the signed-in account and the platform."""
    client = client_of(context)
    person = client.accounts.me()
    lines = {
        "user name": person.user_name,
        "roles": person.roles,
        "cohort": person.cohort,
        "person": person.person_id,
        "platform": client.url,
    }
    Output(as_json).record({**person.document(), "url": client.url}, lines)


def _token_by_password(url: str, user_name: str | None, password: str | None) -> str:
    if user_name is None:
        raise InputError(
            "No credential was given.", "Give --token, or --user-name to be asked for a password."
        )
    secret = password or typer.prompt("Password", hide_input=True, err=True)
    platform = Dynabench(url)
    try:
        signed_in = platform.accounts.sign_in(user_name, secret)
    except ProblemError as err:
        if err.slug != CODE_NEEDED:
            raise
        code = typer.prompt("Code of your second factor, or a recovery code", err=True)
        signed_in = platform.accounts.finish_sign_in(str(err.document["challenge"]), code)
    accounts = platform.acting_as(signed_in.access_token).accounts
    return accounts.create_token(f"dynabench on {machine.node() or 'a computer'}"[:80]).token


def main() -> None:
    """Run the command."""
    app()
