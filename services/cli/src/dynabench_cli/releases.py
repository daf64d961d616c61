"""`dynabench rounds release`: a closed round becomes a dataset."""

from collections.abc import Iterator
from functools import partial
from typing import Annotated

import typer
from dynabench_client.areas.datasets import DatasetsClient
from dynabench_client.results.datasets import Release, ReleasePreview, Split

from dynabench_cli import output
from dynabench_cli.follow import Patience, follow
from dynabench_cli.output import AsJson, Output, steps
from dynabench_cli.session import OURS, RoundId, Yes, client_of, confirm, should_ask

SIZE = "A number of examples, or a share where under 1"
Dev = Annotated[float | None, typer.Option(min=0, help=f"The dev split. {SIZE}")]
Test = Annotated[float | None, typer.Option(min=0, help=f"The test split. {SIZE}")]
PATIENCE = Patience(stall_seconds=600.0)

app = typer.Typer()


@app.command()
def release(
    context: typer.Context,
    round_id: RoundId,
    dev: Dev = None,
    test: Test = None,
    seed: Annotated[int | None, typer.Option(help="Seed that assigns authors to dev and test")] = None,
    licence: Annotated[
        str | None,
        typer.Option(help="Licence. Default: CC-BY-4.0. Required for an imported round"),
    ] = None,
    description: Annotated[str | None, typer.Option(help="A paragraph for the dataset's card")] = None,
    accept_unresolved: Annotated[
        bool, typer.Option("--accept-unresolved", help="Release even if examples wait for votes")
    ] = False,
    explanations: Annotated[
        bool,
        typer.Option("--explanations", help="Include free text that people did not write for the public"),
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show the content")] = False,
    follow_steps: Annotated[bool, typer.Option("--follow", help="Wait until it is done")] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Make a closed round a dataset that never changes."""
    area = client_of(context).datasets
    dev, test = _size(dev), _size(test)
    preview_of = partial(
        area.preview_release,
        round_id,
        dev=dev,
        test=test,
        seed=seed,
        accept_unresolved=accept_unresolved,
        explanations=explanations,
    )
    if dry_run:
        preview = preview_of()
        Output(as_json).record(preview.document(), _preview_lines(preview))
        return
    if should_ask(yes, as_json):
        preview = preview_of()
        confirm("Release this round for good?", _consequences(preview), preview.blockers)
    begun = area.release(
        round_id,
        dev=dev,
        test=test,
        seed=seed,
        licence=licence,
        accept_unresolved=accept_unresolved,
        explanations=explanations,
        description=description,
    )
    _show(_followed(area, begun, as_json) if follow_steps else begun, as_json)


def _followed(area: DatasetsClient, begun: Release, quiet: bool) -> Release:
    """Return a finished release, and show its steps until then."""
    with steps(quiet) as report:
        return follow(
            lambda: area.release_state(begun.release_id),
            lambda now: now.is_finished,
            lambda now: report(now.step or now.state, now.progress),
            PATIENCE,
        )


def _show(found: Release, as_json: bool) -> None:
    Output(as_json).record(found.document(), _lines(found))
    if found.error is not None:
        output.error(found.error.detail, found.error.remedy)
        raise typer.Exit(OURS)


def _lines(found: Release) -> dict[str, object]:
    return {
        "release": found.release_id,
        "round": found.round_id,
        "state": found.state,
        "step": found.step,
        "progress": f"{found.progress * 100:.0f} %",
        "dataset": found.dataset_id,
    }


def _preview_lines(preview: ReleasePreview) -> dict[str, object]:
    excluded = {name.replace("_", " "): count for name, count in preview.excluded.document().items()}
    largest = preview.largest_author_share
    return {
        "can be released": preview.allowed,
        "state": preview.state,
        "examples": preview.examples,
        "resolved": preview.resolved,
        "unresolved": preview.unresolved,
        "left out": excluded,
        **{name: _split(split) for name, split in _splits(preview)},
        "largest author": None if largest is None else f"{largest * 100:.0f} %",
        "blockers": [f"{one.text} {one.remedy}" for one in preview.blockers] or None,
        "notices": preview.notices or None,
    }


def _consequences(preview: ReleasePreview) -> Iterator[str]:
    yield "The round and its dataset never change again."
    for name, split in _splits(preview):
        yield f"{name}: {_split(split)}"
    yield from preview.notices


def _splits(preview: ReleasePreview) -> list[tuple[str, Split]]:
    return [(name, getattr(preview.splits, name)) for name in ("train", "dev", "test")]


def _split(split: Split) -> str:
    return f"{split.examples:,} examples by {split.authors:,} authors"


def _size(given: float | None) -> float | None:
    """Return a number of examples as a whole number, a share as it is."""
    return int(given) if given is not None and given == int(given) else given
