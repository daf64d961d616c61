"""`dynabench examples`."""

from collections.abc import Mapping
from itertools import islice
from typing import Annotated, Any

import typer
from dynabench_tasks.values import Value

from dynabench_client.areas.annotation import AnnotationClient
from dynabench_client.cli import decisions
from dynabench_client.cli.answers import attributions, described
from dynabench_client.cli.arguments import ExampleId, Most, RoundId
from dynabench_client.cli.output import AsJson, Output, waiting
from dynabench_client.cli.session import InputError, client_of
from dynabench_client.cli.values import (
    InputOption,
    MetadataOption,
    SpanOption,
    find_spans,
    read_values,
    shown,
    shown_all,
)
from dynabench_client.pages import LARGEST_PAGE, every
from dynabench_client.results.annotation import Example

LabelReason = Annotated[str | None, typer.Option("--why-label", help="Why the label is right")]
ModelReason = Annotated[
    str | None, typer.Option("--why-model", help="Why the model was, or might have been, fooled")
]
ContextId = Annotated[
    str | None, typer.Option("--context", help="Start from this context instead of one's current one")
]

app = typer.Typer(no_args_is_help=True)
app.add_typer(decisions.app)

COLUMNS = {
    "example": lambda example: example.example_id,
    "verdict": lambda example: "retracted" if example.retracted_at else example.verdict,
    "claimed": lambda example: shown(example.claimed),
    "answers": lambda example: [shown(answer.value) for answer in example.answers],
    "input": lambda example: [shown(value) for value in example.input.values()],
}


@app.command()
def create(
    context: typer.Context,
    round_id: RoundId,
    text: Annotated[str | None, typer.Option(help="Short for --input text=…")] = None,
    label: Annotated[str | None, typer.Option(help="Short for --input label=…")] = None,
    field: InputOption = None,
    span: SpanOption = None,
    metadata: MetadataOption = None,
    context_id: ContextId = None,
    perturbs: Annotated[
        str | None, typer.Option(help="The example of which this is the smallest edit that flips its label")
    ] = None,
    why_label: LabelReason = None,
    why_model: ModelReason = None,
    as_json: AsJson = False,
) -> None:
    """Submit a try and show the verdict."""
    given = _given(text, label, field or [])
    if not (given or span):
        raise InputError("The try is empty.", "Give --text and --label, or --input NAME=VALUE.")
    beside = read_values(metadata or [], "--metadata")
    explanations = {"label": why_label, "model": why_model}
    said = {kind: reason for kind, reason in explanations.items() if reason}
    area = client_of(context).annotation
    with waiting("waiting for the targets", quiet=as_json):
        start, fields = _start(area, round_id, context_id)
        spans = find_spans(span or [], [*fields.values(), *given.values()])
        example = area.create_example(
            round_id,
            start,
            {**given, **spans},
            explanations=said or None,
            metadata=beside or None,
            perturbation_of=perturbs,
        )
    _show(example, as_json)


@app.command()
def probe(
    context: typer.Context,
    round_id: RoundId,
    text: Annotated[str | None, typer.Option(help="Short for --input text=…")] = None,
    field: InputOption = None,
    context_id: ContextId = None,
    as_json: AsJson = False,
) -> None:
    """Ask a round's targets without submitting; probes are counted."""
    given = _given(text, None, field or [])
    area = client_of(context).annotation
    with waiting("waiting for the targets", quiet=as_json):
        start, _ = _start(area, round_id, context_id)
        probed = area.probe(round_id, start, given)
    lines = {answer.target: described(answer) for answer in probed.answers}
    Output(as_json).record(probed.document(), lines)


@app.command()
def similar(
    context: typer.Context,
    round_id: RoundId,
    text: Annotated[str | None, typer.Option(help="Short for --input text=…")] = None,
    field: InputOption = None,
    context_id: ContextId = None,
    as_json: AsJson = False,
) -> None:
    """Find near duplicates of a text in its round before submitting it."""
    given = _given(text, None, field or [])
    area = client_of(context).annotation
    start, _ = _start(area, round_id, context_id)
    found = area.similar(round_id, start, given)
    own = {one.example_id: f"{one.similarity * 100:.0f} % alike  {one.text}" for one in found.own}
    Output(as_json).record(found.document(), {**own, "of other people": found.others})


@app.command()
def show(context: typer.Context, example_id: ExampleId, as_json: AsJson = False) -> None:
    """Show an example with every target's answer."""
    _show(client_of(context).annotation.example(example_id), as_json)


@app.command()
def retract(context: typer.Context, example_id: ExampleId, as_json: AsJson = False) -> None:
    """Withdraw an example of one's own; the try still counts."""
    _show(client_of(context).annotation.retract(example_id), as_json)


@app.command("list")
def list_examples(
    context: typer.Context,
    round_id: RoundId,
    everyone: Annotated[bool, typer.Option("--all", help="Everyone's, for the task's owner")] = False,
    most: Most = None,
    as_json: AsJson = False,
) -> None:
    """List one's own examples of a round."""
    area, author = client_of(context).annotation, "all" if everyone else "me"
    page = min(most or LARGEST_PAGE, LARGEST_PAGE)
    found = every(lambda cursor: area.examples(round_id, author=author, limit=page, cursor=cursor))
    Output(as_json).rows(islice(found, most), COLUMNS, "No example yet.")


@app.command()
def explain(
    context: typer.Context,
    example_id: ExampleId,
    why_label: LabelReason = None,
    why_model: ModelReason = None,
    as_json: AsJson = False,
) -> None:
    """Say why the label is right and why the model was fooled."""
    if not (why_label or why_model):
        raise InputError("There is nothing to store.", "Give --why-label, --why-model or both.")
    area = client_of(context).annotation
    _show(area.explain_example(example_id, label=why_label, model=why_model), as_json)


@app.command()
def decide(
    context: typer.Context,
    example_id: ExampleId,
    wrong: Annotated[
        list[str] | None, typer.Option(help="A target that is wrong; repeated, none if all are right")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say which targets are wrong, where the task asks its annotators; once."""
    _show(client_of(context).annotation.decide(example_id, wrong or []), as_json)


@app.command()
def metadata(
    context: typer.Context,
    example_id: ExampleId,
    fields: Annotated[list[str], typer.Argument(help="NAME=TEXT, or NAME:=JSON for any other value")],
    as_json: AsJson = False,
) -> None:
    """Replace what one says about an example of one's own beside its input."""
    given = read_values(fields, "metadata")
    _show(client_of(context).annotation.set_metadata(example_id, given), as_json)


@app.command()
def inspect(
    context: typer.Context,
    example_id: ExampleId,
    target: Annotated[str, typer.Argument(help="The target to look into")],
    label: Annotated[
        str | None, typer.Option(help="Explain this label instead of the answer; of a span, start or end")
    ] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="Integration steps")] = None,
    as_json: AsJson = False,
) -> None:
    """Show which parts of the text moved a target's answer."""
    area = client_of(context).annotation
    with waiting("waiting for the explanation; its workers may have to start", quiet=as_json):
        inspection = area.inspect(example_id, target, label, steps)
    Output(as_json).record(inspection.document(), attributions(inspection))


def _given(text: str | None, label: str | None, fields: list[str]) -> dict[str, Value]:
    short = {name: value for name, value in (("text", text), ("label", label)) if value is not None}
    return {**short, **read_values(fields, "--input")}


def _start(area: AnnotationClient, round_id: str, context_id: str | None) -> tuple[str, Mapping[str, Any]]:
    """Return a context's id and fields; those of a context that was named are not known."""
    if context_id is not None:
        return context_id, {}
    current = area.assign(round_id).context
    return current.context_id, current.fields


def _show(example: Example, as_json: bool) -> None:
    lines: dict[str, object] = {
        "example": example.example_id,
        "verdict": example.verdict.replace("_", " "),
        **shown_all(example.input),
        "claimed": shown(example.claimed),
        "attempt": example.attempt,
        **{answer.target: described(answer) for answer in example.answers},
        **shown_all(example.metadata),
        "why label": example.explanations.label,
        "why model": example.explanations.model,
        "edit of": example.perturbation_of,
        "counts as a repeat of": example.duplicate_of if example.is_duplicate else None,
        "retracted": example.retracted_at,
    }
    Output(as_json).record(example.document(), lines)
