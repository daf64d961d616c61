"""View of a board of people, by their nicknames or pseudonyms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dynabench_client.results.leaderboard import PersonRow, UserBoard

from web.kit.charts.intervals import intervals
from web.kit.charts.svg import Chart
from web.kit.language import _
from web.kit.nicknames import nicknames, shown_name
from web.kit.numbers import MISSING, RateView, count, rate

MOST_DRAWN = 12
"""People in the chart at most, from the first place on."""


@dataclass(frozen=True)
class PersonRowView:
    """A person on the board."""

    name: str
    rank: str
    errors: str
    tries: str
    fooled: str
    rate: RateView
    address: str
    is_mine: bool
    has_tried: bool


@dataclass(frozen=True)
class UserBoardView:
    """A page of the board; `mine` is the reader's own row, `is_mine_elsewhere` if the page does not list it."""

    people: str
    number: int
    rows: Sequence[PersonRowView]
    mine: PersonRowView | None
    is_mine_elsewhere: bool


def board_view(found: UserBoard) -> UserBoardView:
    """Return the view of a board."""
    own_id = None if found.mine is None else found.mine.person_id
    names = nicknames(row.person_id for row in found.items)
    return UserBoardView(
        people=count(found.people),
        number=found.people,
        rows=[_row(row, names, is_mine=row.person_id == own_id) for row in found.items],
        mine=None if found.mine is None else _row(found.mine, names, is_mine=True),
        is_mine_elsewhere=own_id is not None and all(row.person_id != own_id for row in found.items),
    )


def rates_chart(board: UserBoardView) -> Chart | None:
    """Return the confirmed fool rates of the first people and of the reader; None without two of them."""
    drawn = list(board.rows[:MOST_DRAWN])
    if board.mine is not None and not any(row.is_mine for row in drawn):
        drawn.append(board.mine)
    return intervals(
        "chart-people",
        _("Confirmed fool rates of people"),
        _("Person"),
        _("Confirmed fool rate"),
        [(row.name, row.rate, [row.tries, row.errors]) for row in drawn],
        [_("Tries"), _("Confirmed errors")],
    )


def _row(found: PersonRow, names: Mapping[str, str], *, is_mine: bool) -> PersonRowView:
    return PersonRowView(
        name=_("You") if is_mine else shown_name(found.person_id, names),
        rank=MISSING if found.rank is None else count(found.rank),
        errors=count(found.validated_errors),
        tries=count(found.tries),
        fooled=count(found.fooled),
        rate=rate(found.rate),
        address=f"/profiles/{found.person_id}" if found.person_id in names else "",
        is_mine=is_mine,
        has_tried=found.rank is not None,
    )
