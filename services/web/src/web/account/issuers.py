"""Signing in with an issuer (OpenID Connect), and linking one to an account.

Between the two halves, a cookie keeps the secret of the start, where to go on, and whether an issuer is linked. The way
to the issuer is a link and never a form, since the pages' policy lets forms lead only to this site.
"""

import json
from dataclasses import asdict, dataclass

from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.account.routes import account_page
from web.account.signing import begin_with, device, signed_in_page
from web.kit import session
from web.kit.dependencies import dependencies, platform
from web.kit.form import hidden_json
from web.kit.language import locale
from web.kit.outcomes import attempt
from web.kit.rendering import go_to, page
from web.kit.security import HOME, safe_return
from web.kit.signing import sender_address, sign_in_page

COOKIE = "dynabench_issuer"
MINUTES = 10
ANSWERED = ("state", "code", "iss", "error")

blueprint = Blueprint("issuers", __name__)


@dataclass(frozen=True)
class Kept:
    """The content of the cookie while the person is at the issuer; `links` if an issuer is linked to an account."""

    secret: str
    following: str
    links: bool


@blueprint.get("/sign-in/with/<name>")
@requires(Permission.SIGN_UP)
def get_start(name: str) -> Response:
    """Lead to the issuer."""
    outcome = attempt(lambda: platform().accounts.start_issuer_sign_in(name), even_unauthorised=True)
    if outcome.value is None:
        problem = outcome.problem
        return sign_in_page(problem.status if problem else 200, HOME, None, problem=problem)
    following = safe_return(request.args.get("next"))
    return _keep(go_to(outcome.value.url), Kept(outcome.value.secret, following, links=False))


@blueprint.get("/sign-in/with/<name>/done")
@requires(Permission.SIGN_UP)
def get_done(name: str) -> Response:
    """Sign in with the issuer's answer, or link the issuer."""
    kept = _kept()
    answer = {"secret": kept.secret, **{each: request.args.get(each, "") for each in ANSWERED}}
    if kept.links and session.viewer().is_signed_in:
        return _forget(_link(name, answer))
    refused = begin_with(
        lambda: platform().accounts.sign_in_by_issuer(
            name, **answer, address=sender_address(), device=device()
        ),
        kept.following,
    )
    return _forget(refused or signed_in_page(kept.following))


@blueprint.post("/account/issuers/<name>")
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_link(name: str) -> Response:
    """Begin to link an issuer: the next page leads there."""
    password = request.form.get("current_password", "")
    outcome = attempt(lambda: platform().accounts.start_issuer_link(name, password))
    if outcome.value is None:
        return account_page(outcome.problem, issuer_problem=outcome.problem, issuer_name=name)
    title = next((each.title for each in platform().accounts.issuers() if each.name == name), name)
    answer = page("account/issuer_start.html", title=title, url=outcome.value.url)
    return _keep(answer, Kept(outcome.value.secret, "/account", links=True))


@blueprint.post("/account/issuers/<name>/removal")
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_unlink(name: str) -> Response:
    """Remove an issuer from the account."""
    outcome = attempt(lambda: platform().accounts.unlink_issuer(name))
    if outcome.problem is not None:
        return account_page(outcome.problem, issuer_problem=outcome.problem, issuer_name=name)
    return go_to("/account", "issuer-unlinked")


def _link(name: str, answer: dict[str, str]) -> Response:
    language = str(locale())
    outcome = attempt(
        lambda: platform().accounts.link_issuer(name, **answer, language=language), even_unauthorised=True
    )
    if outcome.problem is not None:
        return account_page(outcome.problem, issuer_problem=outcome.problem, issuer_name=name)
    return go_to("/account", "issuer-linked")


def _keep(response: Response, kept: Kept) -> Response:
    response.set_cookie(
        COOKIE,
        json.dumps(asdict(kept)),
        max_age=MINUTES * 60,
        path="/",
        httponly=True,
        samesite="Lax",
        secure=dependencies().settings.has_secure_origin,
    )
    response.headers["Cache-Control"] = "no-store"
    return response


def _kept() -> Kept:
    """Return what the cookie keeps; nothing for a cookie that is not ours."""
    try:
        found = hidden_json(request.cookies.get(COOKIE, ""))
        return Kept(str(found["secret"]), safe_return(str(found["following"])), bool(found["links"]))
    except (TypeError, KeyError):
        return Kept("", HOME, links=False)


def _forget(response: Response) -> Response:
    response.delete_cookie(COOKIE, path="/")
    return response
