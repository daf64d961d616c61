"""Simulated rounds: people's numbers of tries, the fooling ones, and the missing votes.

Of a round's A annotators each has a number of tries, by one of five spreads:

- `geometric`: geometric, mean 16, at least 1;
- `rank-Zipf`: 16 A tries in all, the r-th annotator makes a share proportional to 1/r, at least 1;
- `Zipf tail`: independent draws from a Zipf law with exponent 2, at most 1,000: most make one try, few make hundreds;
- `one wrote 40 %`, `one wrote 67 %`: geometric, and the first annotator makes that share of all tries;

and a chance of their own that a try hits, from a beta distribution whose mean is the rate and whose variance gives
the intra-class correlation: Beta(p k, (1 - p) k) with k = 1/ρ - 1. Chances and numbers of tries are independent of
one another. The truth is what a round of endlessly many such annotators would show: the rate.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
"""One number for each round and annotator, or for each round."""

MEAN_TRIES = 16
TAIL_EXPONENT, MOST_TRIES = 2.0, 1_000


def geometric(dice: Generator, rounds: int, annotators: int) -> Numbers:
    """Return numbers of tries that few exceed by much."""
    return dice.geometric(1 / MEAN_TRIES, (rounds, annotators)).astype(np.float64)


def rank_zipf(_dice: Generator, rounds: int, annotators: int) -> Numbers:
    """Return numbers of tries that fall with the rank."""
    weights = 1 / np.arange(1, annotators + 1)
    tries = np.maximum(1.0, np.round(MEAN_TRIES * annotators * weights / weights.sum()))
    return np.tile(tries, (rounds, 1))


def zipf_tail(dice: Generator, rounds: int, annotators: int) -> Numbers:
    """Return numbers of tries with a heavy tail."""
    drawn = np.minimum(dice.zipf(TAIL_EXPONENT, (rounds, annotators)), MOST_TRIES)
    return drawn.astype(np.float64)


def dominated(share: float) -> Callable[[Generator, int, int], Numbers]:
    """Return a generator of numbers of tries, of which the first annotator makes that share."""

    def drawn(dice: Generator, rounds: int, annotators: int) -> Numbers:
        tries = geometric(dice, rounds, annotators)
        tries[:, 0] = np.round(share / (1 - share) * tries[:, 1:].sum(axis=1))
        return tries

    return drawn


SPREADS: Mapping[str, Callable[[Generator, int, int], Numbers]] = {
    "geometric": geometric,
    "rank-Zipf": rank_zipf,
    "Zipf tail": zipf_tail,
    "one wrote 40 %": dominated(0.4),
    "one wrote 67 %": dominated(2 / 3),
}


def chances(dice: Generator, rate: float, correlation: float, size: tuple[int, int]) -> Numbers:
    """Return each annotator's chance that a try hits."""
    weight = 1 / correlation - 1
    drawn: Numbers = dice.beta(rate * weight, (1 - rate) * weight, size)
    return drawn


def hits(dice: Generator, tries: Numbers, chance: Numbers) -> Numbers:
    """Return how many of each annotator's tries hit."""
    found: Numbers = dice.binomial(tries.astype(np.int64), chance).astype(np.float64)
    return found


def newest(dice: Generator, counts: Numbers, share: float, *, in_turn: bool) -> Numbers:
    """Return how many of each annotator's tries are among that share of a round's which is newest.

    With `in_turn` the annotators come one after another, in random order; otherwise all tries come in random order.
    """
    last = np.round(share * counts.sum(axis=1, keepdims=True))
    if not in_turn:
        drawn = [
            dice.multivariate_hypergeometric(each.astype(np.int64), int(number), method="marginals")
            for each, number in zip(counts, last[:, 0], strict=True)
        ]
        return np.array(drawn).astype(np.float64)
    order = dice.permuted(np.tile(np.arange(counts.shape[1]), (counts.shape[0], 1)), axis=1)
    ordered = np.take_along_axis(counts, order, axis=1)
    before = np.cumsum(ordered, axis=1) - ordered
    taken = np.clip(last - before, 0.0, ordered)
    found: Numbers = np.empty_like(taken)
    np.put_along_axis(found, order, taken, axis=1)
    return found
