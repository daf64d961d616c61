"""The owners of a task, by the names that people may mention."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.accounts import Owner

from web.kit.dependencies import platform
from web.kit.nicknames import by_person
from web.kit.parallel import Part, page_reads


@dataclass(frozen=True)
class OwnerView:
    """An owner: the shown name, and all names by which a text can mention them."""

    person_id: str
    name: str
    names: frozenset[str]


def begin_owners(slug: str) -> Part[tuple[Owner, ...]]:
    """Start reading the owners of a task."""
    return page_reads().read(platform().accounts.owners, slug)


def owners_of(slug: str) -> list[OwnerView]:
    """Return the owners of a task by name; none while they can't be read."""
    found = begin_owners(slug).value() or ()
    ids = tuple(each.person_id for each in found)
    chosen = page_reads().read(platform().accounts.nicknames, ids).value() if ids else None
    nicknames = by_person(chosen or ())
    return [_view(each, nicknames.get(each.person_id, each.user_name)) for each in found]


def _view(owner: Owner, name: str) -> OwnerView:
    return OwnerView(owner.person_id, name, frozenset({owner.user_name, name}))


def mentioned_in(text: str, owners: Sequence[OwnerView]) -> list[str]:
    """Return the ids of the owners whom a text mentions with an @ before one of their names."""
    return [owner.person_id for owner in owners if any(_mentions(text, name) for name in owner.names)]


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w)@{re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None
