"""`dynabench examples`."""

from itertools import islice
from typing import Annotated

import typer
from dynabench_client.results.annotation import Example, TargetAnswer
from dynabench_client.results.base import LARGEST_PAGE, every

from dynabench_cli.output import AsJson, Output, plain, shown
from dynabench_cli.session import RoundId, client_of

app = typer.Typer(no_args_is_help=True)

WRONG = {True: "  wrong", False: "  right", None: ""}
COLUMNS = {
    "example": lambda example: example.example_id,
    "verdict": lambda example: "retracted" if example.retracted_at else example.verdict,
    "claimed": lambda example: shown(example.claimed),
    "answers": lambda example: [shown(answer.value) for answer in example.answers],
    "input": lambda example: [shown(value) for value in example.input.values()],
}


@app.command()
def show(
    context: typer.Context,
    example_id: Annotated[str, typer.Argument(help="The example's id")],
    as_json: AsJson = False,
) -> None:
    """Show an example with every model's answer."""
    example = client_of(context).annotation.example(example_id)
    Output(as_json).record(example.document(), _lines(example))


@app.command("list")
def list_examples(
    context: typer.Context,
    round_id: RoundId,
    everyone: Annotated[bool, typer.Option("--all", help="Everyone's examples, if you own the task")] = False,
    most: Annotated[int | None, typer.Option("--limit", min=1, help="Most examples to show")] = None,
    as_json: AsJson = False,
) -> None:
    """List your own examples of a round."""
    area, author = client_of(context).annotation, "all" if everyone else "me"
    page = min(most or LARGEST_PAGE, LARGEST_PAGE)
    found = every(lambda cursor: area.examples(round_id, author=author, limit=page, cursor=cursor))
    Output(as_json).rows(islice(found, most), COLUMNS, "No example yet.")


def _described(answer: TargetAnswer) -> str:
    """Return an answer, such as "positive 91 %  wrong"; or why it is missing."""
    if answer.not_asked:
        return "not asked: a model of an earlier tier was right"
    if answer.value is None:
        return f"no answer: {answer.missing or 'unknown reason'}"
    sure = "" if answer.confidence is None else f" {answer.confidence * 100:.0f} %"
    return f"{plain(shown(answer.value))}{sure}{WRONG[answer.wrong]}"


def _lines(example: Example) -> dict[str, object]:
    return {
        "example": example.example_id,
        "verdict": example.verdict.replace("_", " "),
        **{name: shown(value) for name, value in example.input.items()},
        "claimed": shown(example.claimed),
        "attempt": example.attempt,
        **{answer.target: _described(answer) for answer in example.answers},
        **{name: shown(value) for name, value in example.metadata.items()},
        "why label": example.explanations.label,
        "why model": example.explanations.model,
        "edit of": example.perturbation_of,
        "counts as a repeat of": example.duplicate_of if example.is_duplicate else None,
        "retracted": example.retracted_at,
    }
