"""Session of the person at the browser: an access token in one cookie, renewed with the refresh token in another.

Scripts can't read either cookie. The access cookie ends a little before its token, so that a token stays valid for the
length of a request. A third cookie has the person's own name, only for the header of the page; for people of
campaigns, who have no account, it has a mark.
"""

import re
from dataclasses import dataclass

from dynabench_client import ProblemError, UnreachableError
from dynabench_client.results.accounts import SignedIn
from dynabench_common.auth.authentication import ANONYMOUS, Principal
from dynabench_common.auth.permissions import Permission, is_allowed
from dynabench_common.problems import Problem
from flask import Flask, Response, g, request

from web.kit.dependencies import dependencies
from web.kit.language import _

ACCESS, REFRESH, PERSON = "dynabench_access", "dynabench_refresh", "dynabench_person"
PAID_WORK = "@paid-work"
"""The mark of people of campaigns in place of a name; no user name begins like it."""
MARGIN_SECONDS = 30
NAME_SECONDS = 90 * 24 * 3600
REFRESH_TOKEN = re.compile(r"[\w.~+/=-]{1,200}", re.ASCII)
UNTOUCHED = ("/static/", "/healthz/")


@dataclass(frozen=True)
class Viewer:
    """Person who looks at the page."""

    name: str
    person_id: str
    principal: Principal
    does_paid_work: bool = False

    @property
    def is_signed_in(self) -> bool:
        """Return whether it is a person we know."""
        return self.principal.person_id is not None

    @property
    def has_account(self) -> bool:
        """Return whether the person signed in with an account, and does not come from a campaign."""
        return self.is_signed_in and not self.does_paid_work

    @property
    def looks_after_rounds(self) -> bool:
        """Return whether there are rounds whose standing the person may read."""
        return is_allowed(Permission.READ_STANDING, self.principal)

    def owns(self, task_slug: str) -> bool:
        """Return whether owner controls of the task are shown; the service decides anew."""
        return self.principal.is_admin or self.principal.owns(task_slug)


def install(app: Flask) -> None:
    """Recognise the person before each request, and hand out renewed cookies after it."""
    app.before_request(_recognise)
    app.after_request(_hand_out_cookies)


def viewer() -> Viewer:
    """Return who looks at the page."""
    principal: Principal = g.get("principal", ANONYMOUS)
    if principal.person_id is None:
        return Viewer("", "", ANONYMOUS)
    if g.get("does_paid_work", did_paid_work()):
        return Viewer(_("Paid work"), str(principal.person_id), principal, does_paid_work=True)
    fresh: SignedIn | None = g.get("fresh_session")
    name = fresh.person.user_name if fresh else request.cookies.get(PERSON, "") or _("you")
    return Viewer(name, str(principal.person_id), principal)


def did_paid_work() -> bool:
    """Return whether the last session of this browser was for paid work."""
    return request.cookies.get(PERSON) == PAID_WORK


def begin(signed_in: SignedIn, *, does_paid_work: bool = False) -> None:
    """Make the person of a fresh session the one who sent this request."""
    g.does_paid_work = does_paid_work
    g.principal = dependencies().verifier.principal(f"Bearer {signed_in.access_token}")
    g.access_token = signed_in.access_token
    g.fresh_session = signed_in


def end(*, keeps_mark: bool = False) -> None:
    """Forget the person; the cookies go with the answer, except the third one with `keeps_mark`."""
    gone = (ACCESS, REFRESH) if keeps_mark else (ACCESS, REFRESH, PERSON)
    g.principal, g.access_token, g.fresh_session, g.session_ended = ANONYMOUS, None, None, gone


def renew() -> None:
    """Take a new access token, which holds the person's present roles."""
    token = refresh_token()
    if token:
        _renew(token)


def renewed() -> bool:
    """Take a new access token in place of one that a service refused; return whether there is one."""
    renew()
    return g.get("fresh_session") is not None


def trouble() -> UnreachableError | ProblemError | Problem | None:
    """Return why the session could not be checked or renewed although it may be good, if that was so."""
    found: UnreachableError | ProblemError | Problem | None = g.get("session_trouble")
    return found


def refresh_token() -> str | None:
    """Return the refresh token that the browser holds, unless it is nothing that we ever gave out."""
    token = request.cookies.get(REFRESH, "")
    return token if REFRESH_TOKEN.fullmatch(token) else None


def _recognise() -> None:
    g.principal = ANONYMOUS
    if request.path.startswith(UNTOUCHED):
        return
    token = request.cookies.get(ACCESS)
    if token and _accept(token):
        return
    token = refresh_token()
    if token:
        _renew(token)


def _accept(token: str) -> bool:
    """Return whether nothing more is to be tried: the token is good, or nobody can say just now."""
    try:
        principal = dependencies().verifier.principal(f"Bearer {token}")
    except Problem as refusal:
        if refusal.status == 401:
            return False
        g.session_trouble = refusal
        return True
    if principal.person_id is None:
        return False
    g.principal, g.access_token = principal, token
    return True


def _renew(token: str) -> None:
    try:
        begin(dependencies().platform.accounts.refresh(token), does_paid_work=did_paid_work())
    except UnreachableError as err:
        g.session_trouble = err
    except ProblemError as err:
        if err.status == 401:
            end(keeps_mark=did_paid_work())
        else:
            g.session_trouble = err


def _hand_out_cookies(response: Response) -> Response:
    fresh: SignedIn | None = g.get("fresh_session")
    if fresh is not None:
        seconds = max(1, int(fresh.expires_in) - MARGIN_SECONDS)
        _set(response, ACCESS, fresh.access_token, seconds)
        name = PAID_WORK if g.does_paid_work else fresh.person.user_name
        _set(response, PERSON, name, NAME_SECONDS)
        response.headers.add("Set-Cookie", fresh.set_cookie)
    else:
        for name in g.get("session_ended", ()):
            _set(response, name, "", 0)
    return response


def _set(response: Response, name: str, value: str, seconds: int) -> None:
    secure = dependencies().settings.has_secure_origin
    response.set_cookie(name, value, max_age=seconds, path="/", httponly=True, samesite="Lax", secure=secure)
