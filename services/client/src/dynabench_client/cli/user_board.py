"""`dynabench people --task`: a board of people."""

from typing import Annotated

import typer

from dynabench_client.areas.leaderboard import LeaderboardClient
from dynabench_client.cli.figures import rate
from dynabench_client.cli.output import AsJson, Columns, Output, note
from dynabench_client.cli.session import InputError, client_of
from dynabench_client.pages import LARGEST_PAGE
from dynabench_client.platform import Dynabench
from dynabench_client.results.badges import PersonRow, UserBoard

COLUMNS: Columns[PersonRow] = {
    "rank": lambda row: row.rank,
    "person": lambda row: row.person_id,
    "validated errors": lambda row: row.validated_errors,
    "tries": lambda row: row.tries,
    "rate": lambda row: rate(row.rate),
}


def ranked(
    context: typer.Context,
    task: Annotated[str | None, typer.Option(help="Rank the people who tried in this task")] = None,
    number: Annotated[int | None, typer.Option("--round", help="In one round of it, by number")] = None,
    as_json: AsJson = False,
) -> None:
    """Rank people by validated errors with --task, or look after people with a verb."""
    if context.invoked_subcommand is not None:
        return
    if task is None:
        raise typer.BadParameter("give --task, or one of the verbs.")
    client, output = client_of(context), Output(as_json)
    board = _whole(client, task, number)
    if as_json:
        output.document(board.document())
        return
    output.rows(board.items, COLUMNS, "Nobody has tried here yet.")
    if board.mine is not None and board.mine.rank is not None:
        note(f"You: rank {board.mine.rank}, {board.mine.validated_errors} validated errors.")


def _whole(client: Dynabench, task: str, number: int | None) -> UserBoard:
    """Read all pages of the board as one."""
    round_id = None if number is None else _round_id(client, task, number)
    first = page = _page(client.leaderboard, task, round_id, None)
    items = list(first.items)
    while page.next_cursor is not None:
        page = _page(client.leaderboard, task, round_id, page.next_cursor)
        items += page.items
    return first.model_copy(update={"items": tuple(items), "next_cursor": None})


def _page(area: LeaderboardClient, task: str, round_id: str | None, cursor: str | None) -> UserBoard:
    if round_id is None:
        return area.people_of_task(task, limit=LARGEST_PAGE, cursor=cursor)
    return area.people_of_round(round_id, limit=LARGEST_PAGE, cursor=cursor)


def _round_id(client: Dynabench, task: str, number: int) -> str:
    for each in client.annotation.task(task).rounds:
        if each.number == number:
            return each.round_id
    raise InputError(f"{task} has no round {number}.", f"See 'dynabench rounds list {task}'.")
