"""The board of people: validated errors, ties by the lower bound of the rate.

The lower bound is Wilson's of `errors / decided`. Of two people with the same number of errors, above 0, the one with
fewer tries has the higher bound, and at 0 errors every bound is 0. So the order is that of whole numbers, by which an
index keeps it: more errors first, then fewer tries with a verdict. Equal places share a rank: people with as many
errors and as many tries, and all who have no error.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from dynabench_tasks.statistics.rates import Rate, independent_rate

from leaderboard.domain.people import PersonCounts

NO_VERDICT = "no rate: no try has a verdict"


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A person on a board; `rank` is None where they have not tried anything there."""

    person_id: UUID
    counts: PersonCounts
    rank: int | None

    @property
    def rate(self) -> Rate:
        """Return validated errors / tries with a verdict, with Wilson's interval."""
        return independent_rate(self.counts.errors, self.counts.decided, NO_VERDICT)


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """Cursor of a board's page: the page continues after this row."""

    errors: int
    decided: int
    person_id: UUID


@dataclass(frozen=True, slots=True)
class UserBoard:
    """A page of a board of people, of one revision; `mine` is the caller's row, if the caller is a person."""

    revision: UUID
    people: int
    rows: tuple[PersonRow, ...]
    mine: PersonRow | None


def shares_rank(one: PersonCounts, other: PersonCounts) -> bool:
    """Return whether two people have the same rank."""
    return one.errors == other.errors and (not one.errors or one.decided == other.decided)


def ranked(first_rank: int, found: Sequence[tuple[UUID, PersonCounts]], first_place: int) -> list[PersonRow]:
    """Give rows in their order their ranks.

    `first_rank` is that of the first row, and `first_place` how many rows stand before it, plus 1.
    """
    rows: list[PersonRow] = []
    for place, (person_id, counts) in enumerate(found, first_place):
        if not rows:
            rank: int | None = first_rank
        elif shares_rank(rows[-1].counts, counts):
            rank = rows[-1].rank
        else:
            rank = place
        rows.append(PersonRow(person_id, counts, rank))
    return rows
