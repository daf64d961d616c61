"""How a round came to where it is: its figures over time, how far examples came, and the figures of its parts."""

from typing import Any

from dynabench_client import Dynabench

from web.kit.charts.fooling import fooling
from web.kit.charts.funnel import funnel
from web.kit.charts.over_time import over_time
from web.kit.numbers import moment
from web.kit.owned_round import OwnedRound
from web.kit.parallel import page_reads
from web.overview.burn_up import burn_up
from web.overview.figures import breakdown_view, stages_of


def read(client: Dynabench, owned: OwnedRound, by: str) -> dict[str, Any]:
    """Return what the page shows, the parts of the round split `by`."""
    asked, round_id, reads = client.leaderboard, owned.round_id, page_reads()
    standing_part = reads.read(asked.standing, round_id)
    board_part = reads.read(asked.round, round_id)
    history_part = reads.read(asked.history, round_id)
    matrix_part = reads.read(asked.matrix, round_id)
    split = reads.read(asked.breakdown, round_id, by)
    collected = reads.read(client.annotation.collection, round_id)
    standing, board, history = standing_part.value(), board_part.value(), history_part.value()
    matrix, breakdown, collection = matrix_part.value(), split.value(), collected.value()
    contexts = collection.contexts if collection else None
    charts = [
        over_time(history.points, board) if history and board else None,
        burn_up(standing.burn_up) if standing else None,
        funnel(stages_of(contexts, standing.funnel)) if standing else None,
        fooling(matrix) if matrix else None,
    ]
    return {
        "is_known": standing is not None or board is not None,
        "charts": [chart for chart in charts if chart],
        "breakdown": None if breakdown is None else breakdown_view(breakdown, by),
        "as_of": None if standing is None else moment(standing.as_of),
    }
