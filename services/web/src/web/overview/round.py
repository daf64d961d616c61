"""Where one round stands, for those who look after its task; what a service does not tell in time is left out."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from dynabench_client import Dynabench
from dynabench_client.pages import LARGEST_PAGE
from dynabench_client.results.agreement import Agreement, HumanEstimate, VotesAdvice
from dynabench_client.results.base import Page
from dynabench_client.results.dead_letters import DeadLetters
from dynabench_client.results.gateway import Model
from dynabench_client.results.leaderboard import Breakdown, FoolingMatrix, History, RoundFigures
from dynabench_client.results.owner_work import WorkCounts
from dynabench_client.results.quality import Validator
from dynabench_client.results.rounds import Collection
from dynabench_client.results.standing import Effort, NextRound, Standing
from dynabench_common.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit.charts.balance import balance
from web.kit.charts.fooling import fooling
from web.kit.charts.funnel import funnel
from web.kit.charts.over_time import over_time
from web.kit.charts.svg import Chart
from web.kit.dependencies import platform
from web.kit.numbers import moment
from web.kit.outcomes import optional
from web.kit.owned_round import OwnedRound, owned_round
from web.kit.parallel import ParallelFetch
from web.kit.rendering import page
from web.kit.round_actions import actions, needs
from web.kit.rounds import figures_view
from web.kit.words import origin_words
from web.overview.agreement import advice_view, agreement_view, estimate_sentence
from web.overview.burn_up import burn_up
from web.overview.effort import effort_rows
from web.overview.figures import (
    PARTS,
    backlog_sentence,
    breakdown_view,
    cohort_rows,
    next_round_view,
    people_lines,
    segment_names,
    stages_of,
)
from web.overview.health import dead_letters_view, target_rows
from web.overview.survival import survival

blueprint = Blueprint("overview", __name__)


@dataclass(frozen=True)
class OverviewData:
    """What the services data of a round; None for what they did not tell in time."""

    standing: Standing | None
    board: RoundFigures | None
    history: History | None
    matrix: FoolingMatrix | None
    breakdown: Breakdown | None
    effort: tuple[Effort, ...] | None
    next_round: NextRound | None
    collection: Collection | None
    work: WorkCounts | None
    agreement: Agreement | None
    estimate: HumanEstimate | None
    advice: VotesAdvice | None
    validators: Page[Validator] | None
    models: tuple[Model, ...] | None
    dead_letters: dict[str, tuple[DeadLetters, ...] | None]


@blueprint.get("/tasks/<slug>/rounds/<int:number>/standing")
@requires(Permission.READ_STANDING)
def get_overview(slug: str, number: int) -> Response:
    """Show where a round stands, split as asked for with `by`."""
    owned = owned_round(Permission.READ_STANDING, slug, number)
    by = request.args.get("by", "")
    by = by if by in PARTS else "segment"
    data = _ask(platform(), owned, by)
    return page(
        "overview/round.html",
        **owned.views(),
        **_figures(owned, data, by),
        **_votes(data),
        **_health(owned, data),
        actions=actions(owned.round),
        parts=PARTS,
        by=by,
    )


def _ask(client: Dynabench, owned: OwnedRound, by: str) -> OverviewData:
    """Ask all services at the same time; the parts that the page is opened for are asked first."""
    round_id = owned.round_id
    board, votes, annotation = client.leaderboard, client.validation, client.annotation
    consumers = (client.accounts, annotation, votes, board, client.datasets)
    with ParallelFetch() as parts:
        standing = parts.read(partial(board.standing, round_id))
        work = parts.read(partial(votes.work_counts, round_id))
        figures = parts.read(partial(board.round, round_id))
        next_round = parts.read(partial(board.next_round, round_id))
        history = parts.read(partial(board.history, round_id))
        matrix = parts.read(partial(board.matrix, round_id))
        breakdown = parts.read(partial(board.breakdown, round_id, by))
        effort = parts.read(partial(board.effort, round_id))
        collection = parts.read(partial(annotation.collection, round_id))
        agreement = parts.read(partial(votes.agreement, round_id, by))
        estimate = parts.read(partial(votes.human_estimate, round_id))
        advice = parts.read(partial(votes.votes_advice, round_id))
        validators = parts.read(partial(votes.validators, owned.task.slug, limit=LARGEST_PAGE))
        models = parts.read(partial(_models, client, owned.round.targets))
        letters = {area.service: parts.read(area.dead_letters) for area in consumers}
        return OverviewData(
            standing=standing.value(),
            board=figures.value(),
            history=history.value(),
            matrix=matrix.value(),
            breakdown=breakdown.value(),
            effort=effort.value(),
            next_round=next_round.value(),
            collection=collection.value(),
            work=work.value(),
            agreement=agreement.value(),
            estimate=estimate.value(),
            advice=advice.value(),
            validators=validators.value(),
            models=models.value(),
            dead_letters={service: each.value() for service, each in letters.items()},
        )


def _models(client: Dynabench, targets: Sequence[str]) -> tuple[Model, ...]:
    """Return the served models, of the targets with how they do; one that can't be asked now is named alone."""
    served = client.gateway.models()
    return tuple(
        optional(partial(client.gateway.model, model.name)) or model
        for model in served
        if model.name in targets
    )


def _validators(data: OverviewData) -> tuple[Validator, ...]:
    return data.validators.items if data.validators else ()


def _figures(owned: OwnedRound, data: OverviewData, by: str) -> dict[str, Any]:
    standing = data.standing
    return {
        "figures": None if data.board is None else figures_view(data.board),
        "opened": moment(standing.opened_at) if standing else None,
        "as_of": moment(standing.as_of) if standing else None,
        "origin": origin_words(owned.round.origin),
        "charts": [chart for chart in _charts(data) if chart],
        "next_round": None if data.next_round is None else next_round_view(data.next_round),
        "breakdown": None if data.breakdown is None else breakdown_view(data.breakdown, by),
        "efforts": None if data.effort is None else effort_rows(data.effort),
        "people": people_lines(standing, data.collection),
        "cohorts": cohort_rows(standing.cohorts) if standing else [],
    }


def _charts(data: OverviewData) -> list[Chart | None]:
    standing, board = data.standing, data.board
    contexts = data.collection.contexts if data.collection else None
    return [
        over_time(data.history.points, board) if data.history and board else None,
        burn_up(standing.burn_up) if standing else None,
        funnel(stages_of(contexts, standing.funnel)) if standing else None,
        survival(data.effort) if data.effort else None,
        balance(standing.labels.claimed, standing.labels.gold) if standing else None,
        fooling(data.matrix) if data.matrix else None,
    ]


def _votes(data: OverviewData) -> dict[str, Any]:
    segments = segment_names(data.board)
    return {
        "agreement": None if data.agreement is None else agreement_view(data.agreement, segments),
        "estimate": None if data.estimate is None else estimate_sentence(data.estimate),
        "advice": None if data.advice is None else advice_view(data.advice),
    }


def _health(owned: OwnedRound, data: OverviewData) -> dict[str, Any]:
    work = data.work
    return {
        "needs": None if work is None else needs(work, _validators(data), owned.round),
        "backlog": None if work is None else backlog_sentence(work, datetime.now(UTC)),
        "targets": None if data.models is None else target_rows(owned.round.targets, data.models),
        "dead_letters": dead_letters_view(data.dead_letters),
    }
