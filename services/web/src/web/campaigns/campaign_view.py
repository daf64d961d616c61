"""Views of a campaign: its progress, its money, and an estimate of its pay."""

from dataclasses import dataclass

from dynabench_client.results.crowd import Campaign, PayEstimate, Platform
from markupsafe import Markup

from web.campaigns.words import (
    ASSIGNMENT_STATES,
    WORK,
    assignment_state,
    campaign_state,
    named,
    units_words,
)
from web.kit.language import _, ngettext
from web.kit.money import money, typed_amount
from web.kit.numbers import MISSING, TimeView, count, decimal, moment
from web.kit.service_words import service_words
from web.kit.tries_line import FULL, HOLLOW, TriesPart, stacked_bar, stacked_key
from web.kit.words import Word, language_words

FREE = "free"
SHAPES = {"approved": FULL, "submitted": HOLLOW, "working": FULL, "rejected": (3, 6), FREE: (5, 2)}
"""Shapes of the places in the bar: without colours too they differ."""
PLACED = ("approved", "submitted", "working")
"""States of assignments that take a place."""


@dataclass(frozen=True)
class CampaignView:
    """A campaign; amounts and counts are in print."""

    campaign_id: str
    title: str
    state_name: str
    state: Word
    work: str
    platform: str
    is_test: bool
    is_weak: bool
    units: str
    reward: str
    bonus: str
    screen_out: str
    most_minutes: str
    languages: str
    qualifications: tuple[str, ...]
    entry_url: str
    study_url: str
    problem: str
    taken: int
    places: int
    places_words: str
    bar: Markup
    parts: list[TriesPart]
    handed_in: int
    handed_in_words: str
    open_appeals: str
    done: str
    errors: str
    per_error: str
    reserved: str
    owed: str
    paid: str
    lost: str
    launched: TimeView | None
    ended: TimeView | None

    @property
    def is_draft(self) -> bool:
        """Return whether the campaign was never launched."""
        return self.state_name == "draft"

    @property
    def is_under_way(self) -> bool:
        """Return whether people can still come, now or after a pause."""
        return self.state_name in {"running", "paused"}


@dataclass(frozen=True)
class EstimateView:
    """Expected time, pay and cost. `warning` is empty at the floor and above; `proposed` is a better reward."""

    time: str
    hourly: str
    cost: str
    most_bonus: str
    warning: str
    advice: str
    proposed: str
    proposed_words: str
    top_up: str


def campaign_view(found: Campaign, platform: Platform | None = None) -> CampaignView:
    """Return the view of a campaign; without its platform, by the platform's short name."""

    def amount(minor: int, missing: str = "") -> str:
        return money(minor, found.currency) if minor else missing

    taken = sum(found.counts.get(each, 0) for each in PLACED)
    handed_in = found.counts.get("submitted", 0)
    return CampaignView(
        campaign_id=found.campaign_id,
        title=found.title,
        state_name=found.state,
        state=campaign_state(found.state),
        work=named(found.work, WORK),
        platform=platform.title if platform else found.platform,
        is_test=platform is not None and platform.is_test,
        is_weak=platform is not None and not platform.proves_people,
        units=units_words(found.units, found.work),
        reward=money(found.reward_minor, found.currency),
        bonus=amount(found.bonus_minor),
        screen_out=amount(found.screen_out_minor),
        most_minutes=_minutes(found.minutes),
        languages=language_words(found.languages),
        qualifications=found.qualifications,
        entry_url=found.entry_url,
        study_url=found.study_url or "",
        problem=service_words(found.problem or ""),
        taken=taken,
        places=found.places,
        places_words=_("%(taken)s of %(places)s", taken=count(taken), places=count(found.places)),
        bar=_bar(found, taken),
        parts=_parts(found, taken),
        handed_in=handed_in,
        handed_in_words=count(handed_in),
        open_appeals=count(found.open_appeals) if found.open_appeals else "",
        done=units_words(found.units_done, found.work),
        errors=count(found.validated_errors),
        per_error=_per_error(found),
        reserved=amount(found.reserved_minor, MISSING),
        owed=amount(found.owed_minor, MISSING),
        paid=amount(found.paid_minor, MISSING),
        lost=amount(found.lost_minor),
        launched=moment(found.launched_at),
        ended=moment(found.ended_at),
    )


def estimate_view(found: PayEstimate, reward_minor: int) -> EstimateView:
    """Return the view of an estimate for assignments with that reward."""

    def amount(minor: int) -> str:
        return money(minor, found.currency)

    proposed = reward_minor + found.top_up_minor
    is_low = found.hourly_minor is not None and found.hourly_minor < found.recommended_minor
    warning, advice = "", ""
    if found.is_below_floor:
        warning = _(
            "This pays less than the lowest permitted pay of %(floor)s an hour.",
            floor=amount(found.floor_minor),
        )
    elif is_low:
        advice = _("The recommended pay is %(amount)s an hour.", amount=amount(found.recommended_minor))
    return EstimateView(
        time=_time(found),
        hourly=_("unknown") if found.hourly_minor is None else amount(found.hourly_minor),
        cost=amount(found.cost_minor),
        most_bonus=amount(found.most_bonus_minor) if found.most_bonus_minor else "",
        warning=warning,
        advice=advice,
        proposed=typed_amount(proposed, found.currency),
        proposed_words=amount(proposed),
        top_up=typed_amount(found.top_up_minor, found.currency),
    )


def platform_notes(found: Platform) -> str:
    """Return what an owner should know of a platform before choosing it."""
    notes = []
    if found.is_test:
        notes.append(_("A test: no real money moves."))
    if not found.proves_people:
        notes.append(_("The platform does not confirm who comes, so its entries are weaker evidence."))
    if not found.pays:
        notes.append(_("You pay people yourself and mark each payment as paid."))
    return " ".join(notes)


def _time(found: PayEstimate) -> str:
    if found.minutes is None:
        return _("unknown: nobody has done such work in this task yet")
    minutes = _minutes(found.minutes)
    if found.measured_on == "campaign":
        return ngettext(
            "%(minutes)s, the median of %(shown)s assignment of this campaign",
            "%(minutes)s, the median of %(shown)s assignments of this campaign",
            found.n,
            minutes=minutes,
            shown=count(found.n),
        )
    return ngettext(
        "%(minutes)s, by as much work measured %(shown)s time in this task",
        "%(minutes)s, by as much work measured %(shown)s times in this task",
        found.n,
        minutes=minutes,
        shown=count(found.n),
    )


def _minutes(minutes: float) -> str:
    shown = count(minutes) if minutes == int(minutes) or minutes >= 10 else decimal(minutes)
    return ngettext("%(shown)s\u00a0minute", "%(shown)s\u00a0minutes", 1 if minutes == 1 else 2, shown=shown)


def _per_error(found: Campaign) -> str:
    """Return what a confirmed error has cost, bonuses included and fees not."""
    if not found.validated_errors:
        return MISSING
    return money(round((found.paid_minor + found.owed_minor) / found.validated_errors), found.currency)


def _bar(found: Campaign, taken: int) -> Markup:
    numbers = {each: found.counts.get(each, 0) for each in PLACED}
    return stacked_bar({**numbers, FREE: max(0, found.places - taken)}, SHAPES)


def _parts(found: Campaign, taken: int) -> list[TriesPart]:
    """Return the numbers of assignments by state, then the free places."""
    parts = [
        TriesPart(
            stacked_key(each, SHAPES) if each in SHAPES else Markup(),
            assignment_state(each).text,
            count(number),
        )
        for each in (*ASSIGNMENT_STATES, *(found.counts.keys() - ASSIGNMENT_STATES.keys()))
        if (number := found.counts.get(each, 0))
    ]
    free = max(0, found.places - taken)
    return [*parts, TriesPart(stacked_key(FREE, SHAPES), _("Free places"), count(free))] if free else parts
