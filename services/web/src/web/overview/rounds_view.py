"""All rounds in a list: where each stands, and how much waits for its owner."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.owner_work import WorkCounts
from dynabench_client.results.standing import RoundStanding

from web.kit import words
from web.kit.numbers import MISSING, RateView, count, rate
from web.kit.round_actions import round_address, waiting
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
    pending: str
    needs: str
    address: str

    @property
    def waits(self) -> bool:
        """Tell whether something waits for the owner."""
        return self.needs not in {"0", MISSING}


def overview_row(found: RoundStanding, counts: WorkCounts | None, title: str = "") -> OverviewRow:
    """Return a round as a row; `title` is its task's."""
    return OverviewRow(
        task=title or found.task_slug,
        name=f"Round {found.number}",
        title=found.title,
        state=words.round_state(found.state),
        origin=origin_words(found.origin) if found.origin else "",
        tries=count(found.tries),
        fooled=count(found.fooled),
        validated_errors=count(found.validated_errors),
        vmer=rate(found.vmer),
        pending=count(found.pending),
        needs=MISSING if counts is None else count(sum(waiting(counts).values())),
        address=round_address(found, "standing"),
    )


def overview_rows(
    found: Sequence[RoundStanding], counts: Sequence[WorkCounts | None], titles: dict[str, str]
) -> list[OverviewRow]:
    """Return the rows, in the order of the list; a round whose task is not known yet has no page to lead to."""
    return [
        overview_row(each, waits, titles.get(each.task_slug, ""))
        for each, waits in zip(found, counts, strict=True)
        if each.task_slug
    ]
