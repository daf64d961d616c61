"""`dynabench audit`."""

from itertools import islice
from typing import Annotated

import typer

from dynabench_client.cli.arguments import Most
from dynabench_client.cli.output import AsJson, Output
from dynabench_client.cli.session import client_of
from dynabench_client.pages import LARGEST_PAGE, every

app = typer.Typer()

COLUMNS = {
    "when": lambda entry: entry.taken_at,
    "who": lambda entry: entry.actor_name or entry.actor_id,
    "what": lambda entry: entry.action,
    "of": lambda entry: f"{entry.object_kind} {entry.object_id}",
    "task": lambda entry: entry.task_slug,
    "why": lambda entry: entry.reason,
    "details": lambda entry: entry.details,
}


@app.command()
def audit(
    context: typer.Context,
    task: Annotated[str | None, typer.Option(help="Only this task; owners name one of theirs")] = None,
    round_id: Annotated[str | None, typer.Option("--round", help="Only this round")] = None,
    object_id: Annotated[str | None, typer.Option("--object", help="Only what was done to this")] = None,
    most: Most = None,
    as_json: AsJson = False,
) -> None:
    """List who did what, when and why, newest first."""
    area = client_of(context).accounts
    page = min(most or LARGEST_PAGE, LARGEST_PAGE)
    found = every(
        lambda cursor: area.audit(
            task=task, round_id=round_id, object_id=object_id, limit=page, cursor=cursor
        )
    )
    Output(as_json).rows(islice(found, most), COLUMNS, "Nothing was done yet.")
