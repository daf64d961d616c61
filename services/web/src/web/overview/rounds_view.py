"""All rounds in a list: where each stands, and how much waits for its owner."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dynabench_client.results.owner_work import ExamplesWaiting
from dynabench_client.results.standing import RoundStanding

from web.kit import words
from web.kit.language import _
from web.kit.numbers import MISSING, RateView, count, rate
from web.kit.round_actions import round_address, waiting
from web.kit.rounds import fooled, outlook
from web.kit.words import Word, origin_words


@dataclass(frozen=True)
class OverviewRow:
    """A round in the list; `needs` is a dash where it can't be read, `origin` is empty where people write."""

    task: str
    name: str
    title: str
    state: Word
    origin: str
    tries: str
    fooled: str
    validated_errors: str
    vmer: RateView
    outlook: str
    pending: str
    needs: str
    address: str
    work_address: str

    @property
    def waits(self) -> bool:
        """Tell whether something waits for the owner."""
        return self.needs not in {"0", MISSING}


def overview_row(found: RoundStanding, counts: ExamplesWaiting | None, title: str = "") -> OverviewRow:
    """Return a round as a row; `title` is its task's."""
    return OverviewRow(
        task=title or found.task_slug or "",
        name=_("Round %(number)s", number=found.number),
        title=found.title,
        state=words.round_state(found.state),
        origin=origin_words(found.origin) if found.origin else "",
        tries=count(found.tries),
        fooled=fooled(found),
        validated_errors=count(found.validated_errors),
        vmer=rate(found.vmer),
        outlook=outlook(found),
        pending=count(found.pending),
        needs=MISSING if counts is None else count(sum(waiting(counts).values())),
        address=round_address(found, "standing"),
        work_address=round_address(found, "work"),
    )


def overview_rows(
    found: Sequence[RoundStanding], counts: Mapping[str, ExamplesWaiting], titles: Mapping[str, str]
) -> list[OverviewRow]:
    """Return the rows, in the order of the list; a round whose task is not known yet has no page to lead to.

    `counts` says what waits, by the round's id; `titles` the title of a task, by its slug.
    """
    return [
        overview_row(each, counts.get(each.round_id), titles.get(each.task_slug, ""))
        for each in found
        if each.task_slug
    ]
