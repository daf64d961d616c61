"""Where rounds stand: all rounds that a person looks after, in one list."""

from functools import partial

from dynabench_common.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit.dependencies import platform
from web.kit.parallel import ParallelFetch
from web.kit.rendering import page
from web.overview.rounds_view import overview_rows

PAGE = 20
MOST_TASKS = 200

blueprint = Blueprint("overviews", __name__)


@blueprint.get("/rounds")
@requires(Permission.READ_STANDING)
def get_overviews() -> Response:
    """List the rounds of one's tasks, of administrators all, with what waits for their owners."""
    client, cursor = platform(), request.args.get("cursor")
    listed = client.leaderboard.standings(limit=PAGE, cursor=cursor)
    with ParallelFetch() as parts:
        counting = [
            parts.read(partial(client.validation.work_counts, found.round_id)) for found in listed.items
        ]
        naming = parts.read(partial(client.annotation.tasks, limit=MOST_TASKS))
        counts = [part.value() for part in counting]
        tasks = naming.value()
    titles = {task.slug: task.title for task in tasks.items} if tasks else {}
    return page(
        "overview/rounds.html",
        rows=overview_rows(listed.items, counts, titles),
        next_cursor=listed.next_cursor,
        is_first=not cursor,
    )
