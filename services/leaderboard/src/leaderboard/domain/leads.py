"""Margin of each rank: the number of items by which a model leads the next, and the fastest among those tied first.

If scores are shares of right answers, the lead of one model over another on a dataset is `n10 - n01` items. `n10` are
the items that only it gets right, `n01` those that only the other gets right. So the lead is the difference of their
counts of right answers.

With several datasets or dimensions, the lead is a number of right answers on one dataset: so many would have to turn
wrong to make the two scores equal. If only one dataset and right answers count, that number is `n10 - n01`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from leaderboard.domain.ranking.dynascore import Floats

PERCENT = 100.0
OF_RIGHT_ANSWERS = frozenset({"accuracy", "exact_match"})
LEAST_RATIO = 1.1
ROUNDING = 1e-9


@dataclass(frozen=True)
class Lead:
    """Lead over the model below, on the dataset where the fewest items would reverse it.

    `items` right answers of `n` would have to turn wrong. `difference` is n10 - n01 there; it is negative if the model
    below gets more right on this dataset alone.
    """

    over: str
    dataset: str
    items: int
    n: int
    difference: int


@dataclass(frozen=True)
class Counted:
    """Shares of right answers in percent, models by rank × datasets, and over how many items they are.

    `items` are those of each dataset; `worth` is how many points of score all of its items together move.
    """

    shares: Floats
    answered: Floats
    items: Floats
    worth: Floats


def leads(
    names: Sequence[str], scores: Floats, datasets: Sequence[str], counted: Counted
) -> list[Lead | None]:
    """Return what the place of each model depends on, by rank; the last has nobody below it.

    None where no dataset was answered whole by both, or where no dataset alone could turn the order.
    """
    if len(names) < 2 or not (counted.worth > 0).any():
        return [None] * len(names)
    n, right = counted.answered, np.rint(counted.shares * counted.answered / PERCENT)
    gaps = (scores[:-1] - scores[1:])[:, None]
    worth = np.where(counted.worth > 0, counted.worth, np.nan)
    with np.errstate(invalid="ignore"):
        items = np.maximum(np.ceil(gaps * n[:-1] / worth - ROUNDING), 0.0)
        can_turn = (n[:-1] == n[1:]) & (n[:-1] == counted.items) & (n[:-1] > 0) & (items <= right[:-1])
    items = np.where(can_turn, items, np.inf)
    places, columns = np.arange(len(items)), items.argmin(axis=1)
    fewest = items[places, columns]
    fewest_by_place = zip(
        names[1:],
        columns.tolist(),
        fewest.tolist(),
        n[places, columns].tolist(),
        (right[places, columns] - right[places + 1, columns]).tolist(),
        strict=True,
    )
    found = [
        Lead(over, datasets[column], int(turned), int(of), int(difference)) if turned < inf else None
        for over, column, turned, of, difference in fewest_by_place
    ]
    return [*found, None]


def fastest_of(speeds: Sequence[float | None]) -> tuple[int, float, float] | None:
    """Return the place of the fastest of models that are tied, and its ratios to the next fastest and the slowest.

    None where fewer than two have a speed, or the fastest is less than a tenth ahead.
    """
    known = sorted(((speed, -place) for place, speed in enumerate(speeds) if speed), reverse=True)
    if len(known) < 2 or known[0][0] < LEAST_RATIO * known[1][0]:
        return None
    return -known[0][1], known[0][0] / known[1][0], known[0][0] / known[-1][0]
