"""Record of the tasks whose practice a person has seen, so that nobody is sent there twice. It is only in a cookie."""

import re

from flask import Response, request

from web.kit import session
from web.kit.dependencies import dependencies

COOKIE = "dynabench_practised"
SLUG = re.compile(r"[a-z0-9-]{1,100}")
MOST_TASKS = 30
YEAR_SECONDS = 365 * 24 * 3600


def has_seen_practice(slug: str) -> bool:
    """Return whether this person was shown the practice of a task, in this browser."""
    return slug in _seen()


def remember_practice(slug: str, response: Response) -> None:
    """Remember with the response that this person was shown the practice of a task."""
    slugs = [*[each for each in _seen() if each != slug], slug][-MOST_TASKS:]
    value = ":".join((session.viewer().person_id, *slugs))
    secure = dependencies().settings.has_secure_origin
    response.set_cookie(
        COOKIE, value, max_age=YEAR_SECONDS, path="/", httponly=True, samesite="Lax", secure=secure
    )


def _seen() -> list[str]:
    """Return the tasks of which this person, or somebody before they signed in, has seen the practice."""
    person, *slugs = request.cookies.get(COOKIE, "").split(":")
    if person not in ("", session.viewer().person_id):
        return []
    return [slug for slug in slugs if SLUG.fullmatch(slug)]
