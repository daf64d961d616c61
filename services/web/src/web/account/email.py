"""Change of the mail address: a link to the new address confirms it."""

from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.account.routes import account_page
from web.kit.dependencies import platform
from web.kit.language import locale
from web.kit.outcomes import attempt
from web.kit.problems import ProblemView
from web.kit.rendering import page

blueprint = Blueprint("email", __name__)


@blueprint.post("/account/email")
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_email() -> Response:
    """Request a link to the new address."""
    email, password = request.form.get("email", "").strip(), request.form.get("current_password", "")
    language = str(locale())
    outcome = attempt(lambda: platform().accounts.change_email(email, password, language=language))
    if outcome.problem is not None:
        return account_page(outcome.problem, email_problem=outcome.problem, new_email=email)
    return account_page(email_sent_to=email)


@blueprint.get("/confirm-email")
@requires(Permission.SIGN_UP)
def get_confirmation() -> Response:
    """Ask for a click. Opening the page does not use up the link, because mail programs open links too."""
    return _confirmation_page(request.args.get("token", ""))


@blueprint.post("/confirm-email")
@requires(Permission.SIGN_UP)
def post_confirmation() -> Response:
    """Use the link."""
    token, language = request.form.get("token", ""), str(locale())
    outcome = attempt(lambda: platform().accounts.confirm_email(token, language=language))
    if outcome.value is None:
        return _confirmation_page("", outcome.problem)
    return _confirmation_page("", user_name=outcome.value.user_name)


def _confirmation_page(token: str, problem: ProblemView | None = None, *, user_name: str = "") -> Response:
    """Return the page without caching, because it contains a link's secret."""
    status = problem.status if problem else 200
    response = page("account/confirm_email.html", status, token=token, problem=problem, user_name=user_name)
    response.headers["Cache-Control"] = "no-store"
    return response
