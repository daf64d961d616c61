"""The notice before content that may hurt: nothing of such a task is shown until the person has asked for it.

The choice is kept in a cookie for as long as the browser's session lasts, for one person, and by task.
"""

import re

from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit import session
from web.kit.configuration import TaskRules
from web.kit.dependencies import dependencies, platform
from web.kit.rendering import go_to, page
from web.kit.security import safe_return

COOKIE = "dynabench_content"
SLUG = re.compile(r"[a-z0-9-]{1,100}")
MOST_TASKS = 30

blueprint = Blueprint("content_notice", __name__)


def notice_before(rules: TaskRules) -> Response | None:
    """Return the page to show first, if the task has a warning and the person has not agreed to see more."""
    if not rules.content_warning or has_agreed(rules.slug):
        return None
    return page("kit/content_notice.html", task=rules)


def has_agreed(slug: str) -> bool:
    """Return whether the person has asked for the content of this task."""
    return slug in _agreed()


@blueprint.post("/tasks/<slug>/content-notice")
@requires(Permission.USE_PAGES)
def post_agreement(slug: str) -> Response:
    """Remember that the person wants to see a task's content, and go on."""
    known = platform().annotation.task(slug).slug
    response = go_to(safe_return(request.form.get("next")))
    slugs = [*[each for each in _agreed() if each != known], known][-MOST_TASKS:]
    value = ":".join((session.viewer().person_id, *slugs))
    secure = dependencies().settings.has_secure_origin
    response.set_cookie(COOKIE, value, path="/", httponly=True, samesite="Lax", secure=secure)
    return response


def _agreed() -> list[str]:
    """Return the tasks that this person has agreed to see."""
    person, *slugs = request.cookies.get(COOKIE, "").split(":")
    if person != session.viewer().person_id:
        return []
    return [slug for slug in slugs if SLUG.fullmatch(slug)]
