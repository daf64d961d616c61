"""Actions of an owner on a round: change its state, replace its targets.

Each page first shows the effect. The action runs when the form on the page is sent.
"""

from functools import partial

from dynabench_client.results.annotation import Round
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit import form
from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.outcomes import Outcome, attempt, optional
from web.kit.owned_round import OwnedRound, owned_round
from web.kit.parallel import ParallelFetch
from web.kit.problems import ProblemView
from web.kit.rendering import go_to, page
from web.kit.round_actions import MOST_TARGETS, given_reason
from web.rounds.actions_view import move_view, target_choices

WOULD_BE_EMPTIED = "round-would-be-emptied"
STATE = "<any(open, paused, closed):state>"

blueprint = Blueprint("round_actions", __name__, url_prefix="/tasks/<slug>/rounds/<int:number>")


@blueprint.get(f"/state/{STATE}")
@requires(Permission.MANAGE_TASK)
def get_state(slug: str, number: int, state: str) -> Response:
    """Preview a state change of the round."""
    return _state_page(owned_round(Permission.MANAGE_TASK, slug, number), state)


@blueprint.post(f"/state/{STATE}")
@requires(Permission.MANAGE_TASK)
def post_state(slug: str, number: int, state: str) -> Response:
    """Open, pause, close or reopen the round."""
    owned = owned_round(Permission.MANAGE_TASK, slug, number)
    reason = form.text("reason") or None
    outcome = attempt(lambda: platform().annotation.set_round_state(owned.round_id, state, reason))
    if outcome.value is None:
        return _state_page(owned, state, outcome.problem)
    return go_to(owned.address("standing"), f"state-{state}")


@blueprint.get("/targets")
@requires(Permission.MANAGE_TASK)
def get_targets(slug: str, number: int) -> Response:
    """Show the round's targets and the models to choose from."""
    owned = owned_round(Permission.MANAGE_TASK, slug, number)
    return _targets_page(owned, list(owned.round.targets))


@blueprint.post("/targets")
@requires(Permission.MANAGE_TASK)
def post_targets(slug: str, number: int) -> Response:
    """Replace the round's targets by the chosen ones."""
    owned = owned_round(Permission.MANAGE_TASK, slug, number)
    chosen = request.form.getlist("target")
    outcome = _change_targets(owned, chosen)
    if outcome.value is None:
        return _targets_page(owned, chosen, outcome.problem)
    return go_to(owned.address("standing"), "targets-changed")


def _change_targets(owned: OwnedRound, chosen: list[str]) -> Outcome[Round]:
    reason = given_reason(_("Say why you change the models."))
    if reason.value is None:
        return Outcome(problem=reason.problem)
    said = reason.value
    is_confirmed = "confirm_no_targets" in request.form
    return attempt(
        lambda: platform().annotation.set_targets(
            owned.round_id, chosen, said, confirm_no_targets=is_confirmed
        )
    )


def _state_page(owned: OwnedRound, state: str, problem: ProblemView | None = None) -> Response:
    client = platform()
    with ParallelFetch() as parts:
        previewing = parts.read(partial(client.annotation.preview_state, owned.round_id, state))
        counting = parts.read(partial(client.validation.counts, owned.round_id))
        move = move_view(owned.round, state, previewing.value(), counting.value())
    return page(
        "rounds/state.html",
        problem.status if problem else 200,
        **owned.views(),
        move=move,
        reason=request.form.get("reason", ""),
        problem=problem,
    )


def _targets_page(owned: OwnedRound, chosen: list[str], problem: ProblemView | None = None) -> Response:
    models = optional(lambda: platform().annotation.models(owned.task.slug))
    return page(
        "rounds/targets.html",
        problem.status if problem else 200,
        **owned.views(),
        choices=None if models is None else target_choices(owned.round.targets, models, chosen),
        most_targets=MOST_TARGETS,
        asks_to_confirm=problem is not None and problem.slug == WOULD_BE_EMPTIED,
        reason=request.form.get("reason", ""),
        problem=problem,
    )
