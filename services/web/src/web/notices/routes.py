"""A person's notifications in a list, and marking them as read."""

from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit.badges import badge_views
from web.kit.dependencies import platform
from web.kit.form import whole_number
from web.kit.notification_text import newest_position, notifications
from web.kit.parallel import page_reads
from web.kit.rendering import go_to, page
from web.kit.security import safe_return

PAGE = 20
NEWEST_BADGES = 3
LONGEST_POSITION = 18

blueprint = Blueprint("notices", __name__)


@blueprint.get("/notices")
@requires(Permission.USE_OWN_PAGES)
def get_notices() -> Response:
    """List the person's notifications, newest first, below the newest badges."""
    client, cursor = platform(), request.args.get("cursor") or None
    reading = None if cursor else page_reads().read(client.leaderboard.my_badges)
    found = client.accounts.notices(limit=PAGE, cursor=cursor)
    earned = reading.value() if reading else None
    return page(
        "notices/page.html",
        notices=notifications(found.items),
        badges=badge_views(earned.items[:NEWEST_BADGES]) if earned else [],
        unread=found.unread,
        unread_notices=found.unread,
        up_to=newest_position(found.items),
        is_first=cursor is None,
        next_cursor=found.next_cursor,
    )


@blueprint.post("/notices/read")
@requires(Permission.MANAGE_OWN_NOTICES)
def post_read() -> Response:
    """Mark the shown notifications as read; later or changed ones stay new."""
    position = whole_number(request.form.get("up_to", ""), LONGEST_POSITION)
    if position is not None:
        platform().accounts.read_notices(position)
    return go_to(safe_return(request.form.get("next")), "notices-read")
