"""Redirect to a task's practice for first-time writers, once, with a way back."""

from flask import Response, request

from web.create.page import CreatePage, begin_counts
from web.kit import session
from web.kit.dependencies import platform
from web.kit.parallel import page_reads
from web.kit.practised import has_seen_practice
from web.kit.rendering import go_to, is_htmx

OPEN = "open"


def practice_first(current: CreatePage) -> Response | None:
    """Return the way to the practice; None for who has seen it, wrote in the task before, or looks after the task.

    Where it can't be told whether somebody wrote before, nobody is led away.
    """
    slug, round_id = current.rules.slug, current.round.round_id
    is_plain_visit = request.method == "GET" and not request.args and not is_htmx()
    if not is_plain_visit or not current.rules.has_practice or current.round.state != OPEN:
        return None
    if has_seen_practice(slug) or session.viewer().owns(slug):
        return None
    mine = begin_counts(round_id)[0].value()
    if mine is None or mine.tries:
        return None
    rounds = page_reads().read(platform().leaderboard.my_rounds).value()
    if rounds is None or any(each.task_slug == slug for each in rounds):
        return None
    return go_to(f"/tasks/{slug}/practice", next=f"/rounds/{round_id}/create")
