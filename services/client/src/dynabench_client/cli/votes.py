"""Votes on the command line: how an answer is given, and how a lease and a vote are shown."""

from collections.abc import Mapping
from typing import Annotated

import typer
from dynabench_tasks.values import Value

from dynabench_client.cli.session import InputError
from dynabench_client.cli.values import shown, shown_all
from dynabench_client.results.validation import Lease, Vote

Label = Annotated[str | None, typer.Argument(help="One of the options")]
Labels = Annotated[
    list[str] | None,
    typer.Option("--labels", help="One label of a set, where the task asks for sets; repeated"),
]
Span = Annotated[
    tuple[int, int, str] | None,
    typer.Option(metavar="START END TEXT", help="A span: code points [START, END) and the text they cover"),
]
Judged = Annotated[bool, typer.Option("--judgement", help="The task votes by judgement, not by label")]
Flag = Annotated[str | None, typer.Option(help="Report the example, with this reason")]
Unsure = Annotated[bool, typer.Option("--unsure", help="Leave it to another person")]


def chosen_answer(
    label: str | None,
    labels: list[str] | None,
    span: tuple[int, int, str] | None,
    judged: bool,
    instead: Mapping[str, bool],
) -> tuple[str, Value | None]:
    """Return the kind and value of the one answer that is given; `instead` are kinds without a value.

    Raises InputError.
    """
    marked = None if not span else {"start": span[0], "end": span[1], "text": span[2]}
    values: list[Value] = [value for value in (label, labels, marked) if value]
    kinds = [kind for kind, is_given in instead.items() if is_given]
    if len(values) + len(kinds) != 1:
        others = " or ".join(f"--{kind}" for kind in instead)
        raise InputError("One answer is needed.", f"Give a label, --labels LABEL, --span, {others}.")
    if kinds:
        return kinds[0], None
    return "judgement" if judged else "label", values[0]


def vote_lines(made: Vote) -> dict[str, object]:
    """Return what became of a vote; what its author claimed, once that is revealed."""
    hidden = f"hidden until 'dynabench validate reveal {made.vote_id}', which makes the vote final"
    lines: dict[str, object] = {
        "vote": made.vote_id,
        "counted": made.counted,
        "resolution": made.resolution,
        "author's claim": shown(made.reveal.claimed) if made.reveal else hidden,
        "author's reason": made.reveal.explanation if made.reveal else None,
        "can be undone until": made.undo_until,
    }
    return lines if made.notice is None else {**lines, made.notice.kind: made.notice.text}


def lease_lines(lease: Lease) -> dict[str, object]:
    """Return an example to vote on, or why there is none."""
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
        "author's claim": shown(lease.example.claim_to_judge)
        or "hidden, also after the vote until you ask for it",
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
