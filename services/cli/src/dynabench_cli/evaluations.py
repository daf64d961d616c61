"""`dynabench predictions upload`, `datasets upload` and `compare`."""

import time
from pathlib import Path
from typing import Annotated

import typer
from dynabench_client.areas.evaluations import EvaluationsClient
from dynabench_client.errors import ProblemError
from dynabench_client.results.models import (
    Evaluation,
    MetricDifference,
    MetricOnDataset,
    ScoredDataset,
)

from dynabench_cli import output
from dynabench_cli.line_files import counted, existing, line_errors, name_lines, opened
from dynabench_cli.output import AsJson, Output, byte_progress
from dynabench_cli.session import OURS, YOURS, client_of

app = typer.Typer()
datasets = typer.Typer()
predictions = typer.Typer(no_args_is_help=True)
LOOK_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 600.0
MINUTES_FROM = 120
ONE_PREDICTION = '{"id": …, "answer": …} or {"id": …, "score": …}'
ONE_ITEM = '{"id": …, "context": {…}, "input": {…}, "label": …}'
ACCESS = "open, scoring (items for owners alone) or hidden (scores alone)"


def _state(found: Evaluation) -> str:
    if found.state in ("failed", "cancelled"):
        return f"{found.state}: {found.reason}"
    if found.is_finished:
        return found.state
    parts = [f"{found.state} {found.shards_done}/{found.shards}"]
    if found.place is not None:
        parts.append(f"number {found.place} in the queue")
    if found.seconds_left is not None:
        parts.append(f"about {_duration(found.seconds_left)}")
    if found.waits_for:
        parts.append(found.waits_for)
    return ", ".join(parts)


def _duration(seconds: float) -> str:
    return f"{max(1, round(seconds))} s" if seconds < MINUTES_FROM else f"{round(seconds / 60)} min"


def _value(value: MetricOnDataset) -> str:
    ends = f"({value.low:.1f}-{value.high:.1f})" if value.low is not None and value.high is not None else ""
    return f"{value.metric} {value.value:.1f} {ends} of {value.n}"


@predictions.callback()
def predictions_group() -> None:
    """Answers of models that run elsewhere."""


@predictions.command("upload")
def upload_predictions(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(help=f"JSON lines, {ONE_PREDICTION} each; .gz too", callback=existing)
    ],
    model: Annotated[str, typer.Option(help="New name for the model")],
    dataset: Annotated[str, typer.Option(help="Id of an open dataset")],
    lowest: Annotated[float | None, typer.Option(help="Lowest possible score of a line. Default: 0")] = None,
    highest: Annotated[
        float | None, typer.Option(help="Highest possible score of a line. Default: 1")
    ] = None,
    throughput: Annotated[
        float | None, typer.Option(help="Throughput measured elsewhere, in examples/s")
    ] = None,
    memory: Annotated[float | None, typer.Option(help="Memory measured elsewhere, in GiB")] = None,
    fairness: Annotated[float | None, typer.Option(help="Fairness measured elsewhere, in percent")] = None,
    robustness: Annotated[
        float | None, typer.Option(help="Robustness measured elsewhere, in percent")
    ] = None,
    wait: Annotated[bool, typer.Option(help="Wait for the score")] = True,
    as_json: AsJson = False,
) -> None:
    """Score predictions of a model that runs elsewhere, one for each item of an open dataset.

    With scores in place of answers, or with measured figures, the model is on the task's external board.
    """
    area = client_of(context).evaluations
    with (
        opened(file, ONE_PREDICTION) as lines,
        byte_progress("predictions", lines.size, quiet=as_json) as done,
    ):
        try:
            found = area.add_predictions(
                dataset,
                model,
                lines.reporting(done),
                lowest=lowest,
                highest=highest,
                throughput=throughput,
                memory=memory,
                fairness=fairness,
                robustness=robustness,
            )
        except ProblemError as err:
            raise refused_lines(err, lines.name, "prediction") from err
    _show(_finished(area, found) if wait else found, as_json)


@datasets.command("upload")
def upload_dataset(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help=f"JSON lines, {ONE_ITEM} each; .gz too", callback=existing)],
    task: Annotated[str, typer.Option(help="The task's name")],
    name: Annotated[str, typer.Option(help="The dataset's name: small letters, digits, hyphens")],
    title: Annotated[str | None, typer.Option(help="The dataset's title")] = None,
    access: Annotated[str | None, typer.Option(help=ACCESS)] = None,
    licence: Annotated[str | None, typer.Option(help="SPDX identifier")] = None,
    wait: Annotated[bool, typer.Option(help="Wait until models can be scored on it")] = True,
    as_json: AsJson = False,
) -> None:
    """Make a dataset for scoring from a file of items, all or none. Names every wrong line."""
    area = client_of(context).evaluations
    with opened(file, ONE_ITEM) as lines, byte_progress("items", lines.size, quiet=as_json) as done:
        try:
            found = area.add_dataset(
                task, name, lines.reporting(done), title=title, access=access, licence=licence
            )
        except ProblemError as err:
            raise refused_lines(err, lines.name, "item") from err
    ready = _prepared(area, found) if wait else found
    Output(as_json).record(ready.document())
    if ready.state == "failed":
        raise typer.Exit(OURS)


@app.command()
def compare(
    context: typer.Context,
    first: Annotated[str, typer.Argument(help="A model")],
    second: Annotated[str, typer.Argument(help="The other model")],
    dataset: Annotated[str, typer.Option(help="Id of a dataset that both were scored on")],
    as_json: AsJson = False,
) -> None:
    """Compare the answers of two models to the same items: exact McNemar, differences with intervals."""
    found = client_of(context).evaluations.compare(dataset, first, second)
    low, high = found.interval
    lines = {
        "items": found.n,
        f"only {first} right": found.only_first,
        f"only {second} right": found.only_second,
        "both right": found.both,
        "both wrong": found.neither,
        "same answer": found.agree,
        "same wrong answer": found.both_wrong_alike,
        "difference": f"{found.difference:+.1f} points ({low:+.1f} to {high:+.1f})",
        "McNemar's p": f"{found.mcnemar_p:.3g}",
        "items to end the lead": found.items_to_lose,
        **{each.metric: _metric_difference(each) for each in found.metrics},
        **found.undefined,
    }
    Output(as_json).record(found.document(), lines)


def _metric_difference(found: MetricDifference) -> str:
    values = f"{found.first:.1f} against {found.second:.1f}: {found.difference:+.1f} points"
    if found.interval is None:
        return f"{values} ({found.reason})"
    low, high = found.interval
    return f"{values} ({low:+.1f} to {high:+.1f}), p {found.holm_p:.3g} (Holm)"


def refused_lines(err: ProblemError, name: str, what: str) -> BaseException:
    """Print the lines that a refusal names. Return the exception to raise."""
    if err.slug not in ("items-unusable", "predictions-unusable"):
        return err
    errors, count = line_errors(err)
    name_lines(name, errors)
    summary = f"{name} has {counted(count, what, len(errors))}. Nothing was stored."
    output.error(summary, err.remedy or "Correct these lines and upload the file again.", err.request_id)
    return typer.Exit(YOURS)


def _finished(area: EvaluationsClient, found: Evaluation) -> Evaluation:
    until = time.monotonic() + LONGEST_WAIT_SECONDS
    while not found.is_finished and time.monotonic() < until:
        time.sleep(LOOK_SECONDS)
        found = area.evaluation(found.evaluation_id)
    return found


def _prepared(area: EvaluationsClient, found: ScoredDataset) -> ScoredDataset:
    until = time.monotonic() + LONGEST_WAIT_SECONDS
    while found.state == "preparing" and time.monotonic() < until:
        time.sleep(LOOK_SECONDS)
        found = area.scored_dataset(found.dataset_id)
    return found


def _external(found: Evaluation) -> dict[str, str]:
    figures = found.external.figures if found.external else ()
    return {f"{each.metric}, measured elsewhere": f"{each.value:g} {each.unit}" for each in figures}


def _show(found: Evaluation, as_json: bool) -> None:
    values = {value.metric: _value(value) for value in found.values}
    lines = {
        "evaluation": found.evaluation_id,
        "model": found.model,
        "dataset": f"{found.dataset_name} v{found.dataset_version}",
        "state": _state(found),
        **values,
        **found.undefined,
        **_external(found),
        **({"items without an answer": found.failed_items} if found.failed_items else {}),
        **({"always answers": found.constant_answer} if found.constant_answer else {}),
        **({"labels in another order": dict(found.swapped_labels)} if found.swapped_labels else {}),
    }
    Output(as_json).record(found.document(), lines)
