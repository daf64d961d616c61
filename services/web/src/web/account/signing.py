"""Signing in, up and out, and the name of the browser for the list of sessions."""

from collections.abc import Callable

from dynabench_client import ProblemError, UnreachableError
from dynabench_client.results.accounts import SignedIn
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, g, request

from web.kit import form, session
from web.kit.dependencies import platform
from web.kit.outcomes import attempt, optional
from web.kit.problems import ProblemView, problem_view
from web.kit.rendering import go_to, page
from web.kit.security import HOME, SECOND_FACTOR_PAGE, safe_return
from web.kit.signing import carried_form, sender_address, sign_in_page

UNAUTHORISED, CODE_NEEDED = 401, "second-factor-needed"
BROWSERS = {"Edg": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "FxiOS/": "Firefox"} | {
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
SYSTEMS = {
    **{"Android": "Android", "iPhone": "iOS", "iPad": "iPadOS", "Windows": "Windows"},
    **{"Mac OS X": "macOS", "CrOS": "ChromeOS", "Linux": "Linux"},
}
"""Part of a User-Agent header, and the name of its browser or system. If several fit, the first counts."""

blueprint = Blueprint("signing", __name__)


def device() -> str:
    """Return the browser and the system that this request names, such as `Firefox, Linux`; empty for unknown ones."""
    header = request.headers.get("User-Agent", "")
    found = (next((names[each] for each in names if each in header), "") for names in (BROWSERS, SYSTEMS))
    return ", ".join(filter(None, found))


@blueprint.get("/sign-in")
@requires(Permission.SIGN_UP)
def get_sign_in() -> Response:
    """Show the sign-in form. A person who is already signed in is redirected."""
    if session.viewer().is_signed_in:
        return go_to(safe_return(request.args.get("next")))
    return _sign_in_form(expired=request.args.get("expired") == "1")


@blueprint.post("/sign-in")
@requires(Permission.SIGN_UP)
def post_sign_in() -> Response:
    """Sign in and return to the previous page, with the text typed there."""
    user_name, password = request.form.get("user_name", ""), request.form.get("password", "")
    following = safe_return(request.form.get("next"))
    refused = begin_with(lambda: _session_of(user_name, password), following, user_name)
    return refused or signed_in_page(following)


@blueprint.post("/sign-in/code")
@requires(Permission.SIGN_UP)
def post_code() -> Response:
    """Finish a sign-in with a code of the second factor."""
    challenge, code = request.form.get("challenge", ""), request.form.get("code", "")
    outcome = attempt(
        lambda: platform().accounts.finish_sign_in(challenge, code, device=device()), even_unauthorised=True
    )
    if outcome.value is not None:
        session.begin(outcome.value)
        return signed_in_page(safe_return(request.form.get("next")))
    if outcome.problem is not None and outcome.problem.status == UNAUTHORISED:
        return _sign_in_form(problem=outcome.problem)
    return _code_form(challenge, safe_return(request.form.get("next")), outcome.problem)


def begin_with(sign_in: Callable[[], SignedIn], following: str, user_name: str = "") -> Response | None:
    """Begin a session; return the page of the refusal, or the one that asks for a code."""
    try:
        session.begin(sign_in())
    except (ProblemError, UnreachableError) as err:
        if isinstance(err, ProblemError) and err.slug == CODE_NEEDED:
            return _code_form(str(err.document["challenge"]), following)
        return _sign_in_form(problem=problem_view(err, g.get("request_id", "")), user_name=user_name)
    return None


def signed_in_page(following: str) -> Response:
    """Lead to the page or the form that sign-in interrupted; to the set-up of a second factor that is missing."""
    if session.viewer().principal.lacks_second_factor:
        return go_to(SECOND_FACTOR_PAGE)
    carried = carried_form()
    if carried is None:
        return go_to(following, "form-lost") if request.form.get("resume") else go_to(following)
    if carried.owner != session.viewer().name:
        return go_to(HOME, "form-of-another")
    return page(
        "account/resume.html",
        path=carried.path,
        fields=carried.fields,
        shown=form.texts_of(carried.fields),
    )


@blueprint.get("/sign-up")
@requires(Permission.SIGN_UP)
def get_sign_up() -> Response:
    """Show the sign-up form. A person who is already signed in is redirected."""
    if session.viewer().is_signed_in:
        return go_to(safe_return(request.args.get("next")))
    return _sign_up_form()


@blueprint.post("/sign-up")
@requires(Permission.SIGN_UP)
def post_sign_up() -> Response:
    """Register a person and sign them in."""
    user_name, email, password = (request.form.get(name, "") for name in ("user_name", "email", "password"))
    outcome = attempt(
        lambda: platform().accounts.sign_up(user_name, email, password, address=sender_address())
    )
    if outcome.problem is not None:
        return _sign_up_form(outcome.problem, user_name, email)
    following = safe_return(request.form.get("next"))
    if begin_with(lambda: _session_of(user_name, password), following) is not None:
        return go_to("/sign-in", "signed-up")
    return go_to(following)


@blueprint.post("/sign-out")
@requires(Permission.SIGN_UP)
def post_sign_out() -> Response:
    """End the session here and at the accounts service."""
    token = session.refresh_token()
    if token:
        optional(lambda: platform().accounts.sign_out(token))
    session.end()
    return go_to(HOME, "signed-out")


def _session_of(user_name: str, password: str) -> SignedIn:
    return platform().accounts.sign_in(user_name, password, address=sender_address(), device=device())


def _sign_in_form(
    *, problem: ProblemView | None = None, user_name: str = "", expired: bool = False
) -> Response:
    return sign_in_page(
        problem.status if problem else 200,
        safe_return(request.values.get("next")),
        request.form.get("resume"),
        problem=problem,
        user_name=user_name,
        expired=expired,
    )


def _code_form(challenge: str, following: str, problem: ProblemView | None = None) -> Response:
    return page(
        "account/code.html",
        problem.status if problem else 200,
        challenge=challenge,
        next=following,
        resume=request.form.get("resume"),
        problem=problem,
    )


def _sign_up_form(problem: ProblemView | None = None, user_name: str = "", email: str = "") -> Response:
    return page(
        "account/sign_up.html",
        problem.status if problem else 200,
        next=safe_return(request.values.get("next")),
        user_name=user_name,
        email=email,
        problem=problem,
    )
