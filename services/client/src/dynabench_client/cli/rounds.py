"""`dynabench rounds`."""

from collections.abc import Iterator
from typing import Annotated

import typer

from dynabench_client.cli import imports, releases, round_figures, round_life, round_work
from dynabench_client.cli.arguments import RoundId
from dynabench_client.cli.figures import (
    agreement_lines,
    agreement_of,
    figures_of,
    lines,
    merged,
    rate,
)
from dynabench_client.cli.output import AsJson, Output
from dynabench_client.cli.round_lines import described, show_round
from dynabench_client.cli.session import client_of
from dynabench_client.pages import LARGEST_PAGE, every
from dynabench_client.platform import Dynabench
from dynabench_client.results.annotation import Round
from dynabench_client.results.rates import Rate

app = typer.Typer(no_args_is_help=True)
for part in (imports, round_life, round_figures, round_work, releases):
    app.add_typer(part.app)

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
    "MER": lambda point: rate(
        Rate.blank(value=point.mer, low=point.mer_low, high=point.mer_high, n=point.tries)
    ),
    "vMER": lambda point: rate(
        Rate.blank(value=point.vmer, low=point.vmer_low, high=point.vmer_high, n=point.tries)
    ),
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
    agreement = agreement_of(client, round_id)
    shown = {**described(one), **lines(figures), **agreement_lines(agreement)}
    Output(as_json).record(merged(one, figures, agreement), shown)


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
    show_round(client_of(context).annotation.create_round(task, target or [], title), as_json)


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
