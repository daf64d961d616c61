"""`dynabench rounds` verbs about what waits for the owner."""

from itertools import islice
from typing import Annotated

import typer

from dynabench_client.cli.arguments import Most, Reason, RoundId
from dynabench_client.cli.output import AsJson, Output
from dynabench_client.cli.session import client_of
from dynabench_client.cli.values import shown
from dynabench_client.pages import LARGEST_PAGE, every

app = typer.Typer()

COLUMNS = {
    "example": lambda item: item.example_id,
    "waits since": lambda item: item.oldest_at,
    "why": lambda item: item.kinds,
    "claimed": lambda item: shown(item.claimed),
    "votes": lambda item: {one.option: one.count for one in item.votes},
    "likeliest": lambda item: item.posterior and item.posterior.label,
    "input": lambda item: [shown(value) for value in item.input.values()],
}

EXAMPLE_COLUMNS = {
    "example": lambda item: item.example_id,
    "created": lambda item: item.created_at,
    "verdict": lambda item: item.verdict,
    "became": lambda item: "yours to vote on" if item.is_hidden else item.became,
    "claimed": lambda item: shown(item.claimed),
    "votes": COLUMNS["votes"],
    "author": lambda item: item.author_id,
    "tags": lambda item: item.tags,
    "input": COLUMNS["input"],
}


@app.command()
def work(
    context: typer.Context,
    round_id: RoundId,
    kind: Annotated[
        str | None, typer.Option(help="Only disputed, flagged, appealed or low_posterior ones")
    ] = None,
    claimed: Annotated[str | None, typer.Option(help="Only those whose authors claim this")] = None,
    agreed: Annotated[str | None, typer.Option(help="Only those on which this was agreed")] = None,
    disagreement: Annotated[
        str | None, typer.Option(help="author: no vote says what the author claims; voters: votes differ")
    ] = None,
    counts: Annotated[bool, typer.Option("--counts", help="Only say how much waits, also for votes")] = False,
    most: Most = None,
    as_json: AsJson = False,
) -> None:
    """List the examples that wait for the owner's decision, the longest waiting first."""
    area, output = client_of(context).validation, Output(as_json)
    if counts:
        found = area.work_counts(round_id).document()
        output.record(found, {name.replace("_", " "): value for name, value in found.items()})
        return
    page = min(most or LARGEST_PAGE, LARGEST_PAGE)
    items = every(
        lambda cursor: area.work(
            round_id,
            kind=kind,
            claimed=claimed,
            agreed=agreed,
            disagreement=disagreement,
            limit=page,
            cursor=cursor,
        )
    )
    output.rows(islice(items, most), COLUMNS, "Nothing waits for a decision.")


@app.command()
def examples(
    context: typer.Context,
    round_id: RoundId,
    text: Annotated[
        str | None, typer.Option(help="Only those with these words, or words that begin so")
    ] = None,
    verdict: Annotated[
        str | None, typer.Option(help="Only fooled, not_fooled, undecided or unknown ones")
    ] = None,
    became: Annotated[
        str | None,
        typer.Option(
            help="Only correct, incorrect, flagged, disputed, no_claim, waiting, unasked or retracted ones"
        ),
    ] = None,
    tag: Annotated[str | None, typer.Option(help="Only those whose context has this tag")] = None,
    author: Annotated[str | None, typer.Option(help="Only those of the person with this id")] = None,
    disagreement: Annotated[
        str | None, typer.Option(help="author: no vote says what the author claims; voters: votes differ")
    ] = None,
    most: Most = None,
    as_json: AsJson = False,
) -> None:
    """List a round's examples for those who look after it, the newest first."""
    area, page = client_of(context).validation, min(most or LARGEST_PAGE, LARGEST_PAGE)
    items = every(
        lambda cursor: area.round_examples(
            round_id,
            text=text,
            verdict=verdict,
            became=became,
            tag=tag,
            author_id=author,
            disagreement=disagreement,
            limit=page,
            cursor=cursor,
        )
    )
    Output(as_json).rows(islice(items, most), EXAMPLE_COLUMNS, "No example is like that.", header=True)


@app.command()
def requeue(
    context: typer.Context,
    round_id: RoundId,
    example_ids: Annotated[list[str], typer.Argument(metavar="EXAMPLE...", help="At most 200 of them")],
    reason: Reason,
    as_json: AsJson = False,
) -> None:
    """Set the votes on examples aside, so that people are asked about them anew."""
    Output(as_json).record(client_of(context).validation.requeue(round_id, example_ids, reason).document())
