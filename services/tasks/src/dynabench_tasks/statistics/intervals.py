"""Intervals of 95 % of a share: of independent answers, and of answers that come in clusters.

One person's tries, or votes, resemble one another, and a few people give most of them. Wilson's interval, which
treats answers as independent, then covers half as often as it claims. Of a share p of N answers, n_a of them from
each of A people, the interval is the union of two, each of which covers where the other fails
(`0001-intervals-of-clustered-answers.md` has the comparison):

- the delete-one-person jackknife, `logit(p) ± t(0.975, A-1) · s / (p(1-p))` with `s² = (A-1)/A · Σ (p_(-a) - p)²`
  (B. Efron, "The Jackknife, the Bootstrap and Other Resampling Plans", 1982, with the delta method for the logit);
- Wilson's on the number of independent answers that are worth as much, `N / (1 + ρ (Σ n_a² / N - 1))` (L. Kish,
  "Survey Sampling", 1965). ρ is the intra-class correlation, estimated from mean squares (A. Donner, "A review of
  inference procedures for the intraclass correlation coefficient in the one-way random effects model", 1986), held
  within 0 to 0.95 and drawn towards 0.1 as if four more people had shown that.

E = (Σ n_a)² / Σ n_a² is the number of people who, giving the same number of answers each, would weigh as much: the
effective number. Under five there is no interval, since what a few people do says too little about others.

At p = 0 or 1 nothing shows how alike a person's answers are. The interval is then Wilson's with ρ = 0.1.
"""

from math import floor
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, stdtrit

FEWEST_PEOPLE = 5
CONFIDENCE_TAIL = 0.975
NORMAL_QUANTILE = 1.959963984540054
MOST_ALIKE = 0.95
EXPECTED_CORRELATION, EXPECTED_FROM = 0.1, 4
"""The correlation that is expected before anything is seen, and how many people's answers that is worth."""
MUCH = 0.4
"""Above this share of all answers, one person is named as the reason for a missing interval."""

Floats: TypeAlias = NDArray[np.float64]
Amounts: TypeAlias = NDArray[np.int64] | NDArray[np.float64]
"""One number for each person; expected counts need not be whole."""


class People(NamedTuple):
    """The names of those who gave the answers, and of their act: wrote tries, gave votes."""

    one: str
    several: str
    did: str
    answers: str


ANNOTATORS = People("annotator", "annotators", "wrote", "tries")


class NoInterval(Exception):
    """No interval can be given; the message says why, for people."""


class Interval(NamedTuple):
    """A 95 % interval within 0 to 1."""

    low: float
    high: float


class Bounds(NamedTuple):
    """The ends of many intervals, and the effective number of people behind each."""

    low: Floats
    high: Floats
    effective: Floats


def wilson_interval(share: float, n: float) -> Interval:
    """Return Wilson's score interval of a share of `n` independent answers, which need not be whole.

    It stays within 0 and 1 and has a width at the ends too (E. B. Wilson, "Probable Inference, the Law of Succession,
    and Statistical Inference", 1927). scipy's needs whole numbers, which effective ones are not.
    """
    low, high = wilson_bounds(np.float64(share), np.float64(n), np.float64(NORMAL_QUANTILE))
    return Interval(float(low), float(high))


def wilson_bounds(
    share: Floats | np.float64, n: Floats | np.float64, quantile: Floats | np.float64
) -> tuple[Floats, Floats]:
    """Return the ends of Wilson's intervals for this quantile, element by element."""
    square = quantile**2
    centre = (share + square / (2 * n)) / (1 + square / n)
    reach = quantile / (1 + square / n) * np.sqrt(share * (1 - share) / n + square / (4 * n**2))
    return np.minimum(np.maximum(0.0, centre - reach), share), np.maximum(
        np.minimum(1.0, centre + reach), share
    )


def clustered_interval(successes: Amounts, answers: Amounts, people: People = ANNOTATORS) -> Interval:
    """Return the interval of `successes.sum() / answers.sum()`, one entry per person.

    Raises NoInterval if the answers are worth those of fewer than five people, whom its message names by `people`.
    """
    ensure_enough(answers, people)
    low, high, _ = clustered_bounds(successes, answers)
    return Interval(float(low), float(high))


def ensure_enough(answers: Amounts, people: People = ANNOTATORS) -> None:
    """Raise NoInterval, with the reason, if the answers are worth those of fewer than five people."""
    given = answers[answers > 0]
    number, total = len(given), float(given.sum())
    if number < FEWEST_PEOPLE:
        raise NoInterval(
            f"too few {people.several} for an interval: {number}, at least {FEWEST_PEOPLE} are needed"
        )
    effective = float(effective_people(given.astype(np.float64)))
    if effective >= FEWEST_PEOPLE:
        return
    most = 100 * float(given.max()) / total
    if most >= 100 * MUCH:
        raise NoInterval(f"no interval: one {people.one} {people.did} {most:.0f} % of these {people.answers}")
    worth = floor(10 * effective) / 10
    raise NoInterval(
        f"no interval: {number} {people.several} {people.did} such unequal numbers of {people.answers} "
        f"that they count like {worth}, at least {FEWEST_PEOPLE} are needed"
    )


def effective_people(answers: Floats) -> Floats:
    """Return the effective numbers of people, who stand along the last axis; five with equal shares are five."""
    squares = np.square(answers).sum(axis=-1)
    exact: Floats = np.square(answers.sum(axis=-1)) / np.where(squares > 0, squares, 1.0)
    return np.round(exact, 9)


def clustered_bounds(successes: Amounts, answers: Amounts) -> Bounds:
    """Return the ends of the intervals, however few people there are, who stand along the last axis.

    A person without answers counts for nothing. Where nobody has answers the ends are 0 and 1.
    """
    hits, tries = successes.astype(np.float64), answers.astype(np.float64)
    total = np.maximum(tries.sum(axis=-1), 1e-9)
    share = np.minimum(1.0, hits.sum(axis=-1) / total)
    is_end = (share <= 0) | (share >= 1)
    own_low, own_high = wilson_bounds(share, effective_answers(hits, tries), np.float64(NORMAL_QUANTILE))
    low, high = jackknife_bounds(hits, tries, np.where(is_end, 0.5, share))
    return Bounds(
        np.where(is_end, own_low, np.minimum(own_low, low)),
        np.where(is_end, own_high, np.maximum(own_high, high)),
        effective_people(tries),
    )


def jackknife_bounds(hits: Floats, tries: Floats, share: Floats) -> tuple[Floats, Floats]:
    """Return the ends of the delete-one-person jackknife of shares within 0 and 1, on the logit scale."""
    total = tries.sum(axis=-1, keepdims=True)
    left = np.maximum(total - tries, 1e-9)
    without_one = np.where(tries > 0, (hits.sum(axis=-1, keepdims=True) - hits) / left, share[..., None])
    return reach_on_logit_scale(without_one, tries > 0, share)


def reach_on_logit_scale(
    without_one: Floats, counts: NDArray[np.bool_], share: Floats
) -> tuple[Floats, Floats]:
    """Return the ends of the jackknife from the share without each person, those alone who count."""
    number = np.maximum(counts.sum(axis=-1), 2)
    squares = np.square(np.where(counts, without_one - share[..., None], 0.0)).sum(axis=-1)
    spread = np.sqrt((number - 1) / number * squares)
    reach = stdtrit(number - 1.0, CONFIDENCE_TAIL) * spread / (share * (1 - share))
    centre = logit(share)
    return expit(centre - reach), expit(centre + reach)


def effective_answers(hits: Floats, tries: Floats) -> Floats:
    """Return how many independent answers are worth as much as these."""
    total = np.maximum(tries.sum(axis=-1), 1e-9)
    size = np.square(tries).sum(axis=-1) / total
    known: Floats = total / (1 + intra_class_correlation(hits, tries) * np.maximum(size - 1, 0.0))
    return known


def intra_class_correlation(hits: Floats, tries: Floats) -> Floats:
    """Return the similarity of one person's answers, from mean squares, drawn towards the expected one.

    Equal answers show nothing; the result is then the expected one.
    """
    people = (tries > 0).sum(axis=-1)
    total = np.maximum(tries.sum(axis=-1), 1e-9)
    share = hits.sum(axis=-1) / total
    own = hits / np.where(tries > 0, tries, 1.0)
    between = (tries * np.square(own - share[..., None])).sum(axis=-1) / np.maximum(people - 1, 1)
    within = (hits * (1 - own)).sum(axis=-1) / np.maximum(total - people, 1.0)
    size = (total - np.square(tries).sum(axis=-1) / total) / np.maximum(people - 1, 1)
    spread = between + (size - 1) * within
    seen = np.clip((between - within) / np.where(spread > 0, spread, 1.0), 0.0, MOST_ALIKE)
    weight = np.where(spread > 0, np.maximum(people - 1, 0), 0)
    correlation: Floats = (seen * weight + EXPECTED_CORRELATION * EXPECTED_FROM) / (weight + EXPECTED_FROM)
    return correlation
