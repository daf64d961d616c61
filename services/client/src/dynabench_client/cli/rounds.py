"""`dynabench rounds`."""

from collections.abc import Iterator
from typing import Annotated

import typer

from dynabench_client.cli.figures import figures_of, lines, merged, rate
from dynabench_client.cli.output import AsJson, Output
from dynabench_client.cli.session import client_of
from dynabench_client.pages import LARGEST_PAGE, every
from dynabench_client.platform import Dynabench
from dynabench_client.results.annotation import Round
from dynabench_client.results.leaderboard import Rate

RoundId = Annotated[str, typer.Argument(help="The round's id")]

app = typer.Typer(no_args_is_help=True)

COLUMNS = {
    "round": lambda one: one.round_id,
    "task": lambda one: one.task_slug,
    "number": lambda one: one.number,
    "state": lambda one: one.state,
    "title": lambda one: one.title,
    "targets": lambda one: one.targets,
}
HISTORY_COLUMNS = {
    "at": lambda point: point.at,
    "tries": lambda point: point.tries,
    "fooled": lambda point: point.fooled,
    "validated errors": lambda point: point.validated_errors,
    "MER": lambda point: rate(Rate(value=point.mer, low=point.mer_low, high=point.mer_high)),
    "vMER": lambda point: rate(Rate(value=point.vmer, low=point.vmer_low, high=point.vmer_high)),
}


@app.command("list")
def list_rounds(
    context: typer.Context,
    task: Annotated[str | None, typer.Argument(help="Only this task's rounds")] = None,
    as_json: AsJson = False,
) -> None:
    """List rounds, of one task or of all."""
    found = _rounds(client_of(context), task)
    Output(as_json).rows(found, COLUMNS, "No round yet. Create one with 'dynabench rounds create TASK'.")


@app.command()
def show(context: typer.Context, round_id: RoundId, as_json: AsJson = False) -> None:
    """Show a round with its figures."""
    client = client_of(context)
    one, figures = client.annotation.round(round_id), figures_of(client, round_id)
    Output(as_json).record(merged(one, figures), {**_described(one), **lines(figures)})


@app.command()
def create(
    context: typer.Context,
    task: Annotated[str, typer.Argument(help="The task's slug")],
    target: Annotated[
        list[str] | None, typer.Option(help="A model to fool; repeat for an ensemble, none for a control arm")
    ] = None,
    title: Annotated[str | None, typer.Option(help="What people see")] = None,
    as_json: AsJson = False,
) -> None:
    """Create a round, as a draft."""
    _show(client_of(context).annotation.create_round(task, target or [], title), as_json)


@app.command("open")
def open_round(context: typer.Context, round_id: RoundId, as_json: AsJson = False) -> None:
    """Open a round: tries are accepted."""
    _show(client_of(context).annotation.set_round_state(round_id, "open"), as_json)


@app.command()
def pause(context: typer.Context, round_id: RoundId, as_json: AsJson = False) -> None:
    """Pause a round; it can be opened again."""
    _show(client_of(context).annotation.set_round_state(round_id, "paused"), as_json)


@app.command()
def close(context: typer.Context, round_id: RoundId, as_json: AsJson = False) -> None:
    """Close a round for good."""
    _show(client_of(context).annotation.set_round_state(round_id, "closed"), as_json)


@app.command()
def history(context: typer.Context, round_id: RoundId, as_json: AsJson = False) -> None:
    """Show a round's figures over time."""
    points = client_of(context).leaderboard.history(round_id).points
    Output(as_json).rows(points, HISTORY_COLUMNS, "No try yet.")


def _rounds(client: Dynabench, task: str | None) -> Iterator[Round]:
    area = client.annotation
    slugs = [task] if task else [one.slug for one in every(lambda cursor: area.tasks(cursor=cursor))]
    for slug in slugs:
        yield from _rounds_of(client, slug)


def _rounds_of(client: Dynabench, slug: str) -> Iterator[Round]:
    return every(lambda cursor: client.annotation.rounds(slug, limit=LARGEST_PAGE, cursor=cursor))


def _described(one: Round) -> dict[str, object]:
    return {
        "round": one.round_id,
        "task": one.task_slug,
        "number": one.number,
        "title": one.title,
        "state": one.state,
        "targets": one.targets,
    }


def _show(one: Round, as_json: bool) -> None:
    Output(as_json).record(one.document(), _described(one))
