"""Inputs with which a page ranks models by itself while a reader drags a weight, before it requests the board again.

Under Utility a score is `Σ share · price · utility` over dimensions. Its variance over items is `Σ f_a f_b V_ab` with
`f = share · price`, over pairs of dimensions that are measured on items. Utilities and V do not depend on the weights
of dimensions, so a page that has them can reorder the rows at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from leaderboard.domain.board_choice import Mode, shares_of
from leaderboard.domain.model_board import ModelBoard
from leaderboard.domain.score_table import PERCENT


@dataclass(frozen=True)
class MovingParts:
    """Of one model: its mean utility by dimension, and V in points² by "first:second" dimension; none if not known."""

    utilities: Mapping[str, float]
    variances: Mapping[str, float]


def moving_parts(board: ModelBoard) -> Mapping[str, MovingParts]:
    """Return the parts of each ranked model by name; none under the classic rule, which depends on who is there."""
    ranked = [row.model.name for row in board.rows if row.rank is not None]
    if board.choice.mode is not Mode.UTILITY or not ranked:
        return {}
    table, shares = board.table, shares_of(board.datasets)
    places = np.array([table.places[name] for name in ranked])
    shares_in = {
        each.name: table.shares_in(each.name, shares) for each in board.dimensions if each.is_measured
    }
    utilities = {
        name: (table.utilities[name][np.ix_(places, used > 0)] @ used[used > 0]).tolist()
        for name, used in shares_in.items()
    }
    is_known = [row.interval is not None for row in board.rows if row.rank is not None]
    variances = {
        f"{first}:{second}": (PERCENT**2 * found).tolist()
        for (first, second), found in table.covariance.own(shares_in, places.tolist()).items()
    }
    return {
        name: MovingParts(
            {dimension: found[row] for dimension, found in utilities.items() if np.isfinite(found[row])},
            {pair: found[row] for pair, found in variances.items()} if is_known[row] else {},
        )
        for row, name in enumerate(ranked)
    }
