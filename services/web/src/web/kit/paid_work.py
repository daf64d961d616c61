"""Paid work: the assignment of a person whom a campaign sent, as the bar on the pages of its round shows it."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.crowd import Work

from web.kit import session
from web.kit.dependencies import dependencies, platform
from web.kit.language import N_, _, ngettext
from web.kit.numbers import count, seconds
from web.kit.parallel import Part, page_reads
from web.kit.service_words import service_words

WORKING = "working"
CREATE, VALIDATE = "create", "validate"
"""The kinds of paid work."""
REASONS = {
    "round_ended": N_("The round has ended. You can hand in what you have done."),
    "nothing_left": N_("There was no text left for you."),
    "handed_in_there": N_("You handed in the work on the platform."),
}
"""Why work ends with fewer texts, by the words of crowd; any other word is the owner's own."""


@dataclass(frozen=True)
class WorkView:
    """An assignment: `progress` and `left` in words, `sentence` about what is next.

    `has_run_out` is true if the page found no text to work on; then the work can be handed in too.
    """

    assignment_id: str
    units: int
    done: int
    progress: str
    left: str
    sentence: str
    is_working: bool
    can_finish: bool
    has_run_out: bool
    address: str

    @property
    def can_hand_in(self) -> bool:
        """Return whether the button to hand the work in is shown."""
        return self.is_working and (self.can_finish or self.has_run_out)


@dataclass(frozen=True)
class WorkBar:
    """The bar: the assignment, or None if it can't be read, and the address of its next state."""

    work: WorkView | None
    address: str
    poll_seconds: int


def begin_own_work() -> Part[tuple[Work, ...]] | None:
    """Start reading the person's assignments; None for people without paid work."""
    if not session.viewer().does_paid_work:
        return None
    return page_reads().read(platform().crowd.my_work)


def work_bar(round_id: str, kind: str, *, has_run_out: bool = False) -> WorkBar | None:
    """Return the bar of a page; None for people who have no such work in the round.

    `kind` is `create` or `validate`. `has_run_out` is true for a page without a text to work on.
    """
    reading = begin_own_work()
    if reading is None:
        return None
    own = reading.value()
    found = None if own is None else current_work(own, round_id, kind)
    if own is not None and found is None:
        return None
    return WorkBar(
        work=work_view(found, has_run_out=has_run_out) if found else None,
        address=f"/work/rounds/{round_id}/{kind}" + ("?out=1" if has_run_out else ""),
        poll_seconds=dependencies().settings.figures_seconds,
    )


def current_work(items: Sequence[Work], round_id: str = "", kind: str = "") -> Work | None:
    """Return the assignment that the person works on, else the newest; by round and kind if they are given."""
    found = [each for each in items if round_id in ("", each.round_id) and kind in ("", each.work)]
    return min(found, key=lambda each: each.state != WORKING, default=None)


def work_view(work: Work, *, has_run_out: bool = False) -> WorkView:
    """Return the view of an assignment."""
    is_working = work.state == WORKING
    return WorkView(
        assignment_id=work.assignment_id,
        units=work.units,
        done=min(work.done, work.units),
        progress=progress_words(work.done, work.units),
        left=_left(work) if is_working else "",
        sentence=_next(work, has_run_out=has_run_out) if is_working else "",
        is_working=is_working,
        can_finish=work.can_finish,
        has_run_out=has_run_out,
        address=f"/rounds/{work.round_id}/{work.work}",
    )


def reason_words(why: str | None) -> str:
    """Return why work ended, or may end with fewer texts; an owner's own words stay."""
    return _(REASONS[why]) if why in REASONS else service_words(why or "")


def progress_words(done: int, units: int) -> str:
    """Return how many texts of an assignment are done."""
    return ngettext(
        "%(done)s of %(units)s\u00a0text",
        "%(done)s of %(units)s\u00a0texts",
        units,
        done=count(min(done, units)),
        units=count(units),
    )


def _left(work: Work) -> str:
    left = (work.deadline - dependencies().clock.now()).total_seconds()
    return _("%(wait)s left", wait=seconds(left)) if left > 0 else _("The time is over.")


def _next(work: Work, *, has_run_out: bool) -> str:
    if work.done >= work.units:
        return _("All done. Hand in your work to be paid.")
    if work.can_finish:
        return reason_words(work.why) or _("You can hand in your work now.")
    if has_run_out:
        return _("There is no text for you now. You can hand in what you have done, or wait for a new text.")
    return ""
