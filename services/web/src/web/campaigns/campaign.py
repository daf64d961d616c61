"""Campaigns of a round, and the page of one: its state, places and money."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.campaigns.campaign_view import EstimateView, campaign_view, estimate_view
from web.campaigns.owned import OwnedCampaign, campaign_address, owned_campaign
from web.campaigns.plan import read_amount
from web.kit.dependencies import platform
from web.kit.form import whole_number
from web.kit.language import NC_, _, pgettext
from web.kit.outcomes import attempt, optional
from web.kit.owned_round import owned_round
from web.kit.parallel import ParallelFetch
from web.kit.problems import ProblemView
from web.kit.questions import refusal
from web.kit.rendering import go_to, page

STATE = "<any(running, paused, ended):state>"
MOVES: Mapping[str, list[tuple[str, str, str]]] = {
    "draft": [
        (
            "running",
            NC_("what is done with a campaign", "Launch campaign"),
            NC_("what is done with a campaign", "Launch this campaign?"),
        )
    ],
    "running": [
        (
            "paused",
            NC_("what is done with a campaign", "Pause campaign"),
            NC_("what is done with a campaign", "Pause this campaign?"),
        ),
        (
            "ended",
            NC_("what is done with a campaign", "End campaign"),
            NC_("what is done with a campaign", "End this campaign?"),
        ),
    ],
    "paused": [
        (
            "running",
            NC_("what is done with a campaign", "Resume campaign"),
            NC_("what is done with a campaign", "Resume this campaign?"),
        ),
        (
            "ended",
            NC_("what is done with a campaign", "End campaign"),
            NC_("what is done with a campaign", "End this campaign?"),
        ),
    ],
}
"""By state, the states that may follow, each with its button and its question."""
DONE = {"running": "campaign-running", "paused": "campaign-paused", "ended": "campaign-ended"}

blueprint = Blueprint("campaigns", __name__)


@dataclass(frozen=True)
class Move:
    """A change of state, with its button, its question and its address."""

    state: str
    name: str
    question: str
    address: str


@blueprint.get("/tasks/<slug>/rounds/<int:number>/campaigns")
@requires(Permission.MANAGE_CAMPAIGNS)
def get_campaigns(slug: str, number: int) -> Response:
    """List a round's campaigns."""
    owned = owned_round(Permission.MANAGE_CAMPAIGNS, slug, number)
    client = platform().crowd
    with ParallelFetch() as parts:
        asked = parts.read(client.platforms)
        listed = attempt(partial(client.campaigns, owned.round_id))
        titles = {each.name: each for each in asked.value() or ()}
    return page(
        "campaigns/list.html",
        **owned.views(),
        campaigns=[
            (campaign_view(each, titles.get(each.platform)), campaign_address(slug, each.campaign_id))
            for each in listed.value or ()
        ],
        problem=listed.problem,
    )


@blueprint.get("/tasks/<slug>/campaigns/<uuid:campaign_id>")
@requires(Permission.MANAGE_CAMPAIGNS)
def get_campaign(slug: str, campaign_id: UUID) -> Response:
    """Show a campaign."""
    return _campaign_page(owned_campaign(slug, campaign_id))


@blueprint.get(f"/tasks/<slug>/campaigns/<uuid:campaign_id>/state/{STATE}")
@requires(Permission.MANAGE_CAMPAIGNS)
def get_state(slug: str, campaign_id: UUID, state: str) -> Response:
    """Preview a state change of the campaign."""
    return _state_page(owned_campaign(slug, campaign_id), state)


@blueprint.post(f"/tasks/<slug>/campaigns/<uuid:campaign_id>/state/{STATE}")
@requires(Permission.MANAGE_CAMPAIGNS)
def post_state(slug: str, campaign_id: UUID, state: str) -> Response:
    """Launch, pause, resume or end the campaign."""
    owned = owned_campaign(slug, campaign_id)
    outcome = attempt(partial(platform().crowd.set_state, owned.campaign_id, state))
    if outcome.value is None:
        return _state_page(owned, state, outcome.problem)
    return go_to(owned.address(), DONE[state])


@blueprint.post("/tasks/<slug>/campaigns/<uuid:campaign_id>/places")
@requires(Permission.MANAGE_CAMPAIGNS)
def post_places(slug: str, campaign_id: UUID) -> Response:
    """Add places; the form has their new number, so that a repeated request adds nothing."""
    owned = owned_campaign(slug, campaign_id)
    places = whole_number(request.form.get("places", "").strip())
    if places is None:
        remedy = _("Give a whole number such as %(example)s.", example=owned.campaign.places + 10)
        return _campaign_page(owned, refusal("places", _("The number is not valid."), remedy))
    return _done(owned, "places-added", partial(platform().crowd.set_places, owned.campaign_id, places))


@blueprint.post("/tasks/<slug>/campaigns/<uuid:campaign_id>/top-up")
@requires(Permission.MANAGE_CAMPAIGNS)
def post_top_up(slug: str, campaign_id: UUID) -> Response:
    """Add an amount to the pay of everybody who has handed in work; nobody gets a second one."""
    owned = owned_campaign(slug, campaign_id)
    amount = read_amount("amount", request.form.get("amount", ""), owned.campaign.currency)
    if amount.value is None:
        return _campaign_page(owned, amount.problem)
    return _done(owned, "topped-up", partial(platform().crowd.top_up, owned.campaign_id, amount.value))


@blueprint.post("/tasks/<slug>/campaigns/<uuid:campaign_id>/deletion")
@requires(Permission.MANAGE_CAMPAIGNS)
def post_deletion(slug: str, campaign_id: UUID) -> Response:
    """Delete a draft."""
    owned = owned_campaign(slug, campaign_id)
    outcome = attempt(partial(platform().crowd.discard_draft, owned.campaign_id))
    if outcome.problem is not None:
        return _campaign_page(owned, outcome.problem)
    return go_to(f"{owned.views()['base']}/campaigns", "campaign-deleted")


def _done(owned: OwnedCampaign, done: str, act: Callable[[], Any]) -> Response:
    outcome = attempt(act)
    if outcome.problem is not None:
        return _campaign_page(owned, outcome.problem)
    return go_to(owned.address(), done)


def _campaign_page(owned: OwnedCampaign, problem: ProblemView | None = None) -> Response:
    return page(
        "campaigns/campaign.html",
        problem.status if problem else 200,
        **owned.views(),
        moves=_moves(owned),
        estimate=_estimate(owned),
        entered={name: request.form.get(name, "") for name in ("places", "amount")},
        problem=problem,
    )


def _state_page(owned: OwnedCampaign, state: str, problem: ProblemView | None = None) -> Response:
    return page(
        "campaigns/state.html",
        problem.status if problem else 200,
        **owned.views(),
        move=next((each for each in _moves(owned) if each.state == state), None),
        estimate=_estimate(owned),
        problem=problem,
    )


def _moves(owned: OwnedCampaign) -> list[Move]:
    context = "what is done with a campaign"
    return [
        Move(state, pgettext(context, name), pgettext(context, question), owned.address("state", state))
        for state, name, question in MOVES.get(owned.campaign.state, [])
    ]


def _estimate(owned: OwnedCampaign) -> EstimateView | None:
    found = optional(partial(platform().crowd.pay_of, owned.campaign_id))
    return None if found is None else estimate_view(found, owned.campaign.reward_minor)
