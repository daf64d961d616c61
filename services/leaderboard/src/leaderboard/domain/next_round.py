"""Advice on starting the next round: five questions, each with its number and its threshold.

Three questions ask whether this round is exhausted: the goal is reached, fooling takes more tries than before, fewer
tries become validated errors. Two ask whether it may end: enough of the checked examples are right, and few are left to
check. A question without an answer yet says so, and is no reason for the next round. The owner, who may know more,
decides.

| goal | saturation and yield | validity, pending | advice |
|---|---|---|---|
| now | any | both now | now |
| any | both now | both now | now |
| now | any | else | soon |
| any | at least one now | any | soon |
| 80 % and more | any | any | soon |
| else | | | not yet |
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from dynabench_api.words import Advice, Says
from dynabench_tasks.statistics.rates import Rate

from leaderboard.domain.tally import Tally
from leaderboard.domain.time_series import Period, Trend

NEAR_GOAL = 0.8
FEWEST_LATER_TRIES = 100
FEWEST_RESOLVED = 20
LEAST_VALIDITY = 0.5
MOST_PENDING = 0.1


@dataclass(frozen=True, slots=True)
class Evidence:
    """The answer to one question."""

    name: str
    says: Says
    text: str
    value: float | None = None
    threshold: float | None = None


def evidence(
    total: Tally, trend: Trend | None, goal: int | None, reason: str | None = None
) -> list[Evidence]:
    """Return the answers from the counts of a round's rule; `reason` says why it has no error rates."""
    pending = _pending(total)
    return [
        _goal(total.errors + total.apart_errors, goal),
        _saturation(trend, reason),
        _yield(trend, pending, reason),
        _validity(total),
        pending,
    ]


def advice(found: Sequence[Evidence]) -> Advice:
    """Return the advice that follows from the evidence, by the table above."""
    said = {each.name: each.says for each in found}
    near_goal = any(each.name == "goal" and (each.value or 0) >= NEAR_GOAL for each in found)
    trends = [said["saturation"] is Says.NOW, said["yield"] is Says.NOW]
    has_given = said["goal"] is Says.NOW or all(trends)
    may_end = said["validity"] is Says.NOW and said["pending"] is Says.NOW
    if has_given and may_end:
        return Advice.NOW
    return Advice.SOON if has_given or any(trends) or near_goal else Advice.NOT_YET


def _goal(validated: int, goal: int | None) -> Evidence:
    if goal is None:
        return Evidence("goal", Says.UNKNOWN, "The task's configuration sets no goal.")
    says = Says.NOW if validated >= goal else Says.NOT_YET
    return Evidence("goal", says, f"{validated} of {goal} confirmed errors.", validated / goal, 1.0)


def _saturation(trend: Trend | None, reason: str | None) -> Evidence:
    """Fooling takes more tries: the whole interval of the last quarter's MER lies under the rate before."""
    words = "Fool rate: {now} in the last quarter of the tries, {before} before."
    return _fall("saturation", trend, attrgetter("mer"), words, reason)


def _yield(trend: Trend | None, pending: Evidence, reason: str | None) -> Evidence:
    """Fewer tries become validated errors, by those that are resolved; unknown while many wait."""
    if pending.says is Says.NOT_YET:
        reason = reason or "Too many examples still wait for votes."
    words = "Estimated confirmed errors: {now} of the last quarter of the tries, {before} before."
    return _fall("yield", trend, attrgetter("vmer"), words, reason)


def _fall(
    name: str, trend: Trend | None, rate_of: Callable[[Period], Rate], words: str, reason: str | None
) -> Evidence:
    """Compare the last quarter with the rest, unless `reason` says why that can't be done."""
    if reason is not None:
        return Evidence(name, Says.UNKNOWN, reason)
    if trend is None or trend.later.decided < FEWEST_LATER_TRIES:
        text = f"The last quarter has under {FEWEST_LATER_TRIES} tries with a verdict."
        return Evidence(name, Says.UNKNOWN, text)
    now, before = rate_of(trend.later), rate_of(trend.earlier)
    if now.value is None or now.high is None or before.value is None:
        return Evidence(name, Says.UNKNOWN, now.reason or "There is nothing to compare.")
    says = Says.NOW if now.high < before.value else Says.NOT_YET
    text = words.format(now=_percent(now.value), before=_percent(before.value))
    return Evidence(name, says, text, now.value, before.value)


def _validity(total: Tally) -> Evidence:
    name, resolved = "validity", total.fooled_resolved
    if resolved < FEWEST_RESOLVED:
        text = f"{resolved} checked tries that fooled got an answer, at least {FEWEST_RESOLVED} are needed."
        return Evidence(name, Says.UNKNOWN, text)
    validity = total.fooled_correct / resolved
    says = Says.NOW if validity >= LEAST_VALIDITY else Says.NOT_YET
    text = f"People agreed with the author in {_percent(validity)} of the checked tries that fooled."
    return Evidence(name, says, text, validity, LEAST_VALIDITY)


def _pending(total: Tally) -> Evidence:
    name, sent = "pending", total.pending + total.resolved
    if not sent:
        return Evidence(name, Says.UNKNOWN, "No try needs checking yet.")
    share = total.pending / sent
    says = Says.NOW if share <= MOST_PENDING else Says.NOT_YET
    waiting = (
        "1 example is being checked."
        if total.pending == 1
        else f"{total.pending} examples are being checked."
    )
    return Evidence(name, says, waiting, share, MOST_PENDING)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
