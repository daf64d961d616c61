"""Utility: scores by fixed prices, so that no model's score depends on the other models.

`score = Σ_m (w_m / Σ w) · price_m · u_m`. Performance, fairness and robustness enter in percent. Throughput, latency
and memory enter as the binary logarithm of their ratio to the baseline. So twice as fast is worth the same at any
speed. The sign is set so that more is better, and the value is clipped to ± 5.
"""

from collections.abc import Mapping, Sequence
from math import floor, log10

import numpy as np

from leaderboard.domain.ranking.dynascore import Floats, NoScore, normalised, substitution_rates

PERFORMANCE = "performance"
SIGNS = {"throughput": 1.0, "latency": -1.0, "memory": -1.0}
MOST_DOUBLINGS = 5.0
DIGITS = 2


def utilities(dimension: str, values: Floats) -> Floats:
    """Return what values are worth in their dimension, before prices; a ratio must be above 0. NaN stays."""
    if dimension not in SIGNS:
        return values
    found: Floats = np.clip(SIGNS[dimension] * np.log2(values), -MOST_DOUBLINGS, MOST_DOUBLINGS)
    return found


def utilities_of_scores(utilities: Floats, weights: Sequence[float], prices: Sequence[float]) -> Floats:
    """Return the score of each model; rows are models. Raises NoScore as `normalised` does."""
    scores: Floats = (normalised(weights) * np.asarray(prices, dtype=np.float64) * utilities).sum(axis=1)
    return scores


def default_prices(baselines: Floats, dimensions: Sequence[str]) -> Mapping[str, float | None]:
    """Return 1 / AMRS of the baselines to two digits by dimension; None where an owner has to set the price."""
    try:
        rates = substitution_rates(baselines)
    except NoScore:
        rates = np.zeros(len(dimensions))
        rates[0] = 1.0
    return {
        name: _two_digits(1 / rate) if rate > 0 else None
        for name, rate in zip(dimensions, rates, strict=True)
    }


def _two_digits(number: float) -> float:
    return round(number, DIGITS - 1 - floor(log10(abs(number))))
