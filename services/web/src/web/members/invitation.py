"""The page of an invitation to a private task."""

from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit import form, session
from web.kit.dependencies import platform
from web.kit.outcomes import attempt
from web.kit.problems import ProblemView
from web.kit.rendering import go_to, page

blueprint = Blueprint("task_invitation", __name__, url_prefix="/invitation")


@blueprint.get("")
@requires(Permission.USE_PAGES)
def get_invitation() -> Response:
    """Show the invitation, with the way to join: for others through sign-up or sign-in."""
    token = request.args.get("token", "")
    outcome = attempt(lambda: platform().acting_as().accounts.check_invitation(token))
    return _invitation_page(token, outcome.problem)


@blueprint.post("")
@requires(Permission.USE_INVITATION)
def post_invitation() -> Response:
    """Make the person a member, and lead to the task."""
    token = form.text("token")
    outcome = attempt(lambda: platform().accounts.use_invitation(token))
    if outcome.value is None:
        return _invitation_page(token, outcome.problem)
    session.renew()
    return go_to(f"/tasks/{outcome.value}", "joined")


def _invitation_page(token: str, problem: ProblemView | None) -> Response:
    return page(
        "members/invitation.html",
        problem.status if problem else 200,
        token=token,
        problem=problem,
        here=f"/invitation?token={token}",
    )
