"""Dependencies of routes: the boards, the standings and the caller."""

from typing import Any
from uuid import UUID

from dynabench_common.authentication import Principal
from dynabench_common.permissions import current_principal
from flask import Flask, current_app

from leaderboard.bootstrap import Dependencies
from leaderboard.queries.boards import Boards
from leaderboard.queries.model_boards import ModelBoards
from leaderboard.queries.people import People
from leaderboard.queries.standings import Standings
from leaderboard.service_layer.shared_boards import SharedBoards

EXTENSION = "leaderboard"
OWNER = "owner:"


def provide(app: Flask, needed: Dependencies) -> None:
    """Put the collaborators where `the_boards()` finds them."""
    app.extensions[EXTENSION] = needed


def the_boards() -> Boards:
    """Return the boards of the app that serves this request."""
    return _needed().boards


def the_model_boards() -> ModelBoards:
    """Return the boards of models of the app that serves this request."""
    return _needed().model_boards


def the_shared_boards() -> SharedBoards:
    """Return what people keep of boards, of the app that serves this request."""
    return _needed().shared_boards


def the_people() -> People:
    """Return what answers about people, of the app that serves this request."""
    return _needed().people


def the_standings() -> Standings:
    """Return the standings of the app that serves this request."""
    return _needed().standings


def tasks_of(principal: Principal) -> frozenset[str] | None:
    """Return the slugs of the tasks whose rounds an owner may see; None for all, to administrators."""
    if principal.is_admin:
        return None
    return frozenset(role.removeprefix(OWNER) for role in principal.roles if role.startswith(OWNER))


def signed_in_person() -> UUID:
    """Return the id of the caller, on routes whose permission lets only people in."""
    person_id = current_principal().person_id
    if person_id is None:
        raise TypeError("this route needs a permission that only people hold")
    return person_id


def _needed() -> Dependencies:
    extensions: dict[str, Any] = current_app.extensions
    needed: Dependencies = extensions[EXTENSION]
    return needed
