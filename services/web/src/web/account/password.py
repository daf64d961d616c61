"""Changing one's password, and choosing a new one by a link that came by mail."""

from dynabench_common.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.account.routes import account_page, token_view
from web.kit.dependencies import dependencies, platform
from web.kit.language import locale
from web.kit.outcomes import attempt
from web.kit.rendering import go_to, page
from web.kit.signing import sender_address

LINK_ENDED = 410

blueprint = Blueprint("password", __name__)


@blueprint.post("/account/password")
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_password() -> Response:
    """Change the password; this browser stays signed in."""
    current, new = request.form.get("current_password", ""), request.form.get("new_password", "")
    language = str(locale())
    outcome = attempt(lambda: platform().accounts.change_password(current, new, language=language))
    if outcome.problem is not None:
        return account_page(outcome.problem, password_problem=outcome.problem)
    return go_to("/account", "password-changed")


@blueprint.get("/forgotten-password")
@requires(Permission.SIGN_UP)
def get_forgotten() -> Response:
    """Ask for the mail address."""
    return page("account/forgotten.html")


@blueprint.post("/forgotten-password")
@requires(Permission.SIGN_UP)
def post_forgotten() -> Response:
    """Have a link sent; what the page says does not hang on whether anybody has the address."""
    email, language, address = request.form.get("email", "").strip(), str(locale()), sender_address()
    outcome = attempt(
        lambda: platform().accounts.ask_for_new_password(email, language=language, address=address)
    )
    if outcome.problem is not None:
        return page("account/forgotten.html", outcome.problem.status, problem=outcome.problem, email=email)
    folder = dependencies().settings.mail_folder
    return page("account/forgotten.html", asked_for=email, email=email, mail_folder=folder)


@blueprint.get("/new-password")
@requires(Permission.SIGN_UP)
def get_new_password() -> Response:
    """Ask for the new password; looking at the page uses nothing up, since mail programs look too."""
    return _not_kept(page("account/new_password.html", token=request.args.get("token", "")))


@blueprint.post("/new-password")
@requires(Permission.SIGN_UP)
def post_new_password() -> Response:
    """Choose the new password and say which API tokens go on working."""
    token, password, language = (
        request.form.get("token", ""),
        request.form.get("password", ""),
        str(locale()),
    )
    outcome = attempt(lambda: platform().accounts.choose_new_password(token, password, language=language))
    if outcome.value is None:
        problem = outcome.problem
        status = problem.status if problem else 200
        is_over = status == LINK_ENDED
        return _not_kept(
            page("account/new_password.html", status, token=token, problem=problem, is_over=is_over)
        )
    chosen = outcome.value
    tokens = [token_view(each) for each in chosen.api_tokens]
    return _not_kept(page("account/new_password.html", user_name=chosen.person.user_name, tokens=tokens))


def _not_kept(response: Response) -> Response:
    """Return a page that knows a link's secret, which nobody is to keep."""
    response.headers["Cache-Control"] = "no-store"
    return response
