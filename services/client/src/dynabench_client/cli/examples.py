"""`dynabench examples`."""

from itertools import islice
from typing import Annotated

import typer

from dynabench_client.cli.output import AsJson, Output, waiting
from dynabench_client.cli.session import InputError, client_of
from dynabench_client.pages import LARGEST_PAGE, every
from dynabench_client.results.annotation import Answer, Example

ExampleId = Annotated[str, typer.Argument(help="The example's id")]
RoundId = Annotated[str, typer.Argument(help="The round's id")]
LabelReason = Annotated[str | None, typer.Option("--why-label", help="Why the label is right")]
ModelReason = Annotated[
    str | None, typer.Option("--why-model", help="Why the model was, or might have been, fooled")
]

app = typer.Typer(no_args_is_help=True)

COLUMNS = {
    "example": lambda example: example.example_id,
    "verdict": lambda example: "retracted" if example.retracted_at else example.verdict,
    "label": lambda example: example.claimed_label,
    "answers": lambda example: [answer.label for answer in example.answers],
    "input": lambda example: list(example.input.values()),
}


@app.command()
def create(
    context: typer.Context,
    round_id: RoundId,
    text: Annotated[str | None, typer.Option(help="Short for --input text=…")] = None,
    label: Annotated[str | None, typer.Option(help="Short for --input label=…")] = None,
    field: Annotated[list[str] | None, typer.Option("--input", help="NAME=VALUE, repeated")] = None,
    context_id: Annotated[
        str | None, typer.Option("--context", help="Start from this context instead of one's current one")
    ] = None,
    why_label: LabelReason = None,
    why_model: ModelReason = None,
    as_json: AsJson = False,
) -> None:
    """Submit a try and show the verdict."""
    given = _input(text, label, field or [])
    explanations = {"label": why_label, "model": why_model}
    said = {kind: reason for kind, reason in explanations.items() if reason}
    area = client_of(context).annotation
    with waiting("waiting for the targets", quiet=as_json):
        start = context_id or area.assign(round_id).context.context_id
        example = area.create_example(round_id, start, given, explanations=said or None)
    _show(example, as_json)


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
    most: Annotated[int | None, typer.Option("--limit", min=1, help="Show at most so many")] = None,
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
def inspect(
    context: typer.Context,
    example_id: ExampleId,
    target: Annotated[str, typer.Argument(help="The target to look into")],
    label: Annotated[str | None, typer.Option(help="Explain this label instead of the answer")] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="Integration steps")] = None,
    as_json: AsJson = False,
) -> None:
    """Show which parts of the text moved a target's answer."""
    area = client_of(context).annotation
    with waiting("waiting for the explanation; its workers may have to start", quiet=as_json):
        inspection = area.inspect(example_id, target, label=label, steps=steps)
    document = inspection.document()
    Output(as_json).record(document, document)


def _input(text: str | None, label: str | None, fields: list[str]) -> dict[str, str]:
    given = {} if text is None else {"text": text}
    if label is not None:
        given["label"] = label
    for field in fields:
        name, equals, value = field.partition("=")
        if not equals or not name:
            raise InputError(f"--input {field!r} has no name.", "Write --input NAME=VALUE.")
        given[name] = value
    if not given:
        raise InputError("The try is empty.", "Give --text and --label, or --input NAME=VALUE.")
    return given


def _show(example: Example, as_json: bool) -> None:
    lines: dict[str, object] = {
        "example": example.example_id,
        "verdict": example.verdict.replace("_", " "),
        **example.input,
        "label": example.claimed_label,
        "attempt": example.attempt,
        **{answer.target: _answer(answer) for answer in example.answers},
        "why label": example.explanations.label,
        "why model": example.explanations.model,
        "retracted": example.retracted_at,
    }
    Output(as_json).record(example.document(), lines)


def _answer(answer: Answer) -> str:
    if answer.label is None:
        return f"no answer: {answer.missing or 'unknown reason'}"
    share = answer.probabilities.get(answer.label)
    sure = "" if share is None else f" {share * 100:.0f} %"
    return f"{answer.label}{sure}  {'wrong' if answer.wrong else 'right'}"
