"""Evidence of unfair work in a campaign, and the owner's decisions about people."""

from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode
from uuid import UUID

from dynabench_client.results.crowd import Comparison, Finding, PersonEvidence
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.campaigns.owned import OwnedCampaign, owned_campaign
from web.campaigns.people import person_name
from web.campaigns.words import EVIDENCE, assignment_state, named, units_words
from web.kit import form
from web.kit.dependencies import platform
from web.kit.fair_play import EXCLUDED, LONGEST_REASON, DecisionView, decision_view
from web.kit.language import N_, _, ngettext
from web.kit.numbers import conjunction, count, percent, seconds
from web.kit.outcomes import attempt
from web.kit.problems import ProblemView
from web.kit.rendering import go_to, page
from web.kit.words import Word

FAST = "fast"
DONE = {EXCLUDED: "person-excluded", "no_concern": "no-concern"}
FIGURES = {
    "pasted": N_("%(share)s of %(units)s have pasted text: %(characters)s characters in all."),
    "alike": N_("%(share)s of %(units)s are nearly equal to texts of %(people)s."),
    "alone": N_("%(share)s of %(units)s on decided examples agree with nobody."),
    "device": N_("The same device was used by %(people)s."),
    "address": N_("The same network was used by %(people)s."),
}
BASES = {
    "fast": N_("%(rate)s of the task's people are as fast."),
    "pasted": N_("Other people of the task: %(rate)s."),
    "alike": N_("All paid texts of the round: %(rate)s."),
    "alone": N_("Other people of the round: %(rate)s."),
    "device": N_("%(rate)s of the campaign's people share a device."),
    "address": N_("%(rate)s of the campaign's people share a network. Flats and universities often do."),
}

blueprint = Blueprint("campaign_fair_play", __name__, url_prefix="/tasks/<slug>/campaigns/<uuid:campaign_id>")


@dataclass(frozen=True)
class FindingView:
    """A finding in words, with its base rate."""

    name: str
    figure: str
    base: str


@dataclass(frozen=True)
class EvidenceView:
    """A person with findings. `address` leads to the person's examples, if they wrote any."""

    assignment_id: str
    name: str
    state: Word
    findings: list[FindingView]
    decision: DecisionView | None
    address: str


@dataclass(frozen=True)
class ComparisonView:
    """A figure that people are compared by."""

    name: str
    compared: str
    rate: str


@blueprint.get("/fair-play")
@requires(Permission.MANAGE_CAMPAIGNS)
def get_fair_play(slug: str, campaign_id: UUID) -> Response:
    """Show people whose work stands out."""
    return _fair_play_page(owned_campaign(slug, campaign_id))


@blueprint.post("/people/<uuid:assignment_id>/fair-play")
@requires(Permission.MANAGE_CAMPAIGNS)
def post_fair_play(slug: str, campaign_id: UUID, assignment_id: UUID) -> Response:
    """Find no concern, or exclude the person from the task's campaigns."""
    owned, about = owned_campaign(slug, campaign_id), str(assignment_id)
    decision, reason = form.text("decision"), form.text("reason")
    outcome = attempt(partial(platform().crowd.decide_fair_play, about, decision, reason))
    if outcome.value is None:
        return _fair_play_page(owned, outcome.problem, about)
    return go_to(owned.address("fair-play"), DONE[outcome.value.decision])


def _fair_play_page(owned: OwnedCampaign, problem: ProblemView | None = None, about: str = "") -> Response:
    found = platform().crowd.evidence(owned.campaign_id)
    typical = next((each.typical for each in found.comparisons if each.kind == FAST), None)
    return page(
        "campaigns/fair_play.html",
        problem.status if problem else 200,
        **owned.views(),
        people=[_person(each, owned, typical) for each in found.people],
        comparisons=[_comparison(each) for each in found.comparisons],
        longest_reason=LONGEST_REASON,
        about=about,
        entered=request.form.get("reason", ""),
        problem=problem,
    )


def _person(found: PersonEvidence, owned: OwnedCampaign, typical: float | None) -> EvidenceView:
    work = owned.campaign.work
    query = urlencode({"author_id": found.person_id})
    return EvidenceView(
        assignment_id=found.assignment_id,
        name=person_name(found.person_id),
        state=assignment_state(found.state),
        findings=[_finding(each, work, typical) for each in found.findings],
        decision=decision_view(found.fair_play),
        address=f"{owned.views()['base']}/examples?{query}" if work == "create" else "",
    )


def _finding(found: Finding, work: str, typical: float | None) -> FindingView:
    units = units_words(found.units, work)
    if found.kind == FAST:
        figure = _(
            "%(time)s a unit in the median of %(units)s; people of the task take %(typical)s.",
            time=seconds(found.figure),
            units=units,
            typical=seconds(typical or 0),
        )
    else:
        figure = _(
            FIGURES[found.kind],
            share=percent(found.figure, 0),
            units=units,
            characters=count(found.characters),
            people=conjunction(map(person_name, found.people)) if found.people else "",
        )
    return FindingView(
        named(found.kind, EVIDENCE), figure, _(BASES[found.kind], rate=percent(found.base_rate))
    )


def _comparison(found: Comparison) -> ComparisonView:
    return ComparisonView(
        name=named(found.kind, EVIDENCE),
        compared=ngettext(
            "%(shown)s\u00a0person", "%(shown)s\u00a0people", found.compared, shown=count(found.compared)
        ),
        rate=_("too little work yet") if found.base_rate is None else percent(found.base_rate),
    )
