"""Change of the password, and a new password by a link in a mail."""

from dynabench_client.results.accounts import NewPasswordChosen
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.account.routes import account_page, token_view
from web.kit.dependencies import dependencies, platform
from web.kit.language import locale
from web.kit.outcomes import attempt
from web.kit.problems import ProblemView
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
    return _forgotten_page()


@blueprint.post("/forgotten-password")
@requires(Permission.SIGN_UP)
def post_forgotten() -> Response:
    """Request a link. The page is the same for known and unknown addresses."""
    email, language, address = request.form.get("email", "").strip(), str(locale()), sender_address()
    outcome = attempt(
        lambda: platform().accounts.ask_for_new_password(email, language=language, address=address)
    )
    if outcome.problem is not None:
        return _forgotten_page(outcome.problem, email=email)
    return _forgotten_page(email=email, asked_for=email)


@blueprint.get("/new-password")
@requires(Permission.SIGN_UP)
def get_new_password() -> Response:
    """Ask for the new password. Opening the page does not use up the link, because mail programs open links too."""
    return _new_password_page(request.args.get("token", ""))


@blueprint.post("/new-password")
@requires(Permission.SIGN_UP)
def post_new_password() -> Response:
    """Store the new password and list the API tokens that stay valid."""
    token, password, language = (
        request.form.get("token", ""),
        request.form.get("password", ""),
        str(locale()),
    )
    outcome = attempt(lambda: platform().accounts.choose_new_password(token, password, language=language))
    if outcome.value is None:
        return _new_password_page(token, outcome.problem)
    return _new_password_page("", chosen=outcome.value)


def _forgotten_page(problem: ProblemView | None = None, *, email: str = "", asked_for: str = "") -> Response:
    return page(
        "account/forgotten.html",
        problem.status if problem else 200,
        problem=problem,
        email=email,
        asked_for=asked_for,
        mail_folder=dependencies().settings.mail_folder,
    )


def _new_password_page(
    token: str, problem: ProblemView | None = None, chosen: NewPasswordChosen | None = None
) -> Response:
    """Return the page without caching, because it contains a link's secret."""
    response = page(
        "account/new_password.html",
        problem.status if problem else 200,
        token=token,
        problem=problem,
        is_over=problem is not None and problem.status == LINK_ENDED,
        user_name=chosen.person.user_name if chosen else "",
        tokens=[token_view(each) for each in chosen.api_tokens] if chosen else [],
    )
    response.headers["Cache-Control"] = "no-store"
    return response
