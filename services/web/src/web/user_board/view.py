"""View of a board of people. People are shown by the end of their id, because only accounts knows names."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.leaderboard import PersonRow, UserBoard

from web.kit.language import _
from web.kit.numbers import MISSING, RateView, count, rate, short_id


@dataclass(frozen=True)
class PersonRowView:
    """A person on the board."""

    name: str
    rank: str
    errors: str
    tries: str
    fooled: str
    rate: RateView
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
    return UserBoardView(
        people=count(found.people),
        number=found.people,
        rows=[_row(row, is_mine=row.person_id == own_id) for row in found.items],
        mine=None if found.mine is None else _row(found.mine, is_mine=True),
        is_mine_elsewhere=own_id is not None and all(row.person_id != own_id for row in found.items),
    )


def _row(found: PersonRow, *, is_mine: bool) -> PersonRowView:
    return PersonRowView(
        name=_("You") if is_mine else _("Annotator %(id)s", id=short_id(found.person_id)),
        rank=MISSING if found.rank is None else count(found.rank),
        errors=count(found.validated_errors),
        tries=count(found.tries),
        fooled=count(found.fooled),
        rate=rate(found.rate),
        is_mine=is_mine,
        has_tried=found.rank is not None,
    )
