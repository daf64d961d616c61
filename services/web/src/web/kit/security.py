"""Protection against other sites: same-origin writes, headers that limit a page, return addresses of ours only.

The forms have no token. The browser itself states the origin of a request, in headers that no page can forge. It sends
`Sec-Fetch-Site` on https and loopback, and `Origin` with every form post. A request with neither is refused, since
every browser in use sends one.
"""

from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

from dynabench_common.http.page_headers import FRAMES_ALLOWED, missing_headers
from dynabench_common.problems import Problem
from flask import Flask, Response, current_app, g, request

from web.kit.dependencies import dependencies
from web.kit.language import _

ATTRIBUTE = "__takes_writes_from_anywhere__"
SHOWN_ATTRIBUTE = "__shown_on_other_sites__"
SHOWN = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "style-src 'self'",
            "img-src 'self'",
            "font-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            FRAMES_ALLOWED,
        )
    ),
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Cache-Control": "public, max-age=300",
}
View = TypeVar("View", bound=Callable[..., Any])
SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
LONGEST_ORIGIN = 100
ONE_YEAR = "max-age=31536000"
LONGEST_ADDRESS = 2000
HOME = "/"
SECOND_FACTOR_PAGE = "/account/second-factor"
NEVER_RETURNED_TO = ("/sign-in", "/sign-up", "/sign-out", "/resume", "/new-password", "/confirm-email")


def install(app: Flask) -> None:
    """Check each request, and put the headers on each answer."""
    app.before_request(_refuse_other_origins)
    app.after_request(_add_headers)


def from_anywhere(view: View) -> View:
    """Mark a route that other sites may send to, since its effect depends on a secret in the request."""
    setattr(view, ATTRIBUTE, True)
    return view


def shown_on_other_sites(view: View) -> View:
    """Mark a page that others may put into theirs: it has no scripts and forms and shows what everybody may see."""
    setattr(view, SHOWN_ATTRIBUTE, True)
    return view


def is_same_origin(site: str | None, origin: str | None, own: set[str]) -> bool:
    """Return whether a write comes from our own pages.

    `site` and `origin` are the request's Sec-Fetch-Site and Origin headers, `own` the origins that are ours.
    """
    if site is not None and site != "same-origin":
        return False
    if origin is not None:
        return origin in own
    return site is not None


def _refuse_other_origins() -> None:
    view = current_app.view_functions.get(request.endpoint or "")
    if request.method in SAFE_METHODS or getattr(view, ATTRIBUTE, False):
        return
    origins, origin = dependencies().settings.origins, request.headers.get("Origin")
    own = {*origins, f"{request.scheme}://{request.host}"}
    if not is_same_origin(request.headers.get("Sec-Fetch-Site"), origin, own):
        raise Problem(
            403,
            "foreign-origin",
            _("Not sent from one of our pages"),
            _(
                "The form was sent from %(origin)s, another site, so nothing was done.",
                origin=(origin or "?")[:LONGEST_ORIGIN],
            ),
            remedy=_(
                "Open the page at %(address)s and send the form again. If %(origin)s is this platform's own "
                "address, its operator sets PUBLIC_URL to it, or adds it to PUBLIC_ORIGINS.",
                address=dependencies().settings.public_url,
                origin=(origin or "?")[:LONGEST_ORIGIN],
            ),
        )


def _add_headers(response: Response) -> Response:
    view = current_app.view_functions.get(request.endpoint or "")
    if getattr(view, SHOWN_ATTRIBUTE, False) and response.status_code in {200, 304}:
        for name, value in SHOWN.items():
            response.headers.setdefault(name, value)
    response.headers.update(missing_headers(response.headers))
    if dependencies().settings.has_secure_origin:
        response.headers.setdefault("Strict-Transport-Security", ONE_YEAR)
    if g.get("access_token") or g.get("session_ended"):
        response.headers["Cache-Control"] = "no-store"
    response.headers.setdefault("Cache-Control", "no-cache")
    return response


def safe_return(given: str | None) -> str:
    """Return `given` if it is an address on this origin that may be shown after signing in, else the home page.

    Browsers read a backslash as a slash and drop tabs and line breaks, so any of those makes an address unsafe.
    """
    if not given or len(given) > LONGEST_ADDRESS or not given.startswith("/") or given.startswith("//"):
        return HOME
    if "\\" in given or any(ord(character) <= 0x20 or ord(character) == 0x7F for character in given):
        return HOME
    try:
        parts = urlsplit(given)
    except ValueError:
        return HOME
    if parts.scheme or parts.netloc or parts.path.startswith(NEVER_RETURNED_TO):
        return HOME
    return given
