"""`dynabench people`."""

from typing import Annotated
from uuid import UUID

import typer

from dynabench_client.areas.accounts import AccountsClient
from dynabench_client.cli.arguments import Reason
from dynabench_client.cli.output import AsJson, Columns, Output
from dynabench_client.cli.session import InputError, client_of
from dynabench_client.cli.user_board import ranked
from dynabench_client.pages import LARGEST_PAGE, every
from dynabench_client.results.accounts import KnownPerson, ListedPerson

Who = Annotated[str, typer.Argument(help="The person's user name or id")]
Role = Annotated[str, typer.Argument(help="'admin' or 'owner:TASK'")]
Why = Annotated[str, typer.Option(help="Why; the audit log keeps it")]

app = typer.Typer(no_args_is_help=True, invoke_without_command=True)
app.callback()(ranked)

COLUMNS: Columns[ListedPerson] = {
    "person": lambda person: person.person_id,
    "user name": lambda person: person.user_name,
    "e-mail": lambda person: person.email,
    "roles": lambda person: person.roles,
    "signed up": lambda person: person.registered_at,
    "disabled": lambda person: person.disabled_at,
}


@app.command("list")
def list_people(
    context: typer.Context,
    search: Annotated[str | None, typer.Option(help="Part of a user name or mail address")] = None,
    as_json: AsJson = False,
) -> None:
    """List people in the order they signed up."""
    area = client_of(context).accounts
    found = every(lambda cursor: area.people(search=search, limit=LARGEST_PAGE, cursor=cursor))
    Output(as_json).rows(found, COLUMNS, "Nobody is found.")


@app.command()
def show(context: typer.Context, who: Who, as_json: AsJson = False) -> None:
    """Show what is known of a person."""
    area = client_of(context).accounts
    _show(area.person(_id_of(area, who)), as_json)


@app.command()
def grant(context: typer.Context, who: Who, role: Role, reason: Why = "", as_json: AsJson = False) -> None:
    """Give a person a role."""
    area = client_of(context).accounts
    _show(area.change_roles(_id_of(area, who), grant=[role], reason=reason), as_json)


@app.command()
def revoke(context: typer.Context, who: Who, role: Role, reason: Why = "", as_json: AsJson = False) -> None:
    """Take a role from a person; it may linger in what they do for 15 minutes."""
    area = client_of(context).accounts
    _show(area.change_roles(_id_of(area, who), revoke=[role], reason=reason), as_json)


@app.command()
def disable(context: typer.Context, who: Who, reason: Reason, as_json: AsJson = False) -> None:
    """Keep a person out: their sessions end, their API tokens are refused."""
    area = client_of(context).accounts
    _show(area.set_person_state(_id_of(area, who), "disabled", reason), as_json)


@app.command()
def enable(context: typer.Context, who: Who, reason: Reason, as_json: AsJson = False) -> None:
    """Let a disabled person in again."""
    area = client_of(context).accounts
    _show(area.set_person_state(_id_of(area, who), "active", reason), as_json)


@app.command()
def validation(context: typer.Context, who: Who, as_json: AsJson = False) -> None:
    """Show in which tasks a person votes, and where and why they are paused."""
    client = client_of(context)
    found = client.validation.standings_of(_id_of(client.accounts, who))
    Output(as_json).rows(found, STANDINGS, "The person has voted in no task.")


STANDINGS = {
    "task": lambda each: each.task_slug,
    "state": lambda each: each.state,
    "paused by": lambda each: each.paused_by,
    "since": lambda each: each.paused_at,
    "why": lambda each: each.reason,
    "failures": lambda each: each.failures,
    "appeal": lambda each: each.appeal and each.appeal.reason,
}


def _id_of(area: AccountsClient, who: str) -> str:
    """Return the id of a person who is named by it or by their user name."""
    try:
        return str(UUID(who))
    except ValueError:
        found = area.people(user_name=who).items
    if not found:
        raise InputError(
            f"Nobody has the user name {who!r}.", "Look it up with 'dynabench people list --search'."
        )
    return found[0].person_id


def _show(person: KnownPerson, as_json: bool) -> None:
    lines = {
        **{name: cell(person) for name, cell in COLUMNS.items()},
        "disabled by": person.disabled_by_name or person.disabled_by,
        "why": person.disabled_reason,
        "sessions": person.sessions,
        "API tokens": person.api_tokens,
        "last seen": person.last_seen_at,
    }
    Output(as_json).record(person.document(), lines)
