"""`dynabench validators`."""

from typing import Annotated

import typer

from dynabench_client.cli.arguments import Reason, RoundId, TaskSlug
from dynabench_client.cli.figures import rate
from dynabench_client.cli.output import AsJson, Columns, Output
from dynabench_client.cli.session import client_of
from dynabench_client.pages import LARGEST_PAGE, every
from dynabench_client.results.agreement import PolicySuggestion, VotesAdvice
from dynabench_client.results.quality import Validator

VoterId = Annotated[str, typer.Argument(help="The validator's id, from 'validators list'")]

app = typer.Typer(no_args_is_help=True)

COLUMNS: Columns[Validator] = {
    "validator": lambda one: one.voter_id,
    "state": lambda one: one.state,
    "votes": lambda one: one.votes,
    "agreement": lambda one: rate(one.agreement),
    "known answers": lambda one: rate(one.gold),
    "failures": lambda one: one.failures,
    "seconds": lambda one: one.seconds_median,
    "appeal": lambda one: one.appeal and one.appeal.reason,
}
PAIR_COLUMNS = {
    "validator": lambda pair: pair.a,
    "and": lambda pair: pair.b,
    "examples": lambda pair: pair.examples,
    "agreed": lambda pair: pair.agreed,
    "expected": lambda pair: pair.expected,
    "p (Holm)": lambda pair: pair.p_adjusted,
}
NOT_LOOKED_AT = "The votes of this round have not been looked at yet; ask again in a minute."
ONE_AUTHOR_COLUMNS = {
    "validator": lambda one: one.voter_id,
    "author": lambda one: one.author_id,
    "confirmed": lambda one: one.confirmed,
    "of the author": lambda one: one.of_author,
    "expected": lambda one: one.expected,
    "p (Holm)": lambda one: one.p_adjusted,
}


@app.command("list")
def list_validators(context: typer.Context, task: TaskSlug, as_json: AsJson = False) -> None:
    """List a task's validators with how well they vote."""
    area = client_of(context).validation
    found = every(lambda cursor: area.validators(task, limit=LARGEST_PAGE, cursor=cursor))
    Output(as_json).rows(found, COLUMNS, "Nobody has voted yet.")


@app.command()
def pause(
    context: typer.Context, task: TaskSlug, voter_id: VoterId, reason: Reason, as_json: AsJson = False
) -> None:
    """Take a validator out of a task's queue."""
    _show(client_of(context).validation.set_validator(task, voter_id, "paused", reason), as_json)


@app.command()
def reinstate(
    context: typer.Context, task: TaskSlug, voter_id: VoterId, reason: Reason, as_json: AsJson = False
) -> None:
    """Let a paused validator vote again."""
    _show(client_of(context).validation.set_validator(task, voter_id, "active", reason), as_json)


@app.command()
def pairs(context: typer.Context, round_id: RoundId, as_json: AsJson = False) -> None:
    """List pairs of validators who agree beyond chance, the least probable first."""
    found = client_of(context).validation.validator_pairs(round_id)
    nothing = "No pair agrees beyond chance." if found.computed_at else NOT_LOOKED_AT
    Output(as_json).rows(found.items, PAIR_COLUMNS, nothing)


@app.command("one-author")
def one_author(context: typer.Context, round_id: RoundId, as_json: AsJson = False) -> None:
    """List validators who confirm one author's tries and hardly anybody else's, the least probable first."""
    found = client_of(context).validation.validator_pairs(round_id)
    nothing = "Nobody confirms one author alone beyond chance." if found.computed_at else NOT_LOOKED_AT
    Output(as_json).rows(found.one_author, ONE_AUTHOR_COLUMNS, nothing)


@app.command()
def advice(context: typer.Context, round_id: RoundId, as_json: AsJson = False) -> None:
    """Say how many votes would hold wrong resolutions under 5 %; nothing is changed."""
    found = client_of(context).validation.votes_advice(round_id)
    Output(as_json).record(found.document(), _advice_lines(found))


def _show(one: Validator, as_json: bool) -> None:
    Output(as_json).record(one.document(), {name: cell(one) for name, cell in COLUMNS.items()})


def _advice_lines(found: VotesAdvice) -> dict[str, object]:
    suggested = {
        f"suggestion {number}": _suggestion(one) for number, one in enumerate(found.suggestions, start=1)
    }
    return {
        "policy in force": found.current,
        "validators err": rate(found.validator_error),
        "wrong resolutions now": _percent(found.resolution_error_now),
        **suggested,
        "reason": found.reason,
        "note": "takes examples to be equally hard; where some are harder, more is wrong than it says",
    }


def _suggestion(one: PolicySuggestion) -> dict[str, object]:
    return {
        **one.policy,
        "votes per example": one.expected_votes,
        "wrong": _percent(one.resolution_error),
        "disputed": _percent(one.disputed),
    }


def _percent(share: float | None) -> str | None:
    return None if share is None else f"{share * 100:.1f} %"
