"""`dynabench rounds` verbs about figures: where rounds stand, what they cost, how far votes agree, what comes next."""

from typing import Annotated

import typer

from dynabench_client.cli.arguments import By, RoundId
from dynabench_client.cli.figures import agreement_lines, fooled, measure, rate, resolved, vmer
from dynabench_client.cli.output import AsJson, Output
from dynabench_client.cli.round_lines import described
from dynabench_client.cli.session import client_of
from dynabench_client.pages import LARGEST_PAGE, every
from dynabench_client.results.agreement import Agreement
from dynabench_client.results.rates import Rate
from dynabench_client.results.standing import Forecast, NextRound, Standing

app = typer.Typer()

STANDING_COLUMNS = {
    "round": lambda one: one.round_id,
    "task": lambda one: one.task_slug,
    "number": lambda one: one.number,
    "state": lambda one: one.state,
    "tries": lambda one: one.tries,
    "validated errors": lambda one: one.validated_errors,
    "pending": lambda one: one.pending,
    "MER": lambda one: rate(one.mer),
    "vMER": vmer,
}
EFFORT_COLUMNS = {
    "target": lambda one: one.target or "the rule",
    "tries per fooling": lambda one: _interval(one.tries_per_fooling),
    "minutes per validated error": lambda one: measure(one.minutes_per_validated_error),
    "contexts unfooled": lambda one: [
        f"{point.share * 100:.0f} % after {point.tries}" for point in one.survival if point.share is not None
    ],
}
BREAKDOWN_COLUMNS = {
    "part": lambda part: part.name,
    "tries": lambda part: part.tries,
    "fooled": fooled,
    "resolved": resolved,
    "validated errors": lambda part: part.validated_errors,
    "MER": lambda part: rate(part.mer),
    "vMER": vmer,
    "validity": lambda part: rate(part.validity),
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


@app.command()
def standing(
    context: typer.Context,
    round_id: Annotated[str | None, typer.Argument(help="The round's id; all rounds if left out")] = None,
    as_json: AsJson = False,
) -> None:
    """Show where a round stands, or the rounds of all tasks that one owns."""
    area = client_of(context).leaderboard
    if round_id is None:
        found = every(lambda cursor: area.standings(limit=LARGEST_PAGE, cursor=cursor))
        Output(as_json).rows(found, STANDING_COLUMNS, "No round yet.")
        return
    one = area.standing(round_id)
    Output(as_json).record(one.document(), _standing_lines(one))


@app.command()
def agreement(context: typer.Context, round_id: RoundId, by: By = None, as_json: AsJson = False) -> None:
    """Show how far a round's votes agree, as a whole or part by part."""
    found, output = client_of(context).validation.agreement(round_id, by), Output(as_json)
    if by is None or as_json:
        output.record(found.document(), _agreement_lines(found))
    else:
        output.rows(found.groups, AGREEMENT_COLUMNS, "No votes yet.")


@app.command()
def effort(context: typer.Context, round_id: RoundId, as_json: AsJson = False) -> None:
    """Show how many tries and minutes fooling each target of a round took."""
    found = client_of(context).leaderboard.effort(round_id)
    Output(as_json).rows(found, EFFORT_COLUMNS, "No try yet.")


@app.command()
def breakdown(
    context: typer.Context,
    round_id: RoundId,
    by: Annotated[str, typer.Option(help="segment, target, condition, cohort, tag or week")],
    as_json: AsJson = False,
) -> None:
    """Show a round's figures part by part."""
    found, output = client_of(context).leaderboard.breakdown(round_id, by), Output(as_json)
    if as_json:
        output.document(found.document())
    else:
        output.rows(found.items, BREAKDOWN_COLUMNS, "No try yet.")


@app.command("next")
def next_round(
    context: typer.Context,
    round_id: RoundId,
    draft: Annotated[bool, typer.Option("--open", help="Draft the next round with the same targets")] = False,
    title: Annotated[str | None, typer.Option(help="What people see of the new round")] = None,
    as_json: AsJson = False,
) -> None:
    """Say whether it is time for the next round, with the evidence."""
    client = client_of(context)
    advised = client.leaderboard.next_round(round_id)
    document, said = advised.document(), _advice_lines(advised)
    if draft:
        one = client.annotation.round(round_id)
        drafted = client.annotation.create_round(one.task_slug, one.targets, title)
        document, said = {**document, "drafted": drafted.document()}, {**said, **described(drafted)}
    Output(as_json).record(document, said)


def _interval(figure: Rate) -> str:
    """Return a number that is no share, such as "3.2 (2.8-3.9)", or why it is missing."""
    if figure.value is None:
        return figure.reason or "–"
    if figure.low is None or figure.high is None:
        return f"{figure.value:.1f}" + (f" ({figure.reason})" if figure.reason else "")
    return f"{figure.value:.1f} ({figure.low:.1f}-{figure.high:.1f})"


def _standing_lines(one: Standing) -> dict[str, object]:
    burn_up, authors = one.burn_up, one.authors
    return {
        "round": one.round_id,
        "task": one.task_slug,
        "number": one.number,
        "title": one.title,
        "state": one.state,
        "opened": one.opened_at,
        **{name.replace("_", " "): count for name, count in one.funnel.document().items()},
        "goal": burn_up.goal,
        "validated errors per day": burn_up.per_day,
        "goal reached": _dates(burn_up.forecast) or burn_up.reason,
        "people": authors.people,
        "share of the first five": None
        if authors.top5_share is None
        else f"{authors.top5_share * 100:.0f} %",
        "claimed": one.labels.claimed,
        "gold": one.labels.gold,
        "cohorts": one.cohorts,
        "as of": one.as_of,
    }


def _dates(forecast: Forecast | None) -> str | None:
    if forecast is None or forecast.expected is None:
        return None
    band = [f"{at:%Y-%m-%d}" for at in (forecast.low, forecast.high) if at is not None]
    return f"{forecast.expected:%Y-%m-%d}" + (f" ({' to '.join(band)})" if band else "")


def _agreement_lines(found: Agreement) -> dict[str, object]:
    return {
        "examples": found.examples,
        "votes": found.votes,
        "voters": found.voters,
        "options": found.options,
        "coefficients over": found.basis.replace("_", " "),
        **agreement_lines(found),
        "largest camp": {f"{size} votes": count for size, count in found.vote_histogram.items()},
        "votes equal gold": found.votes_equal_gold,
        "gold": found.gold,
        **({"not counted yet": found.behind} if found.behind else {}),
    }


def _advice_lines(advised: NextRound) -> dict[str, object]:
    words = {"now": "it is time", "soon": "soon", "not_yet": "not yet"}
    evidence = {
        one.name.replace("_", " "): f"{one.says.replace('_', ' ')}: {one.text}" for one in advised.evidence
    }
    return {"next round": words.get(advised.advice, advised.advice), **evidence}
