"""Intervals of a share whose tries come in clusters: each annotator's tries resemble one another.

`logit(p) ± t(0.975, A-1) · s / (p(1-p))` with the delete-one-annotator jackknife
`s² = (A-1)/A · Σ (p_(-a) - p)²` over A annotators (B. Efron, "The Jackknife, the Bootstrap and Other Resampling
Plans", 1982, with the delta method for the logit). Ordinary Wilson intervals treat tries as independent and cover
half as often as they claim.

At p = 0 or 1 the jackknife has no spread to measure, and how alike an annotator's tries are can't be estimated
either. The interval is then Wilson's with the effective number of tries of the design effect at its worst case,
tries of one annotator wholly alike: `n_eff = N² / Σ n_a²` (L. Kish, "Survey Sampling", 1965).
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, stdtrit

FEWEST_ANNOTATORS = 5
CONFIDENCE_TAIL = 0.975
NORMAL_QUANTILE = 1.959963984540054

Counts = NDArray[np.int64]


class NoInterval(Exception):
    """No interval can be given; the message says why, for people."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % interval within 0 to 1."""

    low: float
    high: float


def clustered_interval(successes: Counts, tries: Counts) -> Interval:
    """Return the interval of `successes.sum() / tries.sum()`, one entry per annotator.

    Raises NoInterval with fewer than five annotators who have tries.
    """
    successes, tries = successes[tries > 0], tries[tries > 0]
    annotators = len(tries)
    if annotators < FEWEST_ANNOTATORS:
        people = "1 annotator" if annotators == 1 else f"{annotators} annotators"
        raise NoInterval(f"no interval: {people}, at least {FEWEST_ANNOTATORS} are needed")
    hits, total = int(successes.sum()), int(tries.sum())
    if hits in {0, total}:
        return wilson_interval(hits / total, total**2 / float(np.square(tries, dtype=np.float64).sum()))
    share = hits / total
    without_one = (hits - successes) / (total - tries)
    spread = sqrt((annotators - 1) / annotators * float(np.square(without_one - share).sum()))
    reach = float(stdtrit(annotators - 1, CONFIDENCE_TAIL)) * spread / (share * (1 - share))
    centre = float(logit(share))
    return Interval(float(expit(centre - reach)), float(expit(centre + reach)))


def wilson_interval(share: float, tries: float) -> Interval:
    """Return Wilson's score interval of a share of `tries` independent tries (which need not be whole)."""
    square = NORMAL_QUANTILE**2
    centre = (share + square / (2 * tries)) / (1 + square / tries)
    variance = share * (1 - share) / tries + square / (4 * tries**2)
    reach = NORMAL_QUANTILE / (1 + square / tries) * sqrt(variance)
    return Interval(max(0.0, centre - reach), min(1.0, centre + reach))
