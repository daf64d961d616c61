"""The board of a task's models, also as CSV, and the comparison of two models."""

import csv
import io
from collections.abc import Mapping
from urllib.parse import urlencode

from dynabench_client.errors import ProblemError
from dynabench_client.results.base import LARGEST_PAGE
from dynabench_client.results.leaderboard import ModelBoard
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, jsonify, request

from web.kit import isolation
from web.kit.configuration import task_rules
from web.kit.content_notice import has_agreed
from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.numbers import moment
from web.kit.parallel import page_reads
from web.kit.problems import ProblemView, problem_view
from web.kit.rendering import page
from web.kit.sharing import LinkPreview, frame_code, own_address
from web.model_boards.compared_items import RIGHT, Choice, items_view, read_items
from web.model_boards.comparison_view import comparison_view
from web.model_boards.people import people_on
from web.model_boards.view import BoardView, board_view, csv_rows
from web.model_boards.weights import Chosen, chosen_weights

blueprint = Blueprint("model_boards", __name__)
MOST_LISTED = 50
WIDGET_HEIGHT = 420


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
    scored = reads.read(client.evaluations.scored_datasets, slug, limit=LARGEST_PAGE)
    found, problem = _board(slug, chosen)
    if found is None:
        found, _ = _board(slug, Chosen({}, {}, None, None))
    problem = refused or problem
    known = scored.value()
    public = [each.dataset_id for each in known.items if each.public_at_once] if known else []
    board = None if found is None else board_view(found, public)
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
        origin=own_address(""),
        preview=board_preview(slug, task.needed().title),
        frame=frame_code(_widget(slug, chosen), task.needed().title, WIDGET_HEIGHT),
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
    """Compare two models of the task on one dataset, and show the texts on which they differ."""
    client, reads, choice = platform(), page_reads(), Choice.of(request.args)
    task = reads.read(client.annotation.task, slug)
    ranked = reads.read(client.leaderboard.model_board, slug, scores=False)
    compared = (
        reads.read(client.evaluations.compare, choice.dataset, choice.first, choice.second)
        if choice.is_whole
        else None
    )
    rules = task_rules(task.needed())
    is_held_back = bool(rules.content_warning) and not has_agreed(slug)
    texts = read_items(choice) if choice.is_whole and not is_held_back else None
    board = board_view(ranked.needed())
    initial = _first_two(board)
    return page(
        "model_boards/comparison.html",
        task=rules,
        compared=None if compared is None else comparison_view(compared.needed()),
        board=board,
        asked={name: getattr(choice, name) or initial[name] for name in initial},
        choice=choice,
        right_words=RIGHT,
        texts=None if texts is None else items_view(texts, choice, rules),
        is_held_back=is_held_back,
        items_address=choice.address(slug, choice.page),
    )


def board_preview(slug: str, title: str) -> LinkPreview:
    """Return how links to a task's board are shown elsewhere."""
    return LinkPreview(
        own_address(f"/tasks/{slug}/board"),
        _("Models on %(task)s, ranked", task=isolation.name(title)),
        _("Every model is scored on every dataset of %(task)s.", task=isolation.name(title)),
    )


def _widget(slug: str, chosen: Chosen) -> str:
    return f"/tasks/{slug}/board/widget?{urlencode(chosen.query())}".rstrip("?")


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
