"""Errors as pages. An ended session leads to the sign-in page and back, and keeps the typed texts.

Campaign workers can't sign in; their page points to the platform that sent them, for the way back to the work.

After a GET, the browser visits the page again. The sign-in form carries a posted form in hidden fields and offers it
again. With JavaScript, the browser also keeps the text as a draft.

A page of work leads to the training that must come before it.
"""

from urllib.parse import urlencode

from dynabench_client import ProblemError, UnreachableError
from dynabench_common.problems import Problem, name_in_log
from dynabench_common.telemetry.logging import get_logger
from flask import Flask, Response, g, make_response, request
from werkzeug.exceptions import HTTPException

from web.kit import form, session
from web.kit.language import _
from web.kit.problems import ProblemView, problem_view
from web.kit.rendering import MARK, PROBLEM, current_address, go_to, is_htmx, page
from web.kit.security import HOME, SECOND_FACTOR_PAGE, safe_return
from web.kit.signing import sent_form, sign_in_page

log = get_logger(__name__)
STALE_TOKEN = "token-expired"  # noqa: S105 - the name of a problem
"""A service refuses a token whose person has other roles by now, up to two seconds before the pages know."""
WHOLE_PAGE = {"HX-Retarget": "#main", "HX-Reselect": "#main", "HX-Reswap": "outerHTML"}
TRAINING_NEEDED = "onboarding-needed"


def install(app: Flask) -> None:
    """Answer every error with a page."""
    for kind in (Problem, ProblemError, UnreachableError, HTTPException):
        app.register_error_handler(kind, _answer)
    app.register_error_handler(Exception, _unexpected)


def error_page(view: ProblemView) -> Response:
    """Return the page of a problem. For a form that htmx sent, return the fragment to show at the form."""
    name_in_log(view.slug)
    is_beside_form = is_htmx() and request.method != "GET"
    template = "kit/problem.html" if is_beside_form else "kit/error.html"
    response = page(template, view.status, problem=view, sent=_sent())
    if view.retry_after is not None:
        response.headers["Retry-After"] = str(view.retry_after)
    if is_beside_form:
        response.headers[MARK] = PROBLEM
    elif is_htmx():
        response.headers.update(WHOLE_PAGE)
    return response


def _sent() -> list[str]:
    """Return the texts of the form that met an error; none where the form itself can't be read."""
    try:
        return form.sent_texts()
    except HTTPException:
        return []


def _answer(error: Exception) -> Response:
    view = problem_view(error, g.get("request_id", ""))
    if view.status == 401:
        trouble = session.trouble()
        if trouble is not None:
            return error_page(problem_view(trouble, g.get("request_id", "")))
        if view.slug == STALE_TOKEN and request.method == "GET" and session.renewed():
            return make_response("", 204) if is_htmx() else go_to(current_address())
        return error_page(_paid_session_over()) if session.did_paid_work() else _sign_in_first()
    if view.slug == "second-factor-missing" and request.method == "GET" and not is_htmx():
        return go_to(SECOND_FACTOR_PAGE)
    response = error_page(view)
    if isinstance(error, HTTPException):
        for name, value in error.get_headers():
            if name == "Allow":
                response.headers[name] = value
    return response


def _unexpected(error: Exception) -> Response:
    log.error("page_failed", exc_info=error, path=request.path)
    return error_page(problem_view(error, g.get("request_id", "")))


def _paid_session_over() -> ProblemView:
    session.end(keeps_mark=True)
    return ProblemView(
        401,
        _("Your session for paid work has ended"),
        _("Your work is kept."),
        _("Open the work again on the platform that sent you. You continue where you stopped."),
        slug="paid-session-ended",
        request_id=g.get("request_id", ""),
    )


def _sign_in_first() -> Response:
    session.end()
    if is_htmx():
        target = "/sign-in?" + urlencode({"next": current_address(), "expired": "1"})
        return make_response("", 401, {"HX-Redirect": target})
    if request.method == "GET":
        return go_to("/sign-in", next=current_address())
    carried = sent_form()
    following = HOME if carried is None else safe_return(request.path)
    return sign_in_page(401, following, carried, expired=True, is_lost=carried is None)


def training_first(problem: ProblemView | None, slug: str, activity: str, round_id: str) -> Response | None:
    """Return the redirect to the training if a service asks for it.

    None for a sent form: its page keeps what the person wrote, and links the training.
    """
    if problem is None or problem.slug != TRAINING_NEEDED or request.method != "GET":
        return None
    return go_to(f"/tasks/{slug}/training/{activity}", next=f"/rounds/{round_id}/{activity}")
