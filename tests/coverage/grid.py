"""Coverage and width of the intervals of a rate, over a grid of rounds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
from dynabench_tasks.statistics.intervals import (
    CONFIDENCE_TAIL,
    FEWEST_PEOPLE,
    NORMAL_QUANTILE,
    clustered_bounds,
    effective_answers,
    effective_people,
    jackknife_bounds,
    wilson_bounds,
)
from scipy.special import stdtrit

from tests.coverage.rounds import SPREADS, Numbers, chances, hits

ROUNDS = 4_000
ANNOTATORS = (5, 12, 50, 500)
RATES = (0.02, 0.10, 0.35, 0.80)
CORRELATIONS = (0.02, 0.10, 0.30)
SEED = 20_261_122
LEAST_GIVEN = 0.1
OURS = "union of the jackknife and Wilson on effective n, as shown"
Ends = tuple[Numbers, Numbers]


@dataclass(frozen=True)
class Coverage:
    """Percentage of intervals that held the truth, and their mean width relative to one with known correlation.

    `above` is the percentage in which the truth lay above the interval; `narrowest` is the smallest width of all.
    """

    coverage: float
    above: float
    width: float
    narrowest: float


@dataclass(frozen=True)
class Cell:
    """Rounds of one kind; `given` is the share of them that get an interval, `held` empty where hardly any do."""

    spread: str
    annotators: int
    rate: float
    correlation: float
    given: float
    held: Mapping[str, Coverage]

    @property
    def name(self) -> str:
        """Return a description of the rounds."""
        return (
            f"{self.spread}, {self.annotators} annotators, rate {self.rate:.0%}, ICC {self.correlation:.2f}"
        )


def cells(rounds: int = ROUNDS) -> Iterator[Cell]:
    """Simulate every cell of the grid."""
    for place, (spread, annotators, rate, correlation) in enumerate(
        product(SPREADS, ANNOTATORS, RATES, CORRELATIONS)
    ):
        dice = np.random.default_rng([SEED, place])
        tries = SPREADS[spread](dice, rounds, annotators)
        found = hits(dice, tries, chances(dice, rate, correlation, tries.shape))
        has_interval = effective_people(tries) >= FEWEST_PEOPLE
        given = float(has_interval.mean())
        held = (
            _coverage(tries[has_interval], found[has_interval], rate, correlation)
            if given >= LEAST_GIVEN
            else {}
        )
        yield Cell(spread, annotators, rate, correlation, given, held)


def compared(tries: Numbers, found: Numbers) -> dict[str, Ends]:
    """Return the intervals that are compared, by name."""
    total, effective = tries.sum(axis=1), effective_people(tries)
    share = found.sum(axis=1) / total
    is_end = (share <= 0) | (share >= 1)
    known, normal = effective_answers(found, tries), np.float64(NORMAL_QUANTILE)
    jackknife = jackknife_bounds(found, tries, np.where(is_end, 0.5, share))
    kish = wilson_bounds(share, effective, normal)
    plain, wide = (wilson_bounds(share, known, quantile) for quantile in (normal, _t_quantile(effective)))
    ours = clustered_bounds(found, tries)
    return {
        "Wilson, tries independent": wilson_bounds(share, total, normal),
        "jackknife; at 0 and 1 Wilson on effective annotators": _chosen(is_end, kish, jackknife),
        "Wilson on effective n": plain,
        "Wilson on effective n, t quantile": wide,
        "union of the jackknife and that": _chosen(is_end, kish, _union(jackknife, wide)),
        OURS: (ours.low, ours.high),
    }


def _t_quantile(effective: Numbers) -> Numbers:
    quantile: Numbers = stdtrit(2 * effective - 1, CONFIDENCE_TAIL)
    return quantile


def _union(one: Ends, other: Ends) -> Ends:
    return np.minimum(one[0], other[0]), np.maximum(one[1], other[1])


def _chosen(is_end: np.ndarray[tuple[int], np.dtype[np.bool_]], at_end: Ends, inside: Ends) -> Ends:
    return np.where(is_end, at_end[0], inside[0]), np.where(is_end, at_end[1], inside[1])


def _coverage(tries: Numbers, found: Numbers, truth: float, correlation: float) -> dict[str, Coverage]:
    total = tries.sum(axis=1)
    worth = total / (1 + correlation * (np.square(tries).sum(axis=1) / total - 1))
    low, high = wilson_bounds(found.sum(axis=1) / total, worth, np.float64(NORMAL_QUANTILE))
    knower = float((high - low).mean())
    return {
        name: Coverage(
            100 * float(((ends[0] <= truth) & (truth <= ends[1])).mean()),
            100 * float((ends[1] < truth).mean()),
            float((ends[1] - ends[0]).mean()) / knower,
            float((ends[1] - ends[0]).min()),
        )
        for name, ends in compared(tries, found).items()
    }
