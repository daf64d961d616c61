"""Unsubscribing from notification mails by the link in each of them, without signing in.

Opening the page changes nothing, because mail programs open links too. The form ends the mails, and so does a POST of
a mail program to the same address (RFC 8058).
"""

from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit.dependencies import platform
from web.kit.outcomes import attempt
from web.kit.problems import ProblemView
from web.kit.rendering import page
from web.kit.security import from_anywhere

blueprint = Blueprint("unsubscribe", __name__)


@blueprint.get("/unsubscribe")
@requires(Permission.SIGN_UP)
def get_unsubscribe() -> Response:
    """Ask for a click."""
    return _page(request.args.get("token", ""))


@blueprint.post("/unsubscribe")
@from_anywhere
@requires(Permission.SIGN_UP)
def post_unsubscribe() -> Response:
    """End the mails; the secret token identifies the person."""
    token = request.form.get("token") or request.args.get("token", "")
    outcome = attempt(lambda: platform().accounts.unsubscribe(token), even_unauthorised=True)
    if outcome.value is None:
        return _page("", outcome.problem)
    return _page("", user_name=outcome.value.user_name)


def _page(token: str, problem: ProblemView | None = None, *, user_name: str = "") -> Response:
    """Return the page without caching, because it contains a link's token."""
    status = problem.status if problem else 200
    response = page("notices/unsubscribe.html", status, token=token, problem=problem, user_name=user_name)
    response.headers["Cache-Control"] = "no-store"
    return response
