"""People of a campaign: their assignments, approved, rejected or screened out by the owner."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from dynabench_client.results.crowd import Campaign, CampaignAssignment
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.campaigns.owned import OwnedCampaign, owned_campaign
from web.campaigns.words import ASSIGNMENT_STATES, FEWER, REJECTIONS, assignment_state, named
from web.kit import form
from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.money import money
from web.kit.numbers import MISSING, TimeView, count, decimal, moment, short_id
from web.kit.outcomes import attempt
from web.kit.problems import ProblemView
from web.kit.rendering import go_to, page
from web.kit.words import Word

PAGE = 25
SHORTEST_REASON = 100
LONGEST_REASON = 1000

blueprint = Blueprint("campaign_people", __name__, url_prefix="/tasks/<slug>/campaigns/<uuid:campaign_id>")


@dataclass(frozen=True)
class PersonRow:
    """A person's assignment, and what the owner can do with it."""

    assignment_id: str
    name: str
    state: Word
    done: str
    errors: str
    accepted: TimeView | None
    minutes: str
    owed: str
    paid: str
    rejection: str
    rejection_category: str
    why: str
    is_proved: bool
    is_handed_in: bool
    can_be_screened_out: bool


@blueprint.get("/people")
@requires(Permission.MANAGE_CAMPAIGNS)
def get_people(slug: str, campaign_id: UUID) -> Response:
    """List the people of a campaign, also by state."""
    return _people_page(owned_campaign(slug, campaign_id))


@blueprint.post("/approvals")
@requires(Permission.MANAGE_CAMPAIGNS)
def post_approvals(slug: str, campaign_id: UUID) -> Response:
    """Approve all that is handed in."""
    owned = owned_campaign(slug, campaign_id)
    return _done(owned, "", "assignments-approved", partial(platform().crowd.approve_all, owned.campaign_id))


@blueprint.post("/people/<uuid:assignment_id>/approval")
@requires(Permission.MANAGE_CAMPAIGNS)
def post_approval(slug: str, campaign_id: UUID, assignment_id: UUID) -> Response:
    """Approve one person's work."""
    about = str(assignment_id)
    return _done(
        owned_campaign(slug, campaign_id),
        about,
        "assignment-approved",
        partial(platform().crowd.approve, about),
    )


@blueprint.post("/people/<uuid:assignment_id>/rejection")
@requires(Permission.MANAGE_CAMPAIGNS)
def post_rejection(slug: str, campaign_id: UUID, assignment_id: UUID) -> Response:
    """Reject one person's work, for a reason that the person reads."""
    about, category, reason = str(assignment_id), form.text("category"), form.text("reason")
    return _done(
        owned_campaign(slug, campaign_id),
        about,
        "assignment-rejected",
        partial(platform().crowd.reject, about, category, reason),
    )


@blueprint.post("/people/<uuid:assignment_id>/screen-out")
@requires(Permission.MANAGE_CAMPAIGNS)
def post_screen_out(slug: str, campaign_id: UUID, assignment_id: UUID) -> Response:
    """Screen out a person who does not fit."""
    about = str(assignment_id)
    return _done(
        owned_campaign(slug, campaign_id),
        about,
        "assignment-screened-out",
        partial(platform().crowd.screen_out, about),
    )


def _done(owned: OwnedCampaign, about: str, done: str, act: Callable[[], Any]) -> Response:
    outcome = attempt(act)
    if outcome.problem is not None:
        return _people_page(owned, outcome.problem, about)
    return go_to(_address(owned, _state()), done)


def _state() -> str:
    """Return the state that the list is narrowed to; empty for all."""
    asked = request.values.get("state", "")
    return asked if asked in ASSIGNMENT_STATES else ""


def _address(owned: OwnedCampaign, state: str, **more: str) -> str:
    query = urlencode({**({"state": state} if state else {}), **more})
    return owned.address("people") + (f"?{query}" if query else "")


def _people_page(owned: OwnedCampaign, problem: ProblemView | None = None, about: str = "") -> Response:
    state, cursor = _state(), request.args.get("cursor")
    listed = platform().crowd.assignments(owned.campaign_id, state=state or None, cursor=cursor, limit=PAGE)
    counts = owned.campaign.counts
    return page(
        "campaigns/people.html",
        problem.status if problem else 200,
        **owned.views(),
        people=[person_row(each, owned.campaign) for each in listed.items],
        states=[
            (name, assignment_state(name).text, count(counts[name]), _address(owned, name))
            for name in ASSIGNMENT_STATES
            if counts.get(name)
        ],
        state=state,
        rejections={name: _(words) for name, words in REJECTIONS.items()},
        shortest_reason=SHORTEST_REASON,
        longest_reason=LONGEST_REASON,
        is_first=not cursor,
        first_address=_address(owned, state),
        next_address=_address(owned, state, cursor=listed.next_cursor) if listed.next_cursor else "",
        about=about,
        entered={name: request.form.get(name, "") for name in ("category", "reason")},
        problem=problem,
    )


def person_row(found: CampaignAssignment, campaign: Campaign) -> PersonRow:
    """Return the row of an assignment."""

    def amount(minor: int) -> str:
        return money(minor, campaign.currency) if minor else MISSING

    return PersonRow(
        assignment_id=found.assignment_id,
        name=person_name(found.person_id),
        state=assignment_state(found.state),
        done=_("%(done)s of %(units)s", done=count(found.done), units=count(campaign.units)),
        errors=count(found.validated_errors),
        accepted=moment(found.accepted_at),
        minutes=decimal(found.minutes),
        owed=amount(found.owed_minor),
        paid=amount(found.paid_minor),
        rejection=found.rejection or "",
        rejection_category=named(found.rejection_category or "other", REJECTIONS),
        why=named(found.why, FEWER) if found.why else "",
        is_proved=found.is_proved,
        is_handed_in=found.state == "submitted",
        can_be_screened_out=found.state == "working" and campaign.screen_out_minor > 0,
    )


def person_name(person_id: str) -> str:
    """Return the short pseudonym of a person."""
    return _("Person %(id)s", id=short_id(person_id))
