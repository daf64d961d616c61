"""`dynabench rounds` verbs that move a round through its life."""

from typing import Annotated

import typer

from dynabench_client.cli.arguments import Reason, RoundId, Yes
from dynabench_client.cli.asking import confirm, should_ask
from dynabench_client.cli.output import AsJson
from dynabench_client.cli.round_lines import show_round
from dynabench_client.cli.session import client_of
from dynabench_client.results.rounds import Consequence

OptionalReason = Annotated[str | None, typer.Option("--reason", help="Why; it is kept in the audit log")]

app = typer.Typer()


@app.command("open")
def open_round(
    context: typer.Context,
    round_id: RoundId,
    reason: OptionalReason = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Open a round: tries are accepted."""
    _move(context, round_id, "open", reason, yes, as_json)


@app.command()
def pause(
    context: typer.Context,
    round_id: RoundId,
    reason: OptionalReason = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Pause a round; it can be opened again."""
    _move(context, round_id, "paused", reason, yes, as_json)


@app.command()
def close(
    context: typer.Context,
    round_id: RoundId,
    reason: OptionalReason = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Close a round: tries end, votes go on; until it is released it can be opened again."""
    _move(context, round_id, "closed", reason, yes, as_json)


@app.command()
def reopen(
    context: typer.Context,
    round_id: RoundId,
    reason: OptionalReason = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Open a closed round again, as long as it is not released."""
    _move(context, round_id, "open", reason, yes, as_json)


@app.command()
def targets(
    context: typer.Context,
    round_id: RoundId,
    target: Annotated[list[str], typer.Option(help="A model to fool; repeated for an ensemble")],
    reason: Reason,
    as_json: AsJson = False,
) -> None:
    """Put other targets into a round; its next try starts a new segment."""
    show_round(client_of(context).annotation.set_targets(round_id, target, reason), as_json)


def _move(
    context: typer.Context, round_id: str, to: str, reason: str | None, yes: bool, as_json: bool
) -> None:
    area = client_of(context).annotation
    if should_ask(yes, as_json):
        preview = area.preview_state(round_id, to)
        confirm(f"Make this round {to}?", map(_said, preview.consequences), preview.blockers)
    show_round(area.set_round_state(round_id, to, reason), as_json)


def _said(consequence: Consequence) -> str:
    return consequence.text if consequence.count is None else f"{consequence.text} ({consequence.count:,})"
