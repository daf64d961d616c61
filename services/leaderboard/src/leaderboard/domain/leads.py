"""Margin of each rank: the number of items by which a model leads the next, and the fastest among those tied first.

If scores are shares of right answers, the lead of one model over another on a dataset is `n10 - n01` items. `n10` are
the items that only it gets right, `n01` those that only the other gets right. So the lead is the difference of their
counts of right answers.

With several datasets or dimensions, the lead is a number of right answers on one dataset: so many would have to turn
wrong to make the two scores equal. If only one dataset and right answers count, that number is `n10 - n01`.

Among equally good models, the best leads by luck alone: the selection bias of the best of n. The expected maximum of n
independent standard normals is `∫ (1 - Φ(x)^n) dx over x > 0  -  ∫ Φ(x)^n dx over x < 0` (H. David, H. Nagaraja, "Order
Statistics", 2003, section 3.1: the mean of the largest of n; n = 2: 1 / √π). Times the standard error of a score this
is what the best of n is expected to lie above the others' common worth. Models that answer the same items err partly
together, so the gain is at most this.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import erf, inf, sqrt

import numpy as np

from leaderboard.domain.ranking.dynascore import Floats

PERCENT = 100.0
OF_RIGHT_ANSWERS = frozenset({"accuracy", "exact_match"})
LEAST_RATIO = 1.1
ROUNDING = 1e-9
FARTHEST = 9.0
STEPS = 4_001
MOST = 1_000_000


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


@lru_cache(maxsize=1_024)
def expected_maximum(n: int) -> float:
    """Return the expected largest of n standard normals; 0 for one. Raises ValueError below one."""
    if n < 1:
        raise ValueError("there is no largest of none")
    places = np.linspace(-FARTHEST, FARTHEST, STEPS)
    below = np.array([0.5 * (1 + erf(place / sqrt(2))) for place in places]) ** min(n, MOST)
    outside = np.where(places > 0, 1 - below, -below)
    outside[places == 0] = (1 - 2 * below[places == 0]) / 2
    return float(np.trapezoid(outside, places))


def gain_of_best(n: int, standard_error: float) -> float:
    """Return by how many points of score the best of n equal models is expected to be ahead."""
    return expected_maximum(n) * standard_error
