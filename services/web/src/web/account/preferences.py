"""Help on keys, and a person's preferences for pages. The choices are cookies: they need no script."""

from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit.dependencies import dependencies, platform
from web.kit.language import COOKIE as LANGUAGE
from web.kit.language import language_names
from web.kit.outcomes import attempt
from web.kit.rendering import PACE, PACES, THEME, THEMES, go_to, page
from web.kit.security import safe_return
from web.kit.session import viewer

YEAR_SECONDS = 365 * 24 * 3600

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
    choices = {"theme": (THEME, THEMES), "pace": (PACE, PACES), "language": (LANGUAGE, language_names())}
    for name, (cookie, known) in choices.items():
        chosen = request.form.get(name, "")
        if chosen in known:
            response.set_cookie(cookie, chosen, max_age=YEAR_SECONDS, path="/", samesite="Lax", secure=secure)
    if (language := request.form.get("language", "")) in language_names() and viewer().has_account:
        attempt(lambda: _mail_in(language))
    return response


def _mail_in(language: str) -> None:
    """Send the person's mails in this language from now on."""
    area = platform().accounts
    kept = area.notice_settings()
    area.set_notice_settings(
        kept.mail, not_on_page=kept.not_on_page, not_by_mail=kept.not_by_mail, language=language
    )
