"""`dynabench datasets measure`: what the texts of a dataset, or of a round in progress, look like."""

from typing import Annotated

import typer

from dynabench_client.areas.datasets import DatasetsClient
from dynabench_client.cli import output
from dynabench_client.cli.figures import rate
from dynabench_client.cli.follow import follow
from dynabench_client.cli.output import AsJson, Output, waiting
from dynabench_client.cli.session import OURS, InputError, client_of
from dynabench_client.results.measurements import Distribution, Measurements
from dynabench_client.results.rates import Rate

STRONGEST = 10

app = typer.Typer()


@app.command()
def measure(
    context: typer.Context,
    dataset_id: Annotated[str | None, typer.Argument(help="The dataset's id")] = None,
    round_id: Annotated[str | None, typer.Option("--round", help="A round in progress instead")] = None,
    as_json: AsJson = False,
) -> None:
    """Show label balance, lengths, vocabulary, duplicates and associations of a dataset or round."""
    area = client_of(context).datasets
    if (dataset_id is None) == (round_id is None):
        raise InputError("One dataset or round is measured.", "Give a dataset's id, or --round ROUND.")
    with waiting("waiting for the measurements", quiet=as_json):
        found = follow(lambda: _read(area, dataset_id, round_id), lambda now: not now.is_computing, _ignore)
    Output(as_json).record(found.document(), _lines(found))
    if found.error is not None:
        output.error(found.error.detail, found.error.remedy)
        raise typer.Exit(OURS)


def _read(area: DatasetsClient, dataset_id: str | None, round_id: str | None) -> Measurements:
    return area.measurements(dataset_id) if dataset_id is not None else area.round_measurements(str(round_id))


def _ignore(_: Measurements) -> None:
    """Show nothing of what is not finished."""


def _lines(found: Measurements) -> dict[str, object]:
    baseline, words = found.input_only_baseline, found.vocabulary
    accuracy = Rate(
        value=baseline.accuracy, low=baseline.low, high=baseline.high, n=baseline.n, reason=baseline.reason
    )
    strongest = sorted(found.associations, key=lambda one: -(one.pmi or 0))[:STRONGEST]
    return {
        "state": found.state,
        "labels": found.label_balance.gold,
        **{f"words of {field}": _spread(one.words) for field, one in found.lengths.items()},
        "words": f"{words.types:,} different of {words.tokens:,}",
        "near duplicates": f"{found.near_duplicates.pairs:,} pairs",
        "overlap with the context": None if found.overlap.mean is None else f"{found.overlap.mean:.2f}",
        "people": found.authors.people,
        "label from the input alone": rate(accuracy),
        "tell-tale words": [f"{one.token} → {one.label}" for one in strongest] or None,
    }


def _spread(one: Distribution) -> str | None:
    if one.mean is None or one.p5 is None or one.p95 is None:
        return None
    return f"{one.mean:.1f} on average, 90 % from {one.p5:.0f} to {one.p95:.0f}"
