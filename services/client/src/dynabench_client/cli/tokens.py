"""`dynabench tokens`."""

from typing import Annotated

import typer

from dynabench_client.cli.output import AsJson, Output
from dynabench_client.cli.session import client_of
from dynabench_client.pages import LARGEST_PAGE, every

app = typer.Typer(no_args_is_help=True)

COLUMNS = {
    "token": lambda token: token.token_id,
    "name": lambda token: token.name,
    "created": lambda token: token.created_at,
    "last used": lambda token: token.last_used_at,
    "revoked": lambda token: token.revoked_at,
}


@app.command("list")
def list_tokens(context: typer.Context, as_json: AsJson = False) -> None:
    """List one's API tokens, newest first."""
    area = client_of(context).accounts
    found = every(lambda cursor: area.tokens(limit=LARGEST_PAGE, cursor=cursor))
    Output(as_json).rows(found, COLUMNS, "No API token yet.")


@app.command()
def create(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The program that will use it")],
    as_json: AsJson = False,
) -> None:
    """Create an API token; it is shown this once."""
    made = client_of(context).accounts.create_token(name)
    lines = {"token": made.token, "id": made.token_id, "name": made.name}
    Output(as_json).record(made.document(), lines)


@app.command()
def revoke(
    context: typer.Context,
    token_id: Annotated[str, typer.Argument(help="The token's id, from 'tokens list'")],
    as_json: AsJson = False,
) -> None:
    """Revoke an API token: programs that use it are signed out."""
    client_of(context).accounts.revoke_token(token_id)
    Output(as_json).record({"token_id": token_id, "revoked": True})
