"""How a validator stands, and why there is nothing to do: in plain and kind words."""

from dataclasses import dataclass

from dynabench_client.results.rates import Rate
from dynabench_client.results.validation import Appeal, Lease, MyVotes, Notice, Pause

from web.kit.numbers import TimeView, count, moment, plural, seconds

WARNED, PAUSED = "warned", "paused"
DEFAULT_WAIT = 30.0


@dataclass(frozen=True)
class PauseView:
    """What was said about one's pause: by the owner, by oneself, and by the owner to that; empty where nothing was."""

    reason: str
    appeal: str
    appealed: TimeView | None
    answer: str


@dataclass(frozen=True)
class OwnRecordView:
    """One's own work in a line, whether a word about it is due, and what is known of a pause."""

    line: str
    is_warned: bool
    pause: PauseView | None = None


@dataclass(frozen=True)
class QueueView:
    """Why there is nothing to do, when to look again, and whether the page does so by itself."""

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
        "Nothing waits just now", "Every example here has the votes it needs. New ones come as people write."
    ),
    "only_own": _Words(
        "Only your own examples wait", "Authors don't validate what they wrote; other people will do it."
    ),
    "all_answered": _Words(
        "You have seen all that waits",
        "You have answered or skipped every example that waits; the rest is for other people.",
    ),
    "others_working": _Words(
        "Others have all of it in hand",
        "Other people are working on every example that waits. One is free again when somebody skips it or takes long.",
    ),
    "paused_you": _Words(
        "Your validation of this task is paused",
        "Several of your last answers differed from answers that are known, or the task's owner paused you. "
        "What you have answered stays as it is. Meanwhile you can write examples, and validate other tasks.",
        looks_again=False,
    ),
    "round_takes_no_votes": _Words(
        "This round takes no votes",
        "Votes are taken while a round is open, paused or closed; not before it is opened nor once it is released.",
        looks_again=False,
    ),
}


def own_record_view(mine: MyVotes | None, notice: Notice | None = None) -> OwnRecordView:
    """Return how one stands; `notice` is what came with the answer just given."""
    state = notice.kind if notice and notice.kind else mine.state if mine else ""
    return OwnRecordView(work_line(mine), state == WARNED, pause_view(mine.pause if mine else None))


def pause_view(pause: Pause | None) -> PauseView | None:
    """Return what was said about a pause."""
    if pause is None:
        return None
    appeal = pause.appeal or Appeal()
    reason = "" if pause.reason == appeal.answer else pause.reason or ""
    return PauseView(reason, appeal.reason, moment(appeal.at), appeal.answer or "")


def work_line(mine: MyVotes | None) -> str:
    """Return one's own work in a line; empty while it can't be read."""
    if mine is None:
        return ""
    parts = [f"{count(mine.votes_today)} today"]
    if mine.agreement is not None:
        span = _span(mine.agreement_low, mine.agreement_high)
        basis = span or f" on {plural(mine.agreement_votes, 'example')}"
        parts.append(f"agreement {mine.agreement:.2f}{basis}")
    if mine.gold.value is not None:
        parts.append(_gold(mine.gold, mine.gold.value))
    return " · ".join(parts)


def queue_view(lease: Lease) -> QueueView:
    """Return why there is no work now; a state that is unknown here in the service's own words."""
    wait = max(1.0, lease.retry_after_seconds or DEFAULT_WAIT)
    unknown = _Words(
        "Nothing to validate just now", lease.reason or "Nothing waits for validation in this round."
    )
    said = EMPTY.get(lease.state or "", unknown)
    return QueueView(
        heading=said.heading,
        reason=said.reason,
        again=seconds(wait),
        retry_after=round(wait),
        looks_again=said.looks_again,
        is_paused=lease.state == "paused_you",
    )


def _gold(gold: Rate, value: float) -> str:
    basis = _span(gold.low, gold.high) or f" of {count(gold.n)}"
    return f"known answers {value:.2f}{basis}"


def _span(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" ({low:.2f}–{high:.2f})"
