"""History of a round: its figures over time, the progress of its examples, and the figures of its parts."""

from typing import Any

from dynabench_client import Dynabench
from dynabench_client.results.leaderboard import RoundFigures

from web.kit.charts.fooling import fooling
from web.kit.charts.funnel import funnel
from web.kit.charts.over_time import over_time
from web.kit.numbers import moment
from web.kit.owned_round import OwnedRound
from web.kit.parallel import page_reads
from web.overview.burn_up import burn_up
from web.overview.figures import board_parts, breakdown_view, stages_of

SEVERAL = 2


def read(client: Dynabench, owned: OwnedRound, by: str) -> dict[str, Any]:
    """Return the page's values, with the round split `by`; nothing is read about a draft."""
    if owned.is_draft:
        return {}
    asked, round_id, reads = client.leaderboard, owned.round_id, page_reads()
    standing_part = reads.read(asked.standing, round_id)
    board_part = reads.read(asked.round, round_id)
    history_part = reads.read(asked.history, round_id)
    # Segments and targets come with the round's own figures.
    split = None if by in {"segment", "target"} else reads.read(asked.breakdown, round_id, by)
    board = board_part.value()
    matrix_part = reads.read(asked.matrix, round_id) if _has_several_targets(board) else None
    standing, history = standing_part.value(), history_part.value()
    matrix, breakdown = matrix_part.value() if matrix_part else None, split.value() if split else None
    charts = [
        over_time(history.points, board) if history and board else None,
        burn_up(standing.burn_up) if standing else None,
        funnel(stages_of(owned.round.contexts, standing.funnel)) if standing else None,
        fooling(matrix) if matrix else None,
    ]
    if split is None:
        parts = None if board is None else board_parts(board, by)
    else:
        parts = None if breakdown is None else breakdown_view(breakdown, by)
    return {
        "is_known": standing is not None or board is not None,
        "charts": [chart for chart in charts if chart],
        "breakdown": parts,
        "as_of": None if standing is None else moment(standing.as_of),
    }


def _has_several_targets(board: RoundFigures | None) -> bool:
    return board is not None and len(board.targets) >= SEVERAL
