"""The board of a task's models, also as CSV, and the comparison of two models."""

import csv
import io
from collections.abc import Mapping
from urllib.parse import urlencode

from dynabench_client.errors import ProblemError
from dynabench_client.results.leaderboard import ModelBoard
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, jsonify, request

from web.kit.configuration import task_rules
from web.kit.dependencies import dependencies, platform
from web.kit.numbers import moment
from web.kit.parallel import page_reads
from web.kit.problems import ProblemView, problem_view
from web.kit.rendering import page
from web.model_boards.comparison_view import comparison_view
from web.model_boards.people import people_on
from web.model_boards.view import BoardView, board_view, csv_rows
from web.model_boards.weights import Chosen, chosen_weights

blueprint = Blueprint("model_boards", __name__)
MOST_LISTED = 50


@blueprint.get("/tasks/<slug>/board")
@requires(Permission.USE_PAGES)
def get_board(slug: str) -> Response:
    """Rank the task's models under the weights in the address, or the task's own."""
    return board_page(slug, chosen_weights(request.args))


def board_page(slug: str, chosen: Chosen, refused: ProblemView | None = None) -> Response:
    """Return the board under these weights, with the last refusal."""
    client, reads = platform(), page_reads()
    task = reads.read(client.annotation.task, slug)
    views = reads.read(client.leaderboard.board_views, slug, limit=MOST_LISTED)
    snapshots = reads.read(client.leaderboard.board_snapshots, slug, limit=MOST_LISTED)
    found, problem = _board(slug, chosen)
    if found is None:
        found, _ = _board(slug, Chosen({}, {}, None, None))
    problem = refused or problem
    board = None if found is None else board_view(found)
    kept, frozen = views.value(), snapshots.value()
    return page(
        "model_boards/board.html",
        200 if problem is None else problem.status,
        task=task_rules(task.needed()),
        board=board,
        people=None if found is None else people_on(found, task.needed().rounds),
        problem=problem,
        asked=_first_two(board),
        chosen=chosen.query(),
        query=urlencode(chosen.query()),
        asked_of_api=urlencode({name: given for name, given in chosen.asked().items() if given}),
        views=[] if kept is None else kept.items,
        snapshots=[] if frozen is None else [(each, moment(each.as_of)) for each in frozen.items],
        origin=dependencies().settings.public_url.rstrip("/"),
    )


@blueprint.get("/tasks/<slug>/board.csv")
@requires(Permission.USE_PAGES)
def get_board_csv(slug: str) -> Response:
    """Send the board as CSV, under the weights in the address."""
    chosen = chosen_weights(request.args)
    found = platform().leaderboard.model_board(slug, **chosen.asked(), scores=False)
    text = io.StringIO()
    csv.writer(text).writerows(csv_rows(found))
    headers = {"Content-Disposition": f'attachment; filename="{slug}-models-{found.digest}.csv"'}
    return Response(text.getvalue(), content_type="text/csv; charset=utf-8", headers=headers)


@blueprint.get("/tasks/<slug>/board/parts")
@requires(Permission.USE_PAGES)
def get_board_parts(slug: str) -> Response:
    """Send the parts of the board's scores, so that the page can reorder rows while the reader changes a weight."""
    found = platform().leaderboard.moving_parts(slug, **chosen_weights(request.args).arguments())
    return jsonify(found.document())


@blueprint.get("/tasks/<slug>/board/compare")
@requires(Permission.USE_PAGES)
def get_comparison(slug: str) -> Response:
    """Compare two models of the task on one dataset."""
    client, asked = platform(), request.args
    task = page_reads().read(client.annotation.task, slug)
    names = {name: asked.get(name, "") for name in ("first", "second", "dataset")}
    found = (
        client.evaluations.compare(names["dataset"], names["first"], names["second"])
        if all(names.values())
        else None
    )
    board = board_view(client.leaderboard.model_board(slug, scores=False))
    return page(
        "model_boards/comparison.html",
        task=task_rules(task.needed()),
        compared=None if found is None else comparison_view(found),
        board=board,
        asked={name: given or _first_two(board)[name] for name, given in names.items()},
    )


def _first_two(board: BoardView | None) -> Mapping[str, str]:
    """Return the initial values of the comparison form."""
    names = [row.name for row in board.ranked[:2]] if board else []
    first, second = [*names, "", ""][:2]
    dataset = board.datasets[0].dataset_id if board and board.datasets else ""
    return {"first": first, "second": second, "dataset": dataset}


def _board(slug: str, chosen: Chosen) -> tuple[ModelBoard | None, ProblemView | None]:
    try:
        return platform().leaderboard.model_board(slug, **chosen.asked(), scores=False), None
    except ProblemError as err:
        if err.status != 422:
            raise
        return None, problem_view(err)
