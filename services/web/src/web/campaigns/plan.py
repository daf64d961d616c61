"""Drafting a campaign: the form for a new one or a draft, with a live estimate of time, pay and cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from dynabench_client.results.crowd import Campaign, PayEstimate, Platform
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.campaigns.campaign_view import EstimateView, estimate_view, platform_notes
from web.campaigns.owned import OwnedCampaign, campaign_address, owned_campaign
from web.campaigns.words import WORK
from web.kit import form
from web.kit.dependencies import platform
from web.kit.form import whole_number
from web.kit.language import _
from web.kit.money import minor_units, typed_amount
from web.kit.outcomes import Outcome, attempt
from web.kit.owned_round import OwnedRound, owned_round
from web.kit.problems import ProblemView
from web.kit.questions import refusal
from web.kit.rendering import go_to, page

NUMBERS = ("units", "places", "minutes")
AMOUNTS = ("reward", "bonus", "screen_out")
DEFAULTS = {
    "work": "create",
    "units": "5",
    "places": "20",
    "bonus": "0",
    "screen_out": "0",
    "minutes": "60",
}
CONTROLS = ("title", "platform", "currency", "languages", "qualifications", "reward", *DEFAULTS)
SAME_KEY = {"idempotency-key-in-use", "service-unreachable"}
"""Problems after which a write may have been stored; its form keeps the key."""

blueprint = Blueprint("campaign_plan", __name__)


@dataclass(frozen=True)
class Plan:
    """A form for a campaign: where it is sent, and what it begins with."""

    owned: OwnedRound
    platforms: Sequence[Platform]
    address: str
    back: str
    start: Mapping[str, str]
    is_new: bool


@blueprint.get("/tasks/<slug>/rounds/<int:number>/campaigns/new")
@requires(Permission.MANAGE_CAMPAIGNS)
def get_new(slug: str, number: int) -> Response:
    """Show the form for a new campaign, with an estimate of the values in the address."""
    return _plan_page(_new(owned_round(Permission.MANAGE_CAMPAIGNS, slug, number)), request.args)


@blueprint.post("/tasks/<slug>/rounds/<int:number>/campaigns/new")
@requires(Permission.MANAGE_CAMPAIGNS)
def post_new(slug: str, number: int) -> Response:
    """Draft a campaign."""
    owned, key = owned_round(Permission.MANAGE_CAMPAIGNS, slug, number), form.key()
    body = read_plan(request.form)
    outcome = (
        Outcome[Campaign](problem=body.problem)
        if body.value is None
        else attempt(partial(platform().crowd.create, owned.round_id, **body.value, idempotency_key=key))
    )
    if outcome.value is None:
        return _plan_page(_new(owned), request.form, outcome.problem)
    return go_to(campaign_address(slug, outcome.value.campaign_id), "campaign-drafted")


@blueprint.get("/tasks/<slug>/campaigns/<uuid:campaign_id>/edit")
@requires(Permission.MANAGE_CAMPAIGNS)
def get_edit(slug: str, campaign_id: UUID) -> Response:
    """Show the form of a draft."""
    return _plan_page(_draft(owned_campaign(slug, campaign_id)), request.args)


@blueprint.post("/tasks/<slug>/campaigns/<uuid:campaign_id>/edit")
@requires(Permission.MANAGE_CAMPAIGNS)
def post_edit(slug: str, campaign_id: UUID) -> Response:
    """Change a draft."""
    owned, body = owned_campaign(slug, campaign_id), read_plan(request.form)
    outcome = (
        Outcome[Campaign](problem=body.problem)
        if body.value is None
        else attempt(partial(platform().crowd.change, owned.campaign_id, **body.value))
    )
    if outcome.value is None:
        return _plan_page(_draft(owned), request.form, outcome.problem)
    return go_to(owned.address(), "campaign-saved")


@blueprint.post("/tasks/<slug>/rounds/<int:number>/campaigns/estimate")
@requires(Permission.MANAGE_CAMPAIGNS)
def post_estimate(slug: str, number: int) -> Response:
    """Send only the estimate to the open form."""
    owned = owned_round(Permission.MANAGE_CAMPAIGNS, slug, number)
    estimate = _estimate(owned.round_id, _given(request.form, {}))
    return page("campaigns/estimate.html", estimate=estimate.value, estimate_problem=estimate.problem)


def read_plan(given: Mapping[str, str]) -> Outcome[dict[str, Any]]:
    """Return the campaign in a form, or the first value that can't be read."""
    read = _read_numbers(given, NUMBERS, AMOUNTS)
    if read.value is None:
        return read
    return Outcome(
        value={
            **{name: given.get(name, "").strip() for name in ("title", "work", "platform", "currency")},
            **read.value,
            "languages": _split(given.get("languages", ""), ","),
            "qualifications": _split(given.get("qualifications", ""), "\n"),
        }
    )


def read_amount(control: str, text: str, currency: str) -> Outcome[int]:
    """Return a typed amount in minor units, or the problem with it."""
    minor = minor_units(text.strip(), currency)
    if minor is None:
        remedy = _("Give an amount such as %(example)s.", example=typed_amount(150, currency))
        return Outcome(problem=refusal(control, _("The amount is not valid."), remedy))
    return Outcome(value=minor)


def _read_numbers(
    given: Mapping[str, str], numbers: Sequence[str], amounts: Sequence[str]
) -> Outcome[dict[str, Any]]:
    read: dict[str, Any] = {}
    for name in numbers:
        read[name] = whole_number(given.get(name, "").strip())
        if read[name] is None:
            remedy = _("Give a whole number such as %(example)s.", example=DEFAULTS[name])
            return Outcome(problem=refusal(name, _("The number is not valid."), remedy))
    for name in amounts:
        text = given.get(name, "") or DEFAULTS.get(name, "")
        amount = read_amount(name, text, given.get("currency", ""))
        if amount.value is None:
            return Outcome(problem=amount.problem)
        read[f"{name}_minor"] = amount.value
    return Outcome(value=read)


def _split(text: str, between: str) -> list[str]:
    return [part.strip() for part in text.split(between) if part.strip()]


def _new(owned: OwnedRound) -> Plan:
    platforms = platform().crowd.platforms()
    first = next(iter(platforms), None)
    start = {
        **DEFAULTS,
        "platform": first.name if first else "",
        "currency": first.currencies[0] if first and first.currencies else "",
        "languages": ", ".join(owned.task.languages),
    }
    address = owned.address("campaigns")
    return Plan(owned, platforms, f"{address}/new", address, start, is_new=True)


def _draft(owned: OwnedCampaign) -> Plan:
    found = owned.campaign
    start = {
        **{name: str(getattr(found, name)) for name in ("title", "platform", "work", "currency", *NUMBERS)},
        **{name: typed_amount(getattr(found, f"{name}_minor"), found.currency) for name in AMOUNTS},
        "languages": ", ".join(found.languages),
        "qualifications": "\n".join(found.qualifications),
    }
    return Plan(
        OwnedRound(owned.task, owned.round),
        platform().crowd.platforms(),
        owned.address("edit"),
        owned.address(),
        start,
        is_new=False,
    )


def _given(entered: Mapping[str, str], start: Mapping[str, str]) -> dict[str, str]:
    given = {name: entered.get(name, start.get(name, "")) for name in CONTROLS}
    return {**given, "reward": entered.get("proposed", given["reward"])}


def _estimate(round_id: str, given: Mapping[str, str]) -> Outcome[EstimateView]:
    """Return the estimate of a form's values; neither value nor problem while some are missing."""
    read = _read_numbers(given, ("units", "places"), ("reward", "bonus"))
    if read.value is None or not given["platform"]:
        return Outcome()
    of_plan: dict[str, Any] = {name: given[name] for name in ("work", "platform", "currency")}
    asked: Outcome[PayEstimate] = attempt(
        partial(platform().crowd.estimate, round_id, **of_plan, **read.value)
    )
    if asked.value is None:
        return Outcome(problem=asked.problem)
    return Outcome(value=estimate_view(asked.value, read.value["reward_minor"]))


def _plan_page(plan: Plan, entered: Mapping[str, str], problem: ProblemView | None = None) -> Response:
    given = _given(entered, plan.start)
    estimate = _estimate(plan.owned.round_id, given)
    currencies = sorted({each for found in plan.platforms for each in found.currencies})
    return page(
        "campaigns/plan.html",
        problem.status if problem else 200,
        **plan.owned.views(),
        plan=plan,
        given=given,
        form_key=form.key() if problem is None or problem.slug in SAME_KEY else uuid4().hex,
        works={name: _(words) for name, words in WORK.items()},
        platforms=[(each, platform_notes(each)) for each in plan.platforms],
        currencies=currencies,
        estimate=estimate.value,
        estimate_problem=estimate.problem,
        problem=_at_control(problem),
    )


def _at_control(problem: ProblemView | None) -> ProblemView | None:
    """Return a problem with the field that the form has for it."""
    if problem is None:
        return None
    return replace(problem, field=problem.field.partition(".")[0].removesuffix("_minor"))
