"""Items with suspect labels: better models get them wrong more often than worse ones.

Each item gets the point-biserial correlation, over models, between being right on it and the share of right answers on
all other items. This is the corrected item-total correlation of test theory (S. Henrysson, Correction of item-total
correlations in item analysis, Psychometrika 28, 1963). On a sound item better models are right more often, and the
value is above 0. A value below 0 is evidence of a wrong label, a trap or two readings, not a verdict. With few models,
chance alone puts many items there. So the number of models is shown with each value.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FEWEST_MODELS = 5
MOST_SUSPECTS = 50
STRETCH = 50_000
"""Items looked at together, which bounds the memory."""

Right = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Suspect:
    """An item by its place: its correlation, and how many of the models are right on it."""

    place: int
    correlation: float
    right: int


@dataclass(frozen=True)
class Suspects:
    """The items with the lowest correlations below 0, the lowest first.

    `below` counts all items below 0, of the `measured` ones; an item on which all models are right, or all wrong, and
    one on which they differ while they are equally good on the rest have no correlation.
    """

    measured: int
    below: int
    items: Sequence[Suspect]


def suspects(right: Sequence[Right]) -> Suspects | None:
    """Return the suspects, None for fewer than 5 models; `right` has for each whether it is right on each item."""
    if len(right) < FEWEST_MODELS:
        return None
    found = correlations(right)
    below = np.flatnonzero(found < 0)
    lowest = below[np.argsort(found[below], kind="stable")][:MOST_SUSPECTS]
    return Suspects(
        int(np.isfinite(found).sum()),
        len(below),
        [
            Suspect(int(place), float(found[place]), sum(bool(each[place]) for each in right))
            for place in lowest
        ],
    )


def correlations(right: Sequence[Right]) -> Floats:
    """Return the correlation of each item, NaN where it has none."""
    items = len(right[0])
    totals = np.array([each.sum() for each in right], dtype=np.float64)
    found = np.full(items, np.nan)
    for start in range(0, items if items > 1 else 0, STRETCH):
        part = np.array([each[start : start + STRETCH] for each in right], dtype=np.float64)
        rest = (totals[:, None] - part) / (items - 1)
        found[start : start + STRETCH] = _correlated(part, rest)
    return found


def _correlated(first: Floats, second: Floats) -> Floats:
    """Return the correlation of each column of one with that of the other."""
    one, other = first - first.mean(axis=0), second - second.mean(axis=0)
    spread = np.sqrt((one**2).sum(axis=0) * (other**2).sum(axis=0))
    tiny = spread < 1e-12
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(tiny, np.nan, (one * other).sum(axis=0) / np.where(tiny, 1.0, spread))
