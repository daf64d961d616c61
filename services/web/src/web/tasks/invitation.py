"""Invitation links: through sign-up or sign-in to the writing page of an open round."""

from uuid import UUID

from dynabench_client.results.annotation import Round
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response

from web.kit import session
from web.kit.dependencies import platform
from web.kit.rendering import go_to
from web.kit.rounds import current_round

blueprint = Blueprint("invitation", __name__)


@blueprint.get("/rounds/<uuid:round_id>/join")
@requires(Permission.USE_PAGES)
def get_round_invitation(round_id: UUID) -> Response:
    """Lead to the writing page of a round, or to the round's page while it is not open."""
    found = platform().annotation.round(str(round_id))
    return _to_writing(found) if found.is_open else go_to(f"/rounds/{found.round_id}")


@blueprint.get("/tasks/<slug>/join")
@requires(Permission.USE_PAGES)
def get_task_invitation(slug: str) -> Response:
    """Lead to the writing page of the task's open round, or to the task's page without one."""
    task = platform().annotation.task(slug)
    found = current_round(task.rounds)
    return _to_writing(found) if found and found.is_open else go_to(f"/tasks/{task.slug}")


def _to_writing(found: Round) -> Response:
    address = f"/rounds/{found.round_id}/create"
    if session.viewer().is_signed_in:
        return go_to(address)
    return go_to("/sign-up", "invited", next=address)
