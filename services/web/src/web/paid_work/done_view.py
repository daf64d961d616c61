"""View of the result of paid work: its code, the way back, and what is paid when."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from dynabench_client.results.crowd import CampaignOffer, Work

from web.kit.language import N_, _
from web.kit.money import money
from web.kit.paid_work import CREATE, reason_words
from web.paid_work.offer_view import bonus_words

HEADINGS = {
    "working": N_("Your work is not handed in yet"),
    "submitted": N_("Your work is handed in"),
    "approved": N_("Your work is approved"),
    "rejected": N_("Your work is not accepted"),
    "returned": N_("You gave the work back"),
    "timed_out": N_("The time for this work is over"),
    "screened_out": N_("This work does not fit you"),
}
EXPLANATIONS = {
    "submitted": N_("Thank you. The task's owner checks it next."),
    "approved": N_("Thank you for your work."),
    "returned": N_("Nothing is paid for it. Return it on the platform too."),
    "timed_out": N_("Nothing is paid for it. Return it on the platform. If you did work, write to us there."),
    "screened_out": N_("You are paid a fixed amount for your time, if the platform showed one."),
}
ENTITLED = {"submitted", "approved"}
NEEDS_CODE = {*ENTITLED, "screened_out"}
"""States in which people are paid only with the code."""


@dataclass(frozen=True)
class ResultView:
    """The result: why it ended in `reason`, the payments in sentences; empty texts where nothing is to be said.

    `needs_code` is true if people must enter the code by hand to be paid.
    """

    heading: str
    explanation: str
    reason: str
    code: str
    needs_code: bool
    back_url: str
    platform: str
    payments: list[str]


def result_view(work: Work, offer: CampaignOffer | None) -> ResultView:
    """Return the view of an assignment's result; the offer names the platform, if it can be read."""
    state = work.state if work.state in HEADINGS else "submitted"
    is_link = urlsplit(work.back_url or "").scheme in {"http", "https"}
    return ResultView(
        heading=_(HEADINGS[state]),
        explanation=_(EXPLANATIONS[state]) if state in EXPLANATIONS else "",
        reason=reason_words(work.why),
        code=work.code or "",
        needs_code=state in NEEDS_CODE and not is_link,
        back_url=work.back_url if work.back_url and is_link else "",
        platform=offer.platform_title if offer else "",
        payments=_payments(work) if state in ENTITLED else [],
    )


def _payments(work: Work) -> list[str]:
    reward = money(work.reward_minor, work.currency)
    found = [
        _("%(amount)s, which the platform pays soon.", amount=reward)
        if work.state == "approved"
        else _("%(amount)s, once the task's owner has approved your work.", amount=reward)
    ]
    if work.bonus_minor and work.work == CREATE:
        bonus = bonus_words(money(work.bonus_minor, work.currency))
        found.append(_("%(bonus)s. This can take some days.", bonus=bonus))
    return found
