"""List of all rounds of an owner's tasks."""

from dynabench_client import Dynabench
from dynabench_client.results.validation import RoundWorkCounts
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit.dependencies import platform
from web.kit.parallel import page_reads
from web.kit.rendering import page
from web.overview.rounds_view import overview_rows

PAGE = 20
MOST_TASKS = 200

blueprint = Blueprint("overviews", __name__)


@blueprint.get("/rounds")
@requires(Permission.READ_STANDING)
def get_overviews() -> Response:
    """List the rounds of the owner's tasks (for administrators, all rounds) with the owners' open work."""
    client, reads, cursor = platform(), page_reads(), request.args.get("cursor")
    naming = reads.read(client.annotation.tasks, limit=MOST_TASKS)
    listed = client.leaderboard.standings(limit=PAGE, cursor=cursor)
    counting = reads.read(_waiting, client, tuple(found.round_id for found in listed.items))
    tasks, counts = naming.value(), counting.value() or {}
    titles = {task.slug: task.title for task in tasks.items} if tasks else {}
    return page(
        "overview/rounds.html",
        rows=overview_rows(listed.items, counts, titles),
        next_cursor=listed.next_cursor,
        is_first=not cursor,
    )


def _waiting(client: Dynabench, round_ids: tuple[str, ...]) -> dict[str, RoundWorkCounts]:
    """Return the open work in the listed rounds, by id."""
    if not round_ids:
        return {}
    return {found.round_id: found for found in client.validation.work_counts_of(round_ids)}
