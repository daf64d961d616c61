"""View of a conversation: messages, and the appeal with its answer, in their order."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from dynabench_client.results.validation import ExampleThread

from web.kit.language import _
from web.kit.numbers import TimeView, moment


@dataclass(frozen=True)
class EntryView:
    """A message of one side; `answer` is the owner's answer to an appeal."""

    who: str
    is_own: bool
    text: str
    at: TimeView | None
    answer: str = ""


def entries(found: ExampleThread) -> list[EntryView]:
    """Return the entries, oldest first."""
    return [entry for _at, entry in sorted(_entries(found), key=lambda pair: pair[0])]


def _entries(found: ExampleThread) -> Iterator[tuple[datetime, EntryView]]:
    for each in found.items:
        is_own = each.by_author == found.is_author
        who = _("You") if is_own else _("The author") if each.by_author else _("An owner of the task")
        yield each.written_at, EntryView(who, is_own, each.text, moment(each.written_at))
    if found.appeal is not None:
        who = _("Your appeal") if found.is_author else _("Appeal of the author")
        answer = found.appeal.answer or ""
        yield (
            found.appeal.at,
            EntryView(who, found.is_author, found.appeal.reason, moment(found.appeal.at), answer),
        )
