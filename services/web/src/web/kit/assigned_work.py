"""Assigned work in words: its progress and day, for the person on pages of work, and for owners in a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time

from dynabench_client.results.annotation import Round, WorkOrder
from dynabench_client.results.validation import VoteCount

from web.kit import session
from web.kit.dependencies import dependencies, platform
from web.kit.language import _, ngettext
from web.kit.numbers import day_of_year
from web.kit.paid_work import VALIDATE, progress_words
from web.kit.parallel import Part, page_reads


@dataclass(frozen=True)
class OrderView:
    """An assignment; `due` and `note` are sentences, the note about texts that are `gone` or were withdrawn."""

    units: int
    done: int
    progress: str
    topic: str
    due: str
    note: str
    is_overdue: bool
    gone: int = 0

    @property
    def is_done(self) -> bool:
        """Return whether nothing is left to do."""
        return self.done + self.gone >= self.units


def begin_own_orders() -> Part[tuple[WorkOrder, ...]] | None:
    """Start reading the person's assignments; None for visitors and for people of campaigns."""
    if not session.viewer().has_account:
        return None
    return page_reads().read(platform().annotation.my_work_orders)


def begin_progress(orders: Sequence[WorkOrder]) -> list[Part[VoteCount] | None]:
    """Start counting votes for the checks among these; None for tries, whose number is known."""
    count, reads = platform().validation.count_votes, page_reads()
    return [
        reads.read(
            count, each.round_id, each.person_id, each.assigned_at, each.order_id if each.examples else None
        )
        if each.activity == VALIDATE
        else None
        for each in orders
    ]


def order_view(order: WorkOrder, votes: Part[VoteCount] | None) -> OrderView:
    """Return the view of an assignment."""
    counted = None if votes is None else votes.value()
    made = order.done if counted is None else counted.votes
    done = min(made or 0, order.units)
    gone = 0 if counted is None or counted.left is None else max(0, order.units - done - counted.left)
    is_late = dependencies().clock.now().astimezone(UTC).date() > order.due_on
    day = day_of_year(datetime.combine(order.due_on, time(), UTC))
    return OrderView(
        units=order.units,
        done=done,
        progress=progress_words(done, order.units),
        topic=order.topic,
        due=_("It was due on %(day)s.", day=day) if is_late else _("It is due on %(day)s.", day=day),
        note=_note(order, gone),
        is_overdue=is_late and done + gone < order.units,
        gone=gone,
    )


def begin_orders_in(found: Round) -> Part[tuple[WorkOrder, ...]] | None:
    """Start reading the person's assignments if anybody has one in the round."""
    return begin_own_orders() if found.has_assigned_work else None


def order_bar(found: Round, activity: str) -> OrderView | None:
    """Return the person's assignment of an activity in a round, for the bar of its page."""
    reading = begin_orders_in(found)
    own = (reading.value() if reading else None) or ()
    here = [each for each in own if (each.round_id, each.activity) == (found.round_id, activity)]
    views = [order_view(*pair) for pair in zip(here, begin_progress(here), strict=True)]
    return views[0] if views else None


def _note(order: WorkOrder, gone: int) -> str:
    if gone:
        return ngettext(
            "One of its texts needs no vote any more.",
            "%(num)s of its texts need no vote any more.",
            gone,
        )
    if not order.withdrawn_contexts:
        return ""
    if order.withdrawn_contexts == order.contexts:
        return _("All its texts were withdrawn. The task's owner can assign others.")
    return ngettext(
        "One of its texts was withdrawn.",
        "%(num)s of its texts were withdrawn.",
        order.withdrawn_contexts,
    )
