"""Comparison of a task's rounds, each with its difference to the previous one."""

from dynabench_client import Dynabench
from dynabench_client.results.annotation import Round
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit import session
from web.kit.configuration import task_rules
from web.kit.dependencies import platform
from web.kit.parallel import page_reads
from web.kit.rendering import page
from web.kit.rounds import started_rounds
from web.tasks.compare_view import RoundRead, round_columns
from web.tasks.round_charts import round_charts

AT_ONCE = 5
"""Maximum of rounds in one comparison."""

blueprint = Blueprint("round_comparison", __name__)


@blueprint.get("/tasks/<slug>/rounds")
@requires(Permission.USE_PAGES)
def get_comparison(slug: str) -> Response:
    """Compare the task's newest opened rounds, with `until` those up to a number."""
    task = platform().annotation.task(slug)
    started = started_rounds(task.rounds)
    until = request.args.get("until", type=int)
    shown = [found for found in started if until is None or found.number <= until]
    older = shown[AT_ONCE:]
    # One more than is shown, so that the oldest column can be compared with the round before it.
    found = _read(platform(), slug, shown[: AT_ONCE + 1])
    columns = round_columns(found)[:AT_ONCE]
    return page(
        "tasks/compare.html",
        task=task_rules(task),
        columns=columns,
        charts=round_charts(found[:AT_ONCE]),
        is_alone=len(started) < 2,
        has_authors=any(column.authors for column in columns),
        older=older[0].number if older else None,
        is_newest=len(shown) == len(started),
    )


def _read(client: Dynabench, slug: str, rounds: list[Round]) -> list[RoundRead]:
    """Read the rounds' figures concurrently; the number of authors only for owners of the task."""
    reads, owns = page_reads(), session.viewer().owns(slug)
    begun = [
        (
            found,
            reads.read(client.leaderboard.round, found.round_id),
            reads.read(client.validation.agreement, found.round_id, "segment"),
            reads.read(client.leaderboard.effort, found.round_id),
            reads.read(client.leaderboard.standing, found.round_id) if owns else None,
        )
        for found in rounds
    ]
    return [
        RoundRead(
            found, board.value(), agreed.value(), worked.value(), None if stood is None else stood.value()
        )
        for found, board, agreed, worked, stood in begun
    ]
