"""`dynabench validate`."""

from typing import Annotated

import typer

from dynabench_client.cli import own_votes
from dynabench_client.cli.arguments import RoundId
from dynabench_client.cli.output import AsJson, Output
from dynabench_client.cli.session import InputError, client_of
from dynabench_client.cli.values import MetadataOption, read_answer, read_texts, read_values
from dynabench_client.cli.votes import (
    Flag,
    Judged,
    Label,
    Labels,
    Span,
    Unsure,
    chosen_answer,
    lease_lines,
    vote_lines,
)

LeaseId = Annotated[str, typer.Argument(help="The lease's id, from 'validate next'")]

app = typer.Typer(no_args_is_help=True)
app.add_typer(own_votes.app)


@app.command("next")
def next_example(
    context: typer.Context,
    round_id: RoundId,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="For owners: only of this condition, cohort, tag or segment_id",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Get an example to validate, or hear why there is none."""
    lease = client_of(context).validation.lease(round_id, read_texts(only or [], "--only"))
    Output(as_json).record(lease.document(), lease_lines(lease))


@app.command()
def vote(
    context: typer.Context,
    lease_id: LeaseId,
    label: Label = None,
    labels: Labels = None,
    span: Span = None,
    judged: Judged = False,
    flag: Flag = None,
    unsure: Unsure = False,
    metadata: MetadataOption = None,
    as_json: AsJson = False,
) -> None:
    """Vote on a leased example and see what its author claimed."""
    instead = {"flag": flag is not None, "unsure": unsure}
    kind, value = chosen_answer(label, labels, span, judged, instead)
    beside = read_values(metadata or [], "--metadata")
    area = client_of(context).validation
    made = area.vote(lease_id, kind, value=value, reason=flag, metadata=beside or None)
    Output(as_json).record(made.document(), vote_lines(made))


@app.command()
def skip(context: typer.Context, lease_id: LeaseId, as_json: AsJson = False) -> None:
    """Give an example back without a vote."""
    client_of(context).validation.skip(lease_id)
    Output(as_json).record({"lease_id": lease_id, "skipped": True})


@app.command()
def judge(
    context: typer.Context,
    vote_id: Annotated[str, typer.Argument(help="One's vote, from 'validate vote'")],
    agrees: Annotated[
        bool | None, typer.Option("--agree/--disagree", help="Whether the author is right")
    ] = None,
    corrected: Annotated[
        str | None, typer.Option(help="What is right instead: a label, or JSON for other values")
    ] = None,
    explanation: Annotated[str | None, typer.Option("--because", help="Why")] = None,
    as_json: AsJson = False,
) -> None:
    """Say whether the author's label is right, what is right instead, and why; never counted."""
    if agrees is None and corrected is None and explanation is None:
        raise InputError(
            "There is nothing to store.", "Give --agree or --disagree, --corrected or --because."
        )
    area = client_of(context).validation
    value = None if corrected is None else read_answer(corrected, "--corrected")
    Output(as_json).record(area.judge(vote_id, agrees, value, explanation).document())
