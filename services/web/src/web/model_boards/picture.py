"""The picture of a board in link previews."""

from collections.abc import Sequence

from dynabench_client.results.leaderboard import ModelRow
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response

from web.kit.charts.scales import Scale
from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.numbers import decimal
from web.kit.parallel import page_reads
from web.kit.pictures import Bar, Picture, picture_answer
from web.kit.security import shown_on_other_sites
from web.model_boards.view import places

MOST_DRAWN = 5

blueprint = Blueprint("board_picture", __name__)


@blueprint.get("/tasks/<slug>/board/picture.png")
@requires(Permission.USE_PAGES)
@shown_on_other_sites
def get_picture(slug: str) -> Response:
    """Send the picture of a board: its first public models, under the task's own weights."""
    everybody, reads = platform().acting_as(), page_reads()
    task = reads.read(everybody.annotation.task, slug)
    board = everybody.leaderboard.model_board(slug, scores=False)
    rows = [row for row in board.rows if row.rank is not None and row.is_published][:MOST_DRAWN]
    text = "" if rows else _("No model is ranked yet.")
    return picture_answer(Picture(task.needed().title, _("Models ranked"), text, bars=bars(rows)))


def bars(rows: Sequence[ModelRow]) -> list[Bar]:
    """Return the rows with their scores and intervals, all on one scale from 0 to 1."""
    drawn = [
        (row, row.score, row.interval or (row.score, row.score)) for row in rows if row.score is not None
    ]
    ends = [end for _row, score, interval in drawn for end in (score, *interval)]
    if not ends:
        return []
    across = Scale(min(ends), max(ends), 0, 1)
    return [
        Bar(places(row.rank_set), row.model, decimal(score), across(low), across(score), across(high))
        for row, score, (low, high) in drawn
    ]
