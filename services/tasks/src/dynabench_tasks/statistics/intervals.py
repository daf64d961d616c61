"""Intervals of 95 % of a share: of independent answers, and of answers that come in clusters.

One person's tries, or votes, resemble one another. For those,
`logit(p) ± t(0.975, A-1) · s / (p(1-p))` with the delete-one-person jackknife
`s² = (A-1)/A · Σ (p_(-a) - p)²` over A people (B. Efron, "The Jackknife, the Bootstrap and Other Resampling
Plans", 1982, with the delta method for the logit). Wilson's interval, which treats answers as independent, covers
half as often as it claims there.

At p = 0 or 1 the jackknife has no spread to measure, and how alike a person's answers are can't be estimated
either. The interval is then Wilson's with the effective number of the design effect at its worst case, answers of
one person wholly alike: `n_eff = N² / Σ n_a²` (L. Kish, "Survey Sampling", 1965).
"""

from math import sqrt
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, stdtrit

FEWEST_PEOPLE = 5
CONFIDENCE_TAIL = 0.975
NORMAL_QUANTILE = 1.959963984540054

Amounts: TypeAlias = NDArray[np.int64] | NDArray[np.float64]
"""One number for each person; expected counts need not be whole."""


class People(NamedTuple):
    """How those who gave the answers are called."""

    one: str
    several: str


ANNOTATORS = People("annotator", "annotators")


class NoInterval(Exception):
    """No interval can be given; the message says why, for people."""


class Interval(NamedTuple):
    """A 95 % interval within 0 to 1."""

    low: float
    high: float


def wilson_interval(share: float, n: float) -> Interval:
    """Return Wilson's score interval of a share of `n` independent answers, which need not be whole.

    It stays within 0 and 1 and has a width at the ends too (E. B. Wilson, "Probable Inference, the Law of Succession,
    and Statistical Inference", 1927). scipy's needs whole numbers, which effective ones are not.
    """
    square = NORMAL_QUANTILE**2
    centre = (share + square / (2 * n)) / (1 + square / n)
    reach = NORMAL_QUANTILE / (1 + square / n) * sqrt(share * (1 - share) / n + square / (4 * n**2))
    return Interval(min(max(0.0, centre - reach), share), max(min(1.0, centre + reach), share))


def clustered_interval(successes: Amounts, answers: Amounts, people: People = ANNOTATORS) -> Interval:
    """Return the interval of `successes.sum() / answers.sum()`, one entry per person.

    Raises NoInterval with fewer than five people who have answers, whom its message names by `people`.
    """
    successes, answers = successes[answers > 0], answers[answers > 0]
    number = len(answers)
    if number < FEWEST_PEOPLE:
        counted = f"{number} {people.one if number == 1 else people.several}"
        raise NoInterval(f"no interval: {counted}, at least {FEWEST_PEOPLE} are needed")
    total = float(answers.sum())
    share = min(1.0, float(successes.sum()) / total)
    if share in {0.0, 1.0}:
        return wilson_interval(share, total**2 / float(np.square(answers, dtype=np.float64).sum()))
    without_one = (successes.sum() - successes) / (total - answers)
    spread = sqrt((number - 1) / number * float(np.square(without_one - share).sum()))
    reach = float(stdtrit(number - 1, CONFIDENCE_TAIL)) * spread / (share * (1 - share))
    centre = float(logit(share))
    return Interval(float(expit(centre - reach)), float(expit(centre + reach)))
