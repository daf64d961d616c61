"""Dependencies of routes: the service's collaborators and the caller."""

from typing import Any
from uuid import UUID

from dynabench_common.permissions import current_principal
from flask import Flask, current_app

from accounts.bootstrap import Dependencies

EXTENSION = "accounts"


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
