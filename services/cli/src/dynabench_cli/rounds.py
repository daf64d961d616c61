"""`dynabench rounds`."""

from collections.abc import Iterator
from typing import Annotated

import typer
from dynabench_client.platform import Dynabench
from dynabench_client.results.annotation import Consequence, Round
from dynabench_client.results.base import LARGEST_PAGE, every
from dynabench_client.results.leaderboard import NextRound
from dynabench_client.results.validation import Agreement

from dynabench_cli import imports, releases
from dynabench_cli.figures import (
    agreement_lines,
    agreement_of,
    figures_of,
    lines,
    measure,
    merged,
)
from dynabench_cli.output import AsJson, Output
from dynabench_cli.session import RoundId, Yes, client_of, confirm, should_ask

app = typer.Typer(no_args_is_help=True)
for part in (imports, releases):
    app.add_typer(part.app)

COLUMNS = {
    "round": lambda one: one.round_id,
    "task": lambda one: one.task_slug,
    "number": lambda one: one.number,
    "state": lambda one: one.state,
    "title": lambda one: one.title,
    "models": lambda one: one.targets,
}
AGREEMENT_COLUMNS = {
    "part": lambda part: part.name,
    "examples": lambda part: part.examples,
    "votes": lambda part: part.votes,
    "voters": lambda part: part.voters,
    "raw agreement": lambda part: measure(part.raw),
    "Fleiss' kappa": lambda part: measure(part.fleiss_kappa),
    "Krippendorff's alpha": lambda part: measure(part.krippendorff_alpha),
    "Gwet's AC1": lambda part: measure(part.gwet_ac1),
}
Reason = Annotated[str | None, typer.Option("--reason", help="Reason, for the audit log")]


@app.command("list")
def list_rounds(
    context: typer.Context,
    task: Annotated[str | None, typer.Argument(help="Slug of a task. Default: all tasks")] = None,
    as_json: AsJson = False,
) -> None:
    """List rounds, of one task or of all."""
    found = _rounds(client_of(context), task)
    Output(as_json).rows(found, COLUMNS, "No round yet. Create one with 'dynabench rounds create TASK'.")


@app.command()
def show(context: typer.Context, round_id: RoundId, as_json: AsJson = False) -> None:
    """Show a round with its figures."""
    client = client_of(context)
    one, figures = client.annotation.round(round_id), figures_of(client, round_id)
    agreement = agreement_of(client, round_id)
    shown = {**_described(one), **lines(figures), **agreement_lines(agreement)}
    Output(as_json).record(merged(one, figures, agreement), shown)


@app.command()
def create(
    context: typer.Context,
    task: Annotated[str, typer.Argument(help="The task's slug")],
    target: Annotated[
        list[str] | None,
        typer.Option(help="Model to fool. Repeat it for an ensemble; leave it out for a control arm"),
    ] = None,
    title: Annotated[str | None, typer.Option(help="What people see")] = None,
    as_json: AsJson = False,
) -> None:
    """Create a draft of a round."""
    _show(client_of(context).annotation.create_round(task, target or [], title), as_json)


@app.command("open")
def open_round(
    context: typer.Context,
    round_id: RoundId,
    reason: Reason = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Accept tries in a draft, a paused round, or a closed one that is not released."""
    _move(context, round_id, "open", reason, yes, as_json)


@app.command()
def pause(
    context: typer.Context,
    round_id: RoundId,
    reason: Reason = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Stop tries in a round for a while."""
    _move(context, round_id, "paused", reason, yes, as_json)


@app.command()
def close(
    context: typer.Context,
    round_id: RoundId,
    reason: Reason = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """End tries in a round. Votes continue. You can open it again until it is released."""
    _move(context, round_id, "closed", reason, yes, as_json)


@app.command()
def agreement(
    context: typer.Context,
    round_id: RoundId,
    by: Annotated[
        str | None, typer.Option(help="Split by segment, target, condition, cohort, tag or week")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the agreement of a round's votes, whole or by part."""
    found, output = client_of(context).validation.agreement(round_id, by), Output(as_json)
    if by is None or as_json:
        output.record(found.document(), _agreement_lines(found))
    else:
        output.rows(found.groups, AGREEMENT_COLUMNS, "No votes yet.")


@app.command("next")
def next_round(
    context: typer.Context,
    round_id: RoundId,
    draft: Annotated[bool, typer.Option("--open", help="Draft the next round with the same models")] = False,
    title: Annotated[str | None, typer.Option(help="Title of the new round")] = None,
    as_json: AsJson = False,
) -> None:
    """Show whether the next round is due, with the evidence."""
    client = client_of(context)
    advised = client.leaderboard.next_round(round_id)
    document, shown = advised.document(), _advice_lines(advised)
    if draft:
        one = client.annotation.round(round_id)
        drafted = client.annotation.create_round(one.task_slug, one.targets, title)
        document, shown = {**document, "drafted": drafted.document()}, {**shown, **_described(drafted)}
    Output(as_json).record(document, shown)


def _rounds(client: Dynabench, task: str | None) -> Iterator[Round]:
    area = client.annotation
    slugs = [task] if task else [one.slug for one in every(lambda cursor: area.tasks(cursor=cursor))]
    for slug in slugs:
        yield from _rounds_of(client, slug)


def _rounds_of(client: Dynabench, slug: str) -> Iterator[Round]:
    return every(lambda cursor: client.annotation.rounds(slug, limit=LARGEST_PAGE, cursor=cursor))


def _move(
    context: typer.Context, round_id: str, to: str, reason: str | None, yes: bool, as_json: bool
) -> None:
    area = client_of(context).annotation
    if should_ask(yes, as_json):
        preview = area.preview_state(round_id, to)
        confirm(f"Make this round {to}?", map(_consequence, preview.consequences), preview.blockers)
    _show(area.set_round_state(round_id, to, reason), as_json)


def _consequence(one: Consequence) -> str:
    return one.text if one.count is None else f"{one.text} ({one.count:,})"


def _show(one: Round, as_json: bool) -> None:
    Output(as_json).record(one.document(), _described(one))


def _described(one: Round) -> dict[str, object]:
    """Return a round without its figures."""
    return {
        "round": one.round_id,
        "task": one.task_slug,
        "number": one.number,
        "title": one.title,
        "state": one.state,
        **({one.origin: one.source or "yes"} if one.origin else {}),
        "models": one.targets,
    }


def _agreement_lines(found: Agreement) -> dict[str, object]:
    return {
        "examples": found.examples,
        "votes": found.votes,
        "voters": found.voters,
        "options": found.options,
        "coefficients over": found.basis.replace("_", " "),
        **agreement_lines(found),
        "largest group": {f"{size} votes": count for size, count in found.vote_histogram.items()},
        "votes equal to known answers": found.votes_equal_gold,
        "known answers": found.gold,
        **({"not counted yet": found.behind} if found.behind else {}),
    }


def _advice_lines(advised: NextRound) -> dict[str, object]:
    words = {"now": "it is time", "soon": "soon", "not_yet": "not yet"}
    evidence = {
        one.name.replace("_", " "): f"{one.says.replace('_', ' ')}: {one.text}" for one in advised.evidence
    }
    return {"next round": words.get(advised.advice, advised.advice), **evidence}
