"""View of an offer: what people read before they accept paid work."""

from dataclasses import dataclass

from dynabench_client.results.crowd import CampaignOffer

from web.kit.language import N_, _, ngettext
from web.kit.money import money
from web.kit.numbers import count
from web.kit.paid_work import CREATE
from web.kit.words import language_words

CLOSED = {
    "draft": N_("This work has not begun yet. Come back when the platform invites you."),
    "running": N_("All places are taken just now. A place becomes free if somebody gives the work back."),
    "paused": N_("This work is paused, so nobody new can start."),
    "ended": N_("This work has ended, so nobody new can start."),
}
"""Why nobody new can accept, by the state of the campaign."""


@dataclass(frozen=True)
class OfferView:
    """An offer in words; `bonus` is empty without one, and so is `closed` while people can accept."""

    title: str
    task: str
    work: str
    pay: str
    bonus: str
    time: str
    languages: str
    closed: str
    is_writing: bool


def offer_view(offer: CampaignOffer) -> OfferView:
    """Return the view of an offer."""
    bonus = money(offer.bonus_minor, offer.currency)
    return OfferView(
        title=offer.title,
        task=offer.task_title,
        work=_work(offer),
        pay=money(offer.reward_minor, offer.currency),
        bonus=bonus_words(bonus) if offer.bonus_minor else "",
        time=_time(offer),
        languages=language_words(offer.languages),
        closed="" if offer.is_open else _(CLOSED.get(offer.state, CLOSED["ended"])),
        is_writing=offer.work == CREATE,
    )


def bonus_words(amount: str) -> str:
    """Return for what a bonus is paid."""
    return _("%(amount)s for each text that fools a model and that other people confirm", amount=amount)


def _work(offer: CampaignOffer) -> str:
    if offer.work == CREATE:
        return ngettext(
            "Write %(shown)s\u00a0text that fools a model",
            "Write %(shown)s\u00a0texts that fool a model",
            offer.units,
            shown=count(offer.units),
        )
    return ngettext(
        "Check %(shown)s\u00a0text of other people",
        "Check %(shown)s\u00a0texts of other people",
        offer.units,
        shown=count(offer.units),
    )


def _time(offer: CampaignOffer) -> str:
    most = _minutes(offer.minutes)
    if offer.typical_minutes is None:
        return _("You have %(most)s.", most=most)
    usual = _minutes(max(1, round(offer.typical_minutes)))
    return _("About %(usual)s. You have %(most)s.", usual=usual, most=most)


def _minutes(number: int) -> str:
    return ngettext("%(shown)s\u00a0minute", "%(shown)s\u00a0minutes", number, shown=count(number))
