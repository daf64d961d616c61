"""`dynabench validate` verbs that go back to one's own votes."""

from typing import Annotated

import typer

from dynabench_client.cli.arguments import RoundId
from dynabench_client.cli.output import AsJson, Output
from dynabench_client.cli.session import client_of
from dynabench_client.cli.values import MetadataOption, read_values, shown
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

VoteId = Annotated[str, typer.Argument(help="One's vote, from 'validate vote' or 'validate back'")]

app = typer.Typer()

COLUMNS = {
    "vote": lambda vote: vote.vote_id,
    "cast": lambda vote: vote.cast_at,
    "answer": lambda vote: vote.kind if vote.value is None else shown(vote.value),
    "can be changed": lambda vote: vote.can_change,
    "input": lambda vote: vote.example and [shown(value) for value in vote.example.input.values()],
}


@app.command()
def back(
    context: typer.Context,
    round_id: RoundId,
    most: Annotated[int, typer.Option("--limit", min=1, help="Show at most so many")] = 10,
    as_json: AsJson = False,
) -> None:
    """List one's own last votes in a round, newest first."""
    found = client_of(context).validation.my_recent_votes(round_id, most)
    Output(as_json).rows(found, COLUMNS, "No vote yet.")


@app.command()
def undo(context: typer.Context, vote_id: VoteId, as_json: AsJson = False) -> None:
    """Take a vote back within a minute, and get its example once more."""
    lease = client_of(context).validation.undo(vote_id)
    Output(as_json).record(lease.document(), lease_lines(lease))


@app.command()
def reveal(context: typer.Context, vote_id: VoteId, as_json: AsJson = False) -> None:
    """See what the author claims, and why; from then on the vote is final."""
    seen = client_of(context).validation.reveal(vote_id)
    Output(as_json).record(seen.document(), vote_lines(seen))


@app.command()
def change(
    context: typer.Context,
    vote_id: VoteId,
    label: Label = None,
    labels: Labels = None,
    span: Span = None,
    judged: Judged = False,
    flag: Flag = None,
    unsure: Unsure = False,
    metadata: MetadataOption = None,
    as_json: AsJson = False,
) -> None:
    """Put another answer in the place of one's own, while its example is open."""
    instead = {"flag": flag is not None, "unsure": unsure}
    kind, value = chosen_answer(label, labels, span, judged, instead)
    beside = read_values(metadata or [], "--metadata")
    area = client_of(context).validation
    made = area.change_vote(vote_id, kind, value=value, reason=flag, metadata=beside or None)
    Output(as_json).record(made.document(), vote_lines(made))
