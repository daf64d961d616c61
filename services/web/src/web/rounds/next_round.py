"""Drafting a task's next round: the targets that the board proposes, and the effect of each."""

from functools import partial
from itertools import islice, product

from dynabench_client.results.leaderboard import TargetProposals
from dynabench_client.results.models import ModelComparison
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit import form
from web.kit.dependencies import platform
from web.kit.outcomes import attempt
from web.kit.owned_round import OwnedRound, owned_round
from web.kit.parallel import ParallelFetch, Part
from web.kit.problems import ProblemView
from web.kit.rendering import go_to, page
from web.kit.round_actions import MOST_TARGETS
from web.rounds.actions_view import target_choices
from web.rounds.next_round_view import Pair, proposals_view

MOST_ROUNDS = 6
MOST_PAIRS = 24

blueprint = Blueprint("next_round", __name__, url_prefix="/tasks/<slug>/rounds/<int:number>/next")


@blueprint.get("")
@requires(Permission.MANAGE_TASK)
def get_next(slug: str, number: int) -> Response:
    """Preview the next round with the targets that the board proposes."""
    return _next_page(owned_round(Permission.MANAGE_TASK, slug, number))


@blueprint.post("")
@requires(Permission.MANAGE_TASK)
def post_next(slug: str, number: int) -> Response:
    """Draft the next round of the task against the chosen targets."""
    owned = owned_round(Permission.MANAGE_TASK, slug, number)
    title = form.text("title") or None
    targets = owned.round.targets if "same" in request.form else request.form.getlist("target")
    outcome = attempt(lambda: platform().annotation.create_round(slug, targets, title))
    if outcome.value is None:
        return _next_page(owned, outcome.problem)
    return go_to(f"/rounds/{outcome.value.round_id}", "round-drafted")


def _next_page(owned: OwnedRound, problem: ProblemView | None = None) -> Response:
    client, slug = platform(), owned.task.slug
    before = list(owned.round.targets)
    with ParallelFetch() as parts:
        proposing = parts.read(
            partial(client.leaderboard.target_proposals, slug, targets=_wanted(owned, len(before)))
        )
        serving = parts.read(partial(client.annotation.models, slug))
        listing = parts.read(partial(client.evaluations.scored_datasets, slug, limit=200))
        found, models, scored = proposing.value(), serving.value(), listing.value()
        rounds = sorted(
            (each for each in scored.items if each.round_number and each.state == "ready") if scored else (),
            key=lambda each: each.round_number or 0,
        )[-MOST_ROUNDS:]
        pairs = {
            (each.name, old, new): parts.read(partial(client.evaluations.compare, each.dataset_id, new, old))
            for new, old, each in islice(product(_newcomers(found, before), before, rounds), MOST_PAIRS)
        }
        compared = [_pair(name, old, new, part) for (name, old, new), part in pairs.items()]
    proposed = [each.model for each in found.proposed] if found else []
    chosen = request.form.getlist("target") if problem else proposed or before
    return page(
        "rounds/next.html",
        problem.status if problem else 200,
        **owned.views(),
        following=max(each.number for each in owned.task.rounds) + 1,
        proposals=proposals_view(found, compared) if found else None,
        choices=None if models is None else target_choices(before, models, chosen),
        most_targets=MOST_TARGETS,
        title=request.form.get("title", ""),
        problem=problem,
    )


def _wanted(owned: OwnedRound, before: int) -> int:
    """Return the task's number of targets for its next round, else the present number."""
    stated = owned.task.configuration.get("next_round")
    wanted = stated.get("targets") if isinstance(stated, dict) else None
    return max(1, min(wanted or before, MOST_TARGETS))


def _newcomers(found: TargetProposals | None, before: list[str]) -> list[str]:
    return [each.model for each in found.proposed if each.model not in before] if found else []


def _pair(dataset: str, old: str, new: str, part: Part[ModelComparison]) -> Pair:
    return Pair(dataset, old, new, part.value())
