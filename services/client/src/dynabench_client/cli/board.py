"""`dynabench board`."""

from typing import Annotated

import typer

from dynabench_client.board_forms import latex_table
from dynabench_client.cli.figures import lines, rate, vmer
from dynabench_client.cli.output import AsJson, Output, note
from dynabench_client.cli.session import client_of
from dynabench_client.pages import LARGEST_PAGE, every
from dynabench_client.results.leaderboard import TargetFigures
from dynabench_client.results.model_board import ModelRow
from dynabench_client.results.shared_board import BoardSnapshot

app = typer.Typer(no_args_is_help=True, invoke_without_command=True)

COLUMNS = {
    "task": lambda task: task.task_slug,
    "rounds": lambda task: task.rounds,
    "current round": lambda task: task.current_round and task.current_round.round_id,
    "state": lambda task: task.current_round and task.current_round.state,
    "tries": lambda task: task.current_round and task.current_round.tries,
    "MER": lambda task: task.current_round and rate(task.current_round.mer),
    "vMER": lambda task: task.current_round and vmer(task.current_round),
}


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
        str | None, typer.Option(help="performance=4,throughput=0: others have the task's weights")
    ] = None,
    datasets: Annotated[str | None, typer.Option(help="sentiment-round-1=2: others have 1")] = None,
    gamma: Annotated[float | None, typer.Option(help="What a round counts less than the next one")] = None,
    mode: Annotated[str | None, typer.Option(help="utility, or classic (the published Dynascore)")] = None,
    external: Annotated[bool, typer.Option("--external", help="Models that were measured elsewhere")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="As a LaTeX table (booktabs)")] = False,
    snapshot: Annotated[
        bool, typer.Option("--snapshot", help="Freeze the board as everybody sees it, to be cited")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Rank a task's models with --task, or show figures of rounds with a verb."""
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
        note(f"Nobody is ranked: {found.problem}.")


def _frozen(found: BoardSnapshot) -> dict[str, object]:
    return {"snapshot": found.snapshot_id, "as of": found.as_of, "sha-256": found.sha256}


VIEW_COLUMNS = {
    "view": lambda view: view.view_id,
    "name": lambda view: view.name,
    "weights": lambda view: [f"{name} {weight:g}" for name, weight in view.weights.items()],
    "datasets": lambda view: [f"{name} {weight:g}" for name, weight in view.datasets.items()],
    "gamma": lambda view: view.gamma,
    "mode": lambda view: view.mode,
}


@app.command()
def views(
    context: typer.Context,
    task: Annotated[str, typer.Argument(help="The task")],
    as_json: AsJson = False,
) -> None:
    """List the weights that people saved for a task's board."""
    area = client_of(context).leaderboard
    found = every(lambda cursor: area.board_views(task, limit=LARGEST_PAGE, cursor=cursor))
    Output(as_json).rows(found, VIEW_COLUMNS, "Nobody saved weights for this task yet.")


SNAPSHOT_COLUMNS = {
    "snapshot": lambda found: found.snapshot_id,
    "as of": lambda found: found.as_of,
    "sha-256": lambda found: found.sha256,
}


@app.command()
def snapshots(
    context: typer.Context,
    task: Annotated[str, typer.Argument(help="The task")],
    as_json: AsJson = False,
) -> None:
    """List a task's frozen boards."""
    area = client_of(context).leaderboard
    found = every(lambda cursor: area.board_snapshots(task, limit=LARGEST_PAGE, cursor=cursor))
    Output(as_json).rows(found, SNAPSHOT_COLUMNS, "No board of this task was frozen yet.")


@app.command("list")
def list_headlines(context: typer.Context, as_json: AsJson = False) -> None:
    """List tasks with the headline of their current rounds."""
    area = client_of(context).leaderboard
    found = every(lambda cursor: area.tasks(limit=LARGEST_PAGE, cursor=cursor))
    Output(as_json).rows(found, COLUMNS, "No task yet.")


@app.command()
def show(
    context: typer.Context,
    round_id: Annotated[str, typer.Argument(help="The round's id")],
    as_json: AsJson = False,
) -> None:
    """Show a round's figures, whole and by target."""
    figures = client_of(context).leaderboard.round(round_id)
    by_target = {
        f"{one.target}": f"MER {rate(one.mer)}, vMER {vmer(one)}, {one.validated_errors} validated errors{_of(one)}"
        for one in figures.targets
    }
    shown = {"round": figures.round_id, **lines(figures), **by_target, "as of": figures.as_of}
    Output(as_json).record(figures.document(), shown)


def _of(one: TargetFigures) -> str:
    """Say what the rates of a target of a later tier are shares of."""
    return f" (of {one.rates_of}; not asked on {one.not_asked})" if one.not_asked else ""


@app.command()
def matrix(
    context: typer.Context,
    round_id: Annotated[str, typer.Argument(help="The round's id")],
    as_json: AsJson = False,
) -> None:
    """Show which tries fooled which targets of a round."""
    found = client_of(context).leaderboard.matrix(round_id)
    patterns = {
        ", ".join(one.fooled) or "none": f"{one.tries} tries, {one.validated} validated"
        for one in found.patterns
    }
    pairs = {
        f"{one.a} / {one.b}": (
            f"both {one.both}, only the first {one.only_a}, only the second {one.only_b}, neither {one.neither}"
        )
        for one in found.pairs
    }
    counts = {"answered by all": found.answered_by_all, "incomplete": found.incomplete}
    if found.not_asked:
        counts["of these with a target that was not asked"] = found.not_asked
    fooled = {f"fooled {names}": text for names, text in patterns.items()}
    Output(as_json).record(found.document(), {**counts, **fooled, **pairs})
