"""Help on keys, and how the person wants pages to look. The choice of theme is a cookie, so that it needs no script."""

from dynabench_common.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.entrypoints.http.dependencies import dependencies
from web.entrypoints.http.rendering import THEME, go_to, page
from web.presenters.site import THEMES
from web.return_address import safe_return

YEAR_SECONDS = 365 * 24 * 3600

blueprint = Blueprint("preferences", __name__)


@blueprint.get("/help/keys")
@requires(Permission.USE_PAGES)
def get_keys() -> Response:
    """List the keys."""
    return page("keys.html")


@blueprint.post("/preferences")
@requires(Permission.USE_PAGES)
def post_preferences() -> Response:
    """Remember the theme and go back."""
    theme = request.form.get("theme", "")
    response = go_to(safe_return(request.form.get("next")))
    if theme in THEMES:
        secure = dependencies().settings.has_secure_origin
        response.set_cookie(THEME, theme, max_age=YEAR_SECONDS, path="/", samesite="Lax", secure=secure)
    return response
