"""View of a validator's state, and of the reason for a lack of work, in plain and kind words."""

from dataclasses import dataclass

from dynabench_client.results.leaderboard import Rate
from dynabench_client.results.validation import Lease, MyVotes, Notice, Pause

from web.kit.language import N_, _, ngettext
from web.kit.numbers import TimeView, count, decimal, moment, seconds
from web.kit.service_words import service_words

WARNED, PAUSED = "warned", "paused"
FEWEST = 20
"""Minimum number of answers for showing a share; fewer are not informative."""
DEFAULT_WAIT = 30.0


@dataclass(frozen=True)
class PauseView:
    """Messages about a pause: the owner's reason, the person's appeal, and the owner's reply; empty if missing."""

    reason: str
    appeal: str
    appealed: TimeView | None
    answer: str


@dataclass(frozen=True)
class OwnRecordView:
    """The person's own work in a line, a warning if needed, and the messages about a pause."""

    line: str
    is_warned: bool
    pause: PauseView | None = None


@dataclass(frozen=True)
class QueueView:
    """Reason for an empty queue, the time to look again, and whether the page does so by itself."""

    heading: str
    reason: str
    again: str
    retry_after: int
    looks_again: bool
    is_paused: bool


@dataclass(frozen=True)
class _Words:
    heading: str
    reason: str
    looks_again: bool = True


EMPTY = {
    "nothing_waits": _Words(
        N_("Nothing to check right now"),
        N_("All texts here have enough votes. New ones arrive as people write."),
    ),
    "only_own": _Words(
        N_("Only your own texts are left"),
        N_("You can't check your own texts. Other people will."),
    ),
    "all_answered": _Words(
        N_("All done for now"),
        N_("You have answered or skipped every text here. Other people check the rest."),
    ),
    "others_working": _Words(
        N_("Others are checking the rest"),
        N_(
            "Other people are checking every text that is left. "
            "You can get one if somebody skips it or takes too long."
        ),
    ),
    "paused_you": _Words(
        N_("You are paused in this task"),
        N_(
            "Several of your last answers differed from known answers, or the task's owner paused you. "
            "Your earlier answers stay. Meanwhile you can play, and check texts of other tasks."
        ),
        looks_again=False,
    ),
    "round_takes_no_votes": _Words(
        N_("This round takes no votes"),
        N_(
            "Texts are checked while a round is open, paused or closed. "
            "This one is a draft or already released."
        ),
        looks_again=False,
    ),
}
UNKNOWN = _Words(N_("Nothing to check right now"), N_("No text of this round needs checking."))


def own_record_view(mine: MyVotes | None, notice: Notice | None = None) -> OwnRecordView:
    """Return the validator's state; `notice` is the service's warning about the last vote."""
    of_gold = notice.kind if notice and notice.kind in {WARNED, PAUSED} else ""
    state = of_gold or (mine.state if mine else "")
    return OwnRecordView(work_line(mine), state == WARNED, pause_view(mine.pause if mine else None))


def pause_view(pause: Pause | None) -> PauseView | None:
    """Return the messages about a pause."""
    if pause is None:
        return None
    appeal = pause.appeal
    if appeal is None:
        return PauseView(pause.reason or "", "", moment(None), "")
    reason = "" if pause.reason == appeal.answer else pause.reason or ""
    return PauseView(reason, appeal.reason, moment(appeal.at), appeal.answer or "")


def work_line(mine: MyVotes | None) -> str:
    """Return the person's own work in a line; empty if it can't be read."""
    if mine is None:
        return ""
    parts = [_("%(votes)s today", votes=count(mine.votes_today))]
    if mine.agreement is not None and mine.agreement_votes >= FEWEST:
        parts.append(_agreement(mine, mine.agreement))
    if mine.gold.value is not None and mine.gold.n >= FEWEST:
        parts.append(_gold(mine.gold, mine.gold.value))
    return " · ".join(parts)


def queue_view(lease: Lease) -> QueueView:
    """Return the reason for a lack of work; for an unknown state, the service's own words."""
    wait = max(1.0, lease.retry_after_seconds or DEFAULT_WAIT)
    said = EMPTY.get(lease.state or "", UNKNOWN)
    own_words = service_words(lease.reason or "") if said is UNKNOWN else ""
    return QueueView(
        heading=_(said.heading),
        reason=own_words or _(said.reason),
        again=seconds(wait),
        retry_after=round(wait),
        looks_again=said.looks_again,
        is_paused=lease.state == "paused_you",
    )


def _agreement(mine: MyVotes, value: float) -> str:
    shown, low, high = decimal(value, 2), mine.agreement_low, mine.agreement_high
    if low is not None and high is not None:
        span = {"low": decimal(low, 2), "high": decimal(high, 2)}
        return _("agreement %(value)s (%(low)s–%(high)s)", value=shown, **span)
    return ngettext(
        "agreement %(value)s on %(shown)s\u00a0example",
        "agreement %(value)s on %(shown)s\u00a0examples",
        mine.agreement_votes,
        value=shown,
        shown=count(mine.agreement_votes),
    )


def _gold(gold: Rate, value: float) -> str:
    shown = decimal(value, 2)
    if gold.low is not None and gold.high is not None:
        span = {"low": decimal(gold.low, 2), "high": decimal(gold.high, 2)}
        return _("known answers %(value)s (%(low)s–%(high)s)", value=shown, **span)
    return _("known answers %(value)s of %(number)s", value=shown, number=count(gold.n))
