"""The board of people of a task, whole or of one round."""

from dynabench_client.results.annotation import Round
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, abort, request

from web.kit.configuration import task_rules
from web.kit.dependencies import platform
from web.kit.rendering import page
from web.kit.rounds import round_view, started_rounds
from web.user_board.view import board_view, rates_chart

PAGE = 50

blueprint = Blueprint("user_board", __name__)


@blueprint.get("/tasks/<slug>/people")
@requires(Permission.USE_PAGES)
def get_user_board(slug: str) -> Response:
    """Rank the people with tries in a task, or with `round_id` in one of its rounds."""
    client, cursor = platform(), request.args.get("cursor")
    task = client.annotation.task(slug)
    rounds = started_rounds(task.rounds)
    chosen = _chosen(rounds)
    if chosen is None:
        board = client.leaderboard.people_of_task(slug, limit=PAGE, cursor=cursor)
    else:
        board = client.leaderboard.people_of_round(chosen.round_id, limit=PAGE, cursor=cursor)
    address, view = f"/tasks/{task.slug}/people", board_view(board)
    return page(
        "user_board/page.html",
        task=task_rules(task),
        rounds=[round_view(each) for each in rounds],
        chosen=None if chosen is None else round_view(chosen),
        board=view,
        chart=None if cursor else rates_chart(view),
        address=address if chosen is None else f"{address}?round_id={chosen.round_id}",
        next_cursor=board.next_cursor,
        is_first=not cursor,
    )


def _chosen(rounds: list[Round]) -> Round | None:
    """Return the round in the address, None for all rounds."""
    asked = request.args.get("round_id", "")
    found = next((each for each in rounds if each.round_id == asked), None)
    if asked and found is None:
        abort(404)
    return found
