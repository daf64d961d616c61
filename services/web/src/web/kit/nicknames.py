"""Names of people on pages: the nickname that a person chose, else a pseudonym."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dynabench_client.results.accounts import Nickname
from dynabench_client.results.leaderboard import PeopleRanks, PersonPlace
from markupsafe import Markup

from web.kit import isolation
from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.numbers import count, short_id
from web.kit.outcomes import optional

MOST_NAMED = 200


@dataclass(frozen=True)
class PlaceView:
    """A row of the ranks; `address` is that of the profile, empty for a person without one."""

    rank: str
    name: str
    errors: str
    address: str
    is_mine: bool


def nicknames(person_ids: Iterable[str]) -> Mapping[str, str]:
    """Return the nicknames of people by id; none while accounts does not answer."""
    asked = list(dict.fromkeys(person_ids))[:MOST_NAMED]
    found = optional(lambda: platform().accounts.nicknames(asked)) if asked else None
    return by_person(found or ())


def by_person(found: Iterable[Nickname]) -> Mapping[str, str]:
    """Return nicknames by the ids of their people."""
    return {each.person_id: each.nickname for each in found}


def shown_name(person_id: str, names: Mapping[str, str]) -> str | Markup:
    """Return the nickname of a person, or a pseudonym."""
    if person_id in names:
        return isolation.name(names[person_id])
    return _("Annotator %(id)s", id=short_id(person_id))


def placed(found: PeopleRanks, most: int | None = None) -> tuple[str, ...]:
    """Return the ids of the first people of the ranks, and of the reader if they are further down."""
    return tuple(each.person_id for each in _rows(found, most))


def place_views(found: PeopleRanks, names: Mapping[str, str], most: int | None = None) -> list[PlaceView]:
    """Return the first rows of the ranks, with the reader's own if it is further down."""
    mine = found.mine
    return [
        PlaceView(
            rank=count(each.rank),
            name=_("You") if mine and each.person_id == mine.person_id else shown_name(each.person_id, names),
            errors=count(each.validated_errors),
            address=f"/profiles/{each.person_id}" if each.person_id in names else "",
            is_mine=mine is not None and each.person_id == mine.person_id,
        )
        for each in _rows(found, most)
    ]


def _rows(found: PeopleRanks, most: int | None) -> Sequence[PersonPlace]:
    first = found.items[:most]
    return [*first, found.mine] if found.mine and found.mine not in first else first
