"""Dependencies of routes: the service's collaborators and the caller."""

from typing import Any
from uuid import UUID

from dynabench_common.permissions import Permission, current_principal, ensure, is_allowed
from flask import Flask, current_app

from scoring import views, views_evaluations
from scoring.bootstrap import Dependencies
from scoring.domain.evaluation import Access

EXTENSION = "scoring"
OWNER = "owner:"


def provide(app: Flask, needed: Dependencies) -> None:
    """Put the collaborators where `dependencies()` finds them."""
    app.extensions[EXTENSION] = needed


def dependencies() -> Dependencies:
    """Return the collaborators of the app that serves this request."""
    extensions: dict[str, Any] = current_app.extensions
    needed: Dependencies = extensions[EXTENSION]
    return needed


def signed_in_person() -> UUID:
    """Return the id of the caller, on routes whose permission lets only people in."""
    person_id = current_principal().person_id
    if person_id is None:
        raise TypeError("this route needs a permission that only people hold")
    return person_id


def ensure_in_round(permission: Permission, round_id: UUID) -> None:
    """Refuse callers without this right over the round's task. Raises RoundUnknown, Problem 401 and 403."""
    ensure(permission, task=views.task_of_round(dependencies().engine, round_id))


def evaluation_reader() -> views_evaluations.Reader:
    """Return which evaluations the caller may read."""
    principal = current_principal()
    if principal.is_admin:
        return views_evaluations.Reader(principal.person_id, None)
    owned = (role.removeprefix(OWNER) for role in principal.roles if role.startswith(OWNER))
    return views_evaluations.Reader(principal.person_id, frozenset(owned))


def shows_items(access: str, task_slug: str) -> bool:
    """Tell whether the caller may see the items of a dataset of this access."""
    return access == Access.OPEN or (
        access == Access.SCORING and is_allowed(Permission.MANAGE_TASK, current_principal(), task_slug)
    )


def looks_after_hidden(access: str, task_slug: str) -> bool:
    """Tell whether a dataset is hidden, and the caller looks after its task."""
    return access == Access.HIDDEN and is_allowed(Permission.MANAGE_TASK, current_principal(), task_slug)
