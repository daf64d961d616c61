"""The page of one's second factor: set it up, get recovery codes, turn it off."""

import segno
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request
from markupsafe import Markup

from web.kit import session
from web.kit.dependencies import platform
from web.kit.language import locale
from web.kit.outcomes import attempt
from web.kit.parallel import page_reads
from web.kit.problems import ProblemView
from web.kit.rendering import go_to, page
from web.kit.security import SECOND_FACTOR_PAGE

QR_SCALE = 4
LONGEST_URI = 500

blueprint = Blueprint("second_factor", __name__)


@blueprint.get(SECOND_FACTOR_PAGE)
@requires(Permission.CHANGE_OWN_ACCOUNT)
def get_second_factor() -> Response:
    """Show whether sign-in needs a code, and what can be done."""
    return _page()


@blueprint.post(SECOND_FACTOR_PAGE)
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_second_factor() -> Response:
    """Begin the set-up: show the QR code for the app."""
    password = request.form.get("current_password", "")
    outcome = attempt(lambda: platform().accounts.start_second_factor(password))
    if outcome.value is None:
        return _page(outcome.problem)
    return _setup_page(outcome.value.secret, outcome.value.uri)


@blueprint.post(f"{SECOND_FACTOR_PAGE}/confirmation")
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_confirmation() -> Response:
    """Confirm the app with its first code, and show the recovery codes."""
    code, language = request.form.get("code", ""), str(locale())
    outcome = attempt(lambda: platform().accounts.confirm_second_factor(code, language=language))
    if outcome.value is None:
        return _setup_page(request.form.get("secret", ""), request.form.get("uri", ""), outcome.problem)
    session.renew()
    return _codes_page(outcome.value, is_new=True)


@blueprint.post(f"{SECOND_FACTOR_PAGE}/recovery-codes")
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_recovery_codes() -> Response:
    """Show new recovery codes."""
    code = request.form.get("code", "")
    outcome = attempt(lambda: platform().accounts.renew_recovery_codes(code))
    if outcome.value is None:
        return _page(codes_problem=outcome.problem)
    return _codes_page(outcome.value, is_new=False)


@blueprint.post(f"{SECOND_FACTOR_PAGE}/removal")
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_removal() -> Response:
    """Turn the second factor off."""
    password, code = request.form.get("current_password", ""), request.form.get("code", "")
    language = str(locale())
    outcome = attempt(lambda: platform().accounts.remove_second_factor(password, code, language=language))
    if outcome.problem is not None:
        return _page(removal_problem=outcome.problem)
    session.renew()
    return go_to("/account", "second-factor-off")


def _page(
    problem: ProblemView | None = None,
    *,
    codes_problem: ProblemView | None = None,
    removal_problem: ProblemView | None = None,
) -> Response:
    shown = problem or codes_problem or removal_problem
    ways_in = page_reads().read(platform().accounts.ways_in)
    return page(
        "account/second_factor.html",
        shown.status if shown else 200,
        factor=platform().accounts.second_factor(),
        has_password=ways_in.needed().has_password,
        problem=problem,
        codes_problem=codes_problem,
        removal_problem=removal_problem,
    )


def _setup_page(secret: str, uri: str, problem: ProblemView | None = None) -> Response:
    """Return the page with the QR code; it is drawn again after a wrong code."""
    if not uri.startswith("otpauth://") or len(uri) > LONGEST_URI:
        return _page(problem)
    code = segno.make(uri, error="M")
    return _secret_page(
        "account/app_setup.html",
        problem,
        secret=secret,
        uri=uri,
        drawing=Markup(code.svg_inline(scale=QR_SCALE, dark="#000", light="#fff")),  # noqa: S704
    )


def _codes_page(codes: tuple[str, ...], *, is_new: bool) -> Response:
    return _secret_page("account/recovery_codes.html", None, codes=codes, is_new=is_new)


def _secret_page(template: str, problem: ProblemView | None, **views: object) -> Response:
    response = page(template, problem.status if problem else 200, problem=problem, **views)
    response.headers["Cache-Control"] = "no-store"
    return response
