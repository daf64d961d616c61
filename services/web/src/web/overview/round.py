"""One round for owners of its task, in five views; each reads only its own parts."""

from collections.abc import Callable
from typing import Any, TypeAlias

from dynabench_client import Dynabench
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.owned_round import OwnedRound, owned_round
from web.kit.rendering import page
from web.kit.words import origin_words
from web.overview import health, now, people, progress, votes
from web.overview.figures import PARTS

blueprint = Blueprint("overview", __name__)


View: TypeAlias = Callable[[Dynabench, OwnedRound, str], dict[str, Any]]
"""The function that reads the values of a view. Late parts are None."""
VIEWS: dict[str, View] = {
    "now": now.read,
    "progress": progress.read,
    "votes": votes.read,
    "people": people.read,
    "health": health.read,
}


@blueprint.get("/tasks/<slug>/rounds/<int:number>/standing")
@requires(Permission.READ_STANDING)
def get_overview(slug: str, number: int) -> Response:
    """Show one view of the round, by default `now`; `by` splits the figures."""
    owned = owned_round(Permission.READ_STANDING, slug, number)
    view = _chosen("view", VIEWS, "now")
    by = _chosen("by", PARTS, "segment")
    return page(
        f"overview/{view}.html",
        **owned.views(),
        is_draft=owned.is_draft,
        **VIEWS[view](platform(), owned, by),
        origin=origin_words(owned.round.origin),
        view=view,
        parts={name: _(part) for name, part in PARTS.items()},
        by=by,
    )


def _chosen(name: str, known: dict[str, Any], usual: str) -> str:
    asked = request.args.get(name, usual)
    return asked if asked in known else usual
