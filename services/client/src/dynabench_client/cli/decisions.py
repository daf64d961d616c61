"""`dynabench examples` verbs beside the votes: what owners decide, and what authors ask of them."""

from typing import Annotated

import typer

from dynabench_client.cli.arguments import ExampleId, Reason
from dynabench_client.cli.output import AsJson, Output
from dynabench_client.cli.session import InputError, client_of
from dynabench_client.cli.values import shown
from dynabench_client.cli.votes import Judged, Label, Labels, Span, chosen_answer
from dynabench_client.results.validation import CastVote, ExampleResolution

app = typer.Typer()


@app.command()
def adjudicate(
    context: typer.Context,
    example_id: ExampleId,
    label: Label = None,
    labels: Labels = None,
    span: Span = None,
    judged: Judged = False,
    flag: Annotated[bool, typer.Option("--flag", help="It does not belong in the data")] = False,
    reverse: Annotated[bool, typer.Option("--reverse", help="Take the decision back instead")] = False,
    reason: Annotated[str | None, typer.Option(help="Why; the author and the audit log see it")] = None,
    as_json: AsJson = False,
) -> None:
    """Decide an example alone, whatever its votes say; with --reverse it is what its votes say again."""
    area = client_of(context).validation
    if reverse:
        _show(example_id, area.reverse_adjudication(example_id), as_json)
        return
    if not reason:
        raise InputError("A decision needs its reason.", "Give --reason.")
    kind, value = chosen_answer(label, labels, span, judged, {"flag": flag})
    _show(example_id, area.adjudicate(example_id, kind, reason, value=value), as_json)


@app.command()
def appeal(context: typer.Context, example_id: ExampleId, reason: Reason, as_json: AsJson = False) -> None:
    """Ask the owner to look at an example of one's own again; this can be done once."""
    made = client_of(context).validation.appeal(example_id, reason)
    document = {"example_id": example_id, **made.document()}
    Output(as_json).record(document, {"example": example_id, "appealed": made.at, "answer": made.answer})


@app.command()
def abstain(context: typer.Context, example_id: ExampleId, as_json: AsJson = False) -> None:
    """Give up one's vote on an example of one's task, to see its claim and the votes on it."""
    client_of(context).validation.give_up_vote(example_id)
    Output(as_json).record({"example_id": example_id}, {"example": example_id, "votes of yours": "given up"})


@app.command()
def votes(context: typer.Context, example_id: ExampleId, as_json: AsJson = False) -> None:
    """Show the votes on an example, to its author and the task's owner."""
    found = client_of(context).validation.votes(example_id)
    given = {f"vote {number}": _said(vote) for number, vote in enumerate(found.items, start=1)}
    lines = {**_lines(example_id, found), **given}
    if found.appeal is not None:
        lines |= {"appeal": found.appeal.reason, "answer": found.appeal.answer}
    if found.adjudication is not None:
        lines["decision"] = found.adjudication.reason
    Output(as_json).record(found.document(), lines)


def _show(example_id: str, found: ExampleResolution, as_json: bool) -> None:
    Output(as_json).record({"example_id": example_id, **found.document()}, _lines(example_id, found))


def _lines(example_id: str, found: ExampleResolution) -> dict[str, object]:
    return {
        "example": example_id,
        "resolution": found.resolution,
        "agreed on": found.agreed_option,
        "right answers": [shown(gold) for gold in found.golds] or None,
        "votes counted": found.votes_counted,
        "waits": found.pending,
    }


def _said(vote: CastVote) -> str:
    said = [vote.option or vote.kind, vote.reason, vote.explanation]
    return "; ".join(part for part in said if part) + ("" if vote.counted else "; not counted")
