"""`dynabench validate`."""

from typing import Annotated

import typer

from dynabench_client.cli.output import AsJson, Output
from dynabench_client.cli.session import InputError, client_of
from dynabench_client.cli.values import MetadataOption, read_values, shown, shown_all
from dynabench_client.results.validation import Lease
from dynabench_client.values import Value

LeaseId = Annotated[str, typer.Argument(help="The lease's id, from 'validate next'")]

app = typer.Typer(no_args_is_help=True)


@app.command("next")
def next_example(
    context: typer.Context,
    round_id: Annotated[str, typer.Argument(help="The round's id")],
    as_json: AsJson = False,
) -> None:
    """Get an example to validate, or hear why there is none."""
    lease = client_of(context).validation.lease(round_id)
    Output(as_json).record(lease.document(), _lines(lease))


@app.command()
def vote(
    context: typer.Context,
    lease_id: LeaseId,
    label: Annotated[str | None, typer.Argument(help="One of the lease's options")] = None,
    labels: Annotated[
        list[str] | None,
        typer.Option("--labels", help="One label of a set, where the task asks for sets; repeated"),
    ] = None,
    span: Annotated[
        tuple[int, int, str] | None,
        typer.Option(
            metavar="START END TEXT", help="A span: code points [START, END) and the text they cover"
        ),
    ] = None,
    judgement: Annotated[
        bool, typer.Option("--judgement", help="The task votes by judgement, not by label")
    ] = False,
    flag: Annotated[str | None, typer.Option(help="Report the example, with this reason")] = None,
    unsure: Annotated[bool, typer.Option("--unsure", help="Leave it to another person")] = False,
    metadata: MetadataOption = None,
    as_json: AsJson = False,
) -> None:
    """Vote on a leased example and see what its author claimed."""
    marked = None if not span else {"start": span[0], "end": span[1], "text": span[2]}
    answers: list[Value] = [answer for answer in (label, labels, marked) if answer]
    if len(answers) + (flag is not None) + unsure != 1:
        raise InputError(
            "One answer is needed.", "Give a label, --labels LABEL, --span, --flag REASON or --unsure."
        )
    kind = "flag" if flag is not None else "unsure" if unsure else "judgement" if judgement else "label"
    beside = read_values(metadata or [], "--metadata")
    value = answers[0] if answers else None
    area = client_of(context).validation
    made = area.vote(lease_id, kind, value=value, reason=flag, metadata=beside or None)
    lines = {
        "vote": made.vote_id,
        "counted": made.counted,
        "resolution": made.resolution,
        "author's claim": shown(made.reveal.claimed),
        "author's reason": made.reveal.explanation,
    }
    Output(as_json).record(made.document(), lines)


@app.command()
def skip(context: typer.Context, lease_id: LeaseId, as_json: AsJson = False) -> None:
    """Give an example back without a vote."""
    client_of(context).validation.skip(lease_id)
    Output(as_json).record({"lease_id": lease_id, "skipped": True})


@app.command()
def judge(
    context: typer.Context,
    vote_id: Annotated[str, typer.Argument(help="One's vote, from 'validate vote'")],
    agrees: Annotated[bool, typer.Option("--agree/--disagree", help="Whether the author is right")],
    as_json: AsJson = False,
) -> None:
    """Say whether the author's label is right; stored beside the vote, never counted."""
    judgement = client_of(context).validation.judge(vote_id, agrees)
    Output(as_json).record(judgement.document())


def _lines(lease: Lease) -> dict[str, object]:
    if lease.example is None:
        return {
            "nothing to validate": lease.reason,
            "try again in": f"{lease.retry_after_seconds or 0:.0f} s",
        }
    return {
        "lease": lease.lease_id,
        "until": lease.expires_at,
        **shown_all(lease.example.context),
        **shown_all(lease.example.input),
        "author's claim": shown(lease.example.claim_to_judge) or "hidden until you vote",
        "answer": _asked(lease),
        "also asked": [field.get("name", "?") for field in lease.metadata_fields] or None,
    }


def _asked(lease: Lease) -> str:
    options = ", ".join(lease.options)
    return {
        "multilabel": f"--labels, once or more: {options}",
        "span": f"--span, in {lease.span_of}",
        "judgement": f"--judgement with one of: {options}",
    }.get(lease.answer_type, f"one of: {options}")
