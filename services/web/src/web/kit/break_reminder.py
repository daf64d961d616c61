"""Proposal of a break after a time of work without a pause. Only a cookie notes that time."""

from dynabench_common.auth.permissions import current_principal
from flask import Response, after_this_request, request

from web.kit.configuration import TaskRules
from web.kit.dependencies import dependencies
from web.kit.form import whole_number

COOKIE = "dynabench_break"
PAUSE_SECONDS = 600
"""Time without a page of work after which the count starts again."""


def proposes_break(rules: TaskRules) -> bool:
    """Return whether the page proposes a break, once after each stretch of work; the answer notes the time."""
    wait, now = 60 * rules.break_after_minutes, int(dependencies().clock.now().timestamp())
    if not wait:
        return False
    person = str(current_principal().person_id)
    began, seen = _noted(person) or (now, now)
    if now - seen > PAUSE_SECONDS:
        began = now
    is_due = now - began >= wait

    @after_this_request
    def note(response: Response) -> Response:
        value = f"{person}:{now if is_due else began}:{now}"
        secure = dependencies().settings.has_secure_origin
        response.set_cookie(COOKIE, value, path="/rounds", httponly=True, samesite="Lax", secure=secure)
        return response

    return is_due


def _noted(person: str) -> tuple[int, int] | None:
    """Return when the person began, and was last seen at work."""
    noted_person, *times = request.cookies.get(COOKIE, "").split(":")
    if noted_person != person or len(times) != 2:
        return None
    began, seen = (whole_number(each, most_digits=12) for each in times)
    return None if began is None or seen is None else (began, seen)
