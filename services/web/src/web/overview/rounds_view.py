"""View of the list of rounds: the state and open work of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dynabench_client.results.leaderboard import RoundStanding
from dynabench_client.results.validation import ExamplesWaiting

from web.kit import words
from web.kit.language import _
from web.kit.numbers import MISSING, count
from web.kit.round_actions import round_address, waiting
from web.kit.tries_line import TriesLine, tries_line
from web.kit.words import Word, origin_words


@dataclass(frozen=True)
class OverviewRow:
    """A round in the list; `needs` is a dash if it can't be read, `origin` is empty if people write the examples."""

    task: str
    name: str
    title: str
    state: Word
    origin: str
    tries: TriesLine
    needs: str
    address: str
    work_address: str

    @property
    def waits(self) -> bool:
        """Return whether the owner has open work."""
        return self.needs not in {"0", MISSING}


def overview_row(found: RoundStanding, counts: ExamplesWaiting | None, title: str = "") -> OverviewRow:
    """Return a round as a row; `title` is its task's."""
    return OverviewRow(
        task=title or found.task_slug or "",
        name=_("Round %(number)s", number=found.number),
        title=found.title,
        state=words.round_state(found.state),
        origin=origin_words(found.origin) if found.origin else "",
        tries=tries_line(found),
        needs=MISSING if counts is None else count(sum(waiting(counts).values())),
        address=round_address(found, "standing"),
        work_address=round_address(found, "work"),
    )


def overview_rows(
    found: Sequence[RoundStanding], counts: Mapping[str, ExamplesWaiting], titles: Mapping[str, str]
) -> list[OverviewRow]:
    """Return the rows in the same order; a round without a known task has no link.

    `counts` is the open work by round id; `titles` are the titles of tasks by slug.
    """
    return [
        overview_row(each, counts.get(each.round_id), titles.get(each.task_slug, ""))
        for each in found
        if each.task_slug
    ]
