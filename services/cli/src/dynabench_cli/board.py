"""`dynabench board`."""

from typing import Annotated

import typer
from dynabench_client.board_forms import latex_table
from dynabench_client.results.leaderboard import BoardSnapshot, ModelRow, TargetFigures

from dynabench_cli.figures import lines, rate, vmer
from dynabench_cli.output import AsJson, Output, note
from dynabench_cli.session import client_of

app = typer.Typer(no_args_is_help=True, invoke_without_command=True)


def _rank(row: ModelRow) -> str:
    if row.rank is None or row.rank_set is None:
        return "–"
    low, high = row.rank_set
    return f"{row.rank}" if low == high else f"{row.rank} ({low}-{high})"


def _score(row: ModelRow) -> str:
    if row.score is None or row.interval is None:
        return "–"
    return f"{row.score:.1f} ({row.interval[0]:.1f}-{row.interval[1]:.1f})"


MODEL_COLUMNS = {
    "rank": _rank,
    "model": lambda row: row.model,
    "score": _score,
    "values": lambda row: [f"{name} {value:.1f}" for name, value in row.values.items()],
    "items": lambda row: row.n or None,
    "note": lambda row: row.reason,
}


@app.callback()
def models(
    context: typer.Context,
    task: Annotated[str | None, typer.Option(help="Rank this task's models")] = None,
    weights: Annotated[
        str | None, typer.Option(help="Weights, such as performance=4,throughput=0. Default: the task's")
    ] = None,
    datasets: Annotated[
        str | None, typer.Option(help="Weights of datasets, such as sentiment-round-1=2. Default: 1")
    ] = None,
    gamma: Annotated[float | None, typer.Option(help="Discount of each round against the next")] = None,
    mode: Annotated[str | None, typer.Option(help="utility, or classic (the published Dynascore)")] = None,
    external: Annotated[bool, typer.Option("--external", help="Show models measured elsewhere")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print a LaTeX table (booktabs)")] = False,
    snapshot: Annotated[
        bool, typer.Option("--snapshot", help="Freeze the public board, for citations")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Rank the models of a task."""
    if context.invoked_subcommand is not None:
        return
    if task is None:
        raise typer.BadParameter("give --task, or one of the verbs.")
    client, output = client_of(context), Output(as_json)
    area = client.leaderboard
    if snapshot:
        frozen = area.freeze_board(task, weights=weights, datasets=datasets, gamma=gamma, mode=mode)
        output.record(frozen.document(), _frozen(frozen))
        return
    found = area.model_board(
        task, weights=weights, datasets=datasets, gamma=gamma, mode=mode, external=external
    )
    if latex:
        typer.echo(latex_table(found, task, f"{client.url}/tasks/{task}/board"), nl=False)
        return
    if as_json:
        output.document(found.document())
        return
    output.rows(found.rows, MODEL_COLUMNS, "No model has been evaluated yet.")
    if found.problem:
        note(f"No model is ranked: {found.problem}.")


def _frozen(found: BoardSnapshot) -> dict[str, object]:
    return {"snapshot": found.snapshot_id, "as of": found.as_of, "sha-256": found.sha256}


@app.command()
def show(
    context: typer.Context,
    round_id: Annotated[str, typer.Argument(help="The round's id")],
    as_json: AsJson = False,
) -> None:
    """Show a round's figures, whole and by model."""
    figures = client_of(context).leaderboard.round(round_id)
    by_target = {
        f"{one.target}": (
            f"fool rate {rate(one.mer)}, confirmed fool rate {vmer(one)}, "
            f"{one.validated_errors} confirmed errors{_of(one)}"
        )
        for one in figures.targets
    }
    shown = {"round": figures.round_id, **lines(figures), **by_target, "as of": figures.as_of}
    Output(as_json).record(figures.document(), shown)


def _of(one: TargetFigures) -> str:
    """Return the denominator of the rates of a target in a later tier."""
    return f" (of {one.rates_of}; not asked on {one.not_asked})" if one.not_asked else ""
