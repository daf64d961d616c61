"""`dynabench gold`: items with known answers, which measure validators."""

from typing import Annotated

import typer

from dynabench_client.cli.arguments import RoundId, TaskSlug
from dynabench_client.cli.output import AsJson, Columns, Output
from dynabench_client.cli.session import client_of
from dynabench_client.cli.values import ContextFieldOption, InputOption, read_answer, read_values, shown
from dynabench_client.pages import LARGEST_PAGE, every
from dynabench_client.results.quality import GoldItem

app = typer.Typer(no_args_is_help=True)

COLUMNS: Columns[GoldItem] = {
    "item": lambda item: item.gold_id,
    "kind": lambda item: item.kind,
    "answers": lambda item: [shown(answer) for answer in item.answers],
    "shown": lambda item: item.shown,
    "answered": lambda item: item.answered,
    "failed": lambda item: item.failed,
    "retired": lambda item: item.retirement,
    "input": lambda item: [shown(value) for value in item.input.values()],
}


@app.command("list")
def list_gold(context: typer.Context, task: TaskSlug, as_json: AsJson = False) -> None:
    """List a task's items with known answers, newest first."""
    area = client_of(context).validation
    found = every(lambda cursor: area.gold(task, limit=LARGEST_PAGE, cursor=cursor))
    Output(as_json).rows(found, COLUMNS, "No item yet. Pick some with 'dynabench gold refresh ROUND'.")


@app.command()
def add(
    context: typer.Context,
    task: TaskSlug,
    answer: Annotated[str, typer.Option(help="The right answer: a label, or JSON for other values")],
    fields: ContextFieldOption = None,
    field: InputOption = None,
    as_json: AsJson = False,
) -> None:
    """Add an attention check: an item whose answer anybody knows who reads it."""
    given = read_values(fields or [], "--context"), read_values(field or [], "--input")
    made = client_of(context).validation.add_gold(task, *given, read_answer(answer, "--answer"))
    Output(as_json).record(made.document(), {name: cell(made) for name, cell in COLUMNS.items()})


@app.command()
def refresh(context: typer.Context, round_id: RoundId, as_json: AsJson = False) -> None:
    """Pick items anew from examples on which everybody agreed or the owner decided."""
    Output(as_json).record(client_of(context).validation.refresh_gold(round_id).document())


@app.command()
def retire(
    context: typer.Context,
    gold_id: Annotated[str, typer.Argument(help="The item's id, from 'gold list'")],
    as_json: AsJson = False,
) -> None:
    """Stop showing an item."""
    client_of(context).validation.retire_gold(gold_id)
    Output(as_json).record({"gold_id": gold_id, "retired": True})
