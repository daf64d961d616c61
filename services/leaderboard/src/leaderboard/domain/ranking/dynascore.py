"""The Dynascore (Z. Ma, K. Ethayarajh, T. Thrush and others, "Dynaboard", 2021), and the published z-score.

A dimension's utility is divided by its average marginal rate of substitution (AMRS): how much of it goes along with
one point of performance, from model to model in the order of performance.
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
LEAST_DIFFERENCE = 1e-4


class NoScore(Exception):
    """The rule gives no score for these models; the message says why, for people."""


def substitution_rates(utilities: Floats) -> Floats:
    """Return the AMRS of each dimension; rows are models, column 0 is performance, whose own rate is 1.

    Neighbours whose performance differs by at most 1e-4 of the best are passed over. Raises NoScore where none is left.
    """
    order = np.argsort(utilities[:, 0], kind="stable")
    steps = np.diff(utilities[order], axis=0)
    kept = steps[:, 0] > LEAST_DIFFERENCE * np.abs(utilities[:, 0]).max(initial=0.0)
    if not kept.any():
        raise NoScore("all models have the same performance, so nothing can be weighed against it")
    rates: Floats = (np.abs(steps[kept]) / steps[kept, :1]).mean(axis=0)
    rates[0] = 1.0
    return rates


def dynascores(utilities: Floats, weights: Sequence[float], names: Sequence[str]) -> Floats:
    """Return the score of each model; `names` are those of the dimensions, for reasons.

    Raises NoScore where no weight is above 0, no pair of models is left, or a dimension with a weight does not vary.
    """
    shares = normalised(weights)
    rates = substitution_rates(utilities)
    still = [name for name, rate, share in zip(names, rates, shares, strict=True) if share and not rate]
    if still:
        raise NoScore(f"{', '.join(still)} does not vary between the models: set its weight to 0")
    scores: Floats = (shares * utilities / np.where(rates > 0, rates, 1.0)).sum(axis=1)
    return scores


def z_scores(utilities: Floats, weights: Sequence[float]) -> Floats:
    """Return `Σ w (u - mean) / population SD / Σ w` of each model. A dimension that does not vary adds nothing."""
    shares = normalised(weights)
    spread = utilities.std(axis=0)
    standard = (utilities - utilities.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    scores: Floats = (shares * standard).sum(axis=1)
    return scores


def normalised(weights: Sequence[float]) -> Floats:
    """Return weights as shares of 1. Raises NoScore where none is above 0, or one is negative or not finite."""
    given = np.asarray(weights, dtype=np.float64)
    if not np.isfinite(given).all() or (given < 0).any():
        raise NoScore("weights must be numbers from 0 up")
    largest = given.max(initial=0.0)
    if largest == 0:
        raise NoScore("no weight is above 0")
    scaled = given / largest
    shares: Floats = scaled / scaled.sum()
    return shares
