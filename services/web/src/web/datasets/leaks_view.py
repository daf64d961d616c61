"""View of the places where canaries (made-up words of a hidden dataset) were found."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.models import Leak, Leaks

from web.kit.language import N_, _
from web.kit.numbers import TimeView, count, moment, short_id

PLACES = {
    "answers": N_("Answers of a model"),
    "dataset": N_("Items of a dataset"),
    "example": N_("An example, or a text about it"),
    "card": N_("A model card"),
}
PAGES = {"answers": "/evaluations", "dataset": "/datasets/scored", "card": "/submissions"}


@dataclass(frozen=True)
class LeakView:
    """A place; without an address if its page is unknown."""

    place: str
    name: str
    address: str | None
    found: TimeView | None


@dataclass(frozen=True)
class LeaksView:
    """Number of canaries, and the newest places with one."""

    words: int
    found: int
    found_in_print: str
    places: Sequence[LeakView]


def leaks_view(found: Leaks) -> LeaksView:
    """Return the view of the leaks."""
    return LeaksView(found.words, found.found, count(found.found), [_place(leak) for leak in found.items])


def _place(leak: Leak) -> LeakView:
    return LeakView(
        _(PLACES[leak.place]) if leak.place in PLACES else leak.place,
        leak.name or _("id %(id)s", id=short_id(leak.reference)),
        _address(leak),
        moment(leak.found_at),
    )


def _address(leak: Leak) -> str | None:
    if leak.place in PAGES:
        return f"{PAGES[leak.place]}/{leak.reference}"
    if leak.task_slug is None or leak.round_number is None:
        return None
    return f"/tasks/{leak.task_slug}/rounds/{leak.round_number}/examples/{leak.reference}"
