"""Help on keys, and a person's preferences for pages. The choices are cookies: they need no script."""

from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit.dependencies import dependencies
from web.kit.rendering import PACE, PACES, THEME, THEMES, go_to, page
from web.kit.security import safe_return

YEAR_SECONDS = 365 * 24 * 3600
CHOICES = {"theme": (THEME, THEMES), "pace": (PACE, PACES)}

blueprint = Blueprint("preferences", __name__)


@blueprint.get("/help/keys")
@requires(Permission.USE_PAGES)
def get_keys() -> Response:
    """List the keys."""
    return page("account/keys.html")


@blueprint.post("/preferences")
@requires(Permission.USE_PAGES)
def post_preferences() -> Response:
    """Store the preferences and go back."""
    response = go_to(safe_return(request.form.get("next")))
    secure = dependencies().settings.has_secure_origin
    for name, (cookie, known) in CHOICES.items():
        chosen = request.form.get(name, "")
        if chosen in known:
            response.set_cookie(cookie, chosen, max_age=YEAR_SECONDS, path="/", samesite="Lax", secure=secure)
    return response
