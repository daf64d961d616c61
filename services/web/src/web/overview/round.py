"""One round for owners of its task, in five views; each reads only its own parts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dynabench_client import Dynabench
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit.dependencies import platform
from web.kit.language import N_, _
from web.kit.owned_round import OwnedRound, owned_round
from web.kit.rendering import page
from web.kit.words import origin_words
from web.overview import health, now, people, progress, votes
from web.overview.figures import PARTS

blueprint = Blueprint("overview", __name__)


@dataclass(frozen=True)
class View:
    """A view of the round: its label, and the function that reads its values. Late parts are None."""

    name: str
    read: Callable[[Dynabench, OwnedRound, str], dict[str, Any]]


VIEWS = {
    "now": View(N_("Now"), now.read),
    "progress": View(N_("Progress"), progress.read),
    "votes": View(N_("Votes"), votes.read),
    "people": View(N_("People and texts"), people.read),
    "health": View(N_("Health"), health.read),
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
        **VIEWS[view].read(platform(), owned, by),
        origin=origin_words(owned.round.origin),
        overview_views={name: _(each.name) for name, each in VIEWS.items()},
        view=view,
        parts={name: _(part) for name, part in PARTS.items()},
        by=by,
    )


def _chosen(name: str, known: dict[str, Any], usual: str) -> str:
    asked = request.args.get(name, usual)
    return asked if asked in known else usual
