"""Rounds in which votes are missing: coverage of the projected vMER, and false advice.

Of each round the newest tries that fooled are not resolved yet. The number of tries, skill and care differ between
annotators as in `rounds`; care is the chance that votes confirm a fooling try, mean 2/3.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from dynabench_api.words import Says
from dynabench_tasks.statistics.intervals import FEWEST_PEOPLE, clustered_bounds, effective_people
from dynabench_tasks.statistics.projection import Stratum, projected_bounds
from leaderboard.domain.history import HistoryCounts
from leaderboard.domain.next_round import evidence
from leaderboard.domain.tally import Tally
from leaderboard.domain.time_series import AuthorRows, trend

from tests.coverage.rounds import SPREADS, Numbers, chances, hits, newest

ROUNDS = 1_000
STEADY_ROUNDS = 400
SEED = 20_261_123
PENDING = 0.3
CARE = 2 / 3
ORDERS = {"mixed": False, "one annotator after another": True}
LATER = 0.25


@dataclass(frozen=True)
class Outcome:
    """Rounds of one kind with missing votes: the share that is given an interval, and percentages of those."""

    name: str
    given: float
    final_in_so_far: float
    final_in_projected: float
    truth_in_projected: float


def pending_rounds(rounds: int = ROUNDS) -> Iterator[Outcome]:
    """Simulate rounds whose newest votes are missing."""
    spreads, annotators = ("geometric", "rank-Zipf"), (12, 50, 500)
    settings = product(spreads, annotators, (0.1, 0.35, 0.8), (0.02, 0.1, 0.3), ORDERS)
    for place, (spread, people, rate, correlation, order) in enumerate(settings):
        dice = np.random.default_rng([SEED, place])
        tries = SPREADS[spread](dice, rounds, people)
        fooled = hits(dice, tries, chances(dice, rate, correlation, tries.shape))
        care = chances(dice, CARE, correlation, tries.shape)
        waiting = newest(dice, fooled, PENDING, in_turn=ORDERS[order])
        checked = fooled - waiting
        errors = hits(dice, checked, care)
        final = (errors + hits(dice, waiting, care)).sum(axis=1) / tries.sum(axis=1)
        is_given = (effective_people(tries) >= FEWEST_PEOPLE) & (effective_people(checked) >= FEWEST_PEOPLE)
        so_far = clustered_bounds(errors, tries)
        projected = projected_bounds(tries, [Stratum(fooled, checked, errors)])
        name = f"{spread}, {people} annotators, MER {rate:.0%}, ICC {correlation:.2f}, {order}"
        yield Outcome(
            name,
            float(is_given.mean()),
            _inside(final, so_far.low, so_far.high, is_given),
            _inside(final, projected.low, projected.high, is_given),
            _inside(np.full(rounds, rate * CARE), projected.low, projected.high, is_given),
        )


def _inside(
    value: Numbers, low: Numbers, high: Numbers, chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> float:
    held = (low <= value) & (value <= high)
    return 100 * float(held[chosen].mean()) if chosen.any() else float("nan")


@dataclass(frozen=True)
class Alarms:
    """Rounds of one kind without a trend: the percentages that get any advice, and the advice that errors fall."""

    name: str
    advised: float
    alarmed: float


def false_alarms(rounds: int = STEADY_ROUNDS) -> Iterator[Alarms]:
    """Simulate rounds that stay as they are."""
    settings = product((12, 50, 200), (0.02, 0.1, 0.3), ORDERS)
    for place, (people, correlation, order) in enumerate(settings):
        dice = np.random.default_rng([SEED + 1, place])
        advice = [_advice(dice, people, correlation, in_turn=ORDERS[order]) for _ in range(rounds)]
        name = f"{people} annotators, ICC {correlation:.2f}, {order}"
        unknown, now = (100 * advice.count(each) / rounds for each in (Says.UNKNOWN, Says.NOW))
        yield Alarms(name, 100 - unknown, now)


def _advice(dice: np.random.Generator, people: int, correlation: float, *, in_turn: bool) -> Says:
    """Make a steady round of 48 tries each on average, and return the card's advice on its yield."""
    tries = np.ceil(SPREADS["geometric"](dice, 1, people) * 3)
    late = newest(dice, tries, LATER, in_turn=in_turn)
    skill = chances(dice, 0.35, correlation, tries.shape)
    care = chances(dice, CARE, correlation, tries.shape)
    stretches = [tries - late, late]
    fooled = [hits(dice, made, skill) for made in stretches]
    waiting = [np.zeros_like(tries), newest(dice, fooled[1], PENDING, in_turn=in_turn)]
    checked = [made - left for made, left in zip(fooled, waiting, strict=True)]
    errors = [hits(dice, seen, care) for seen in checked]
    columns = (
        stretches,
        fooled,
        errors,
        errors,
        checked,
        errors,
        [made - hit for made, hit in zip(stretches, fooled, strict=True)],
        [np.zeros_like(tries)] * 2,
    )
    by_row = [np.concatenate([part[0] for part in parts]).astype(np.int64) for parts in columns]
    rows = AuthorRows._make([np.repeat([0, 1], people), np.tile(np.arange(people), 2), *by_row, None])
    merged = [
        (number, HistoryCounts(int(made.sum()), int(hit.sum()), int(error.sum())))
        for number, (made, hit, error) in enumerate(zip(stretches, fooled, errors, strict=True))
    ]
    left, resolved = int(waiting[1].sum()), int(sum(seen.sum() for seen in checked))
    total = Tally(
        tries=int(tries.sum()), decided=int(tries.sum()), pending=left, stratum_fooled_resolved=resolved
    )
    found = {each.name: each.says for each in evidence(total, trend(merged, rows), None)}
    return found["yield"]
