"""Intervals against hand-worked numbers, at the edges, and in simulation."""

from collections.abc import Callable
from math import exp, isfinite, log, sqrt

import numpy as np
import pytest
from dynabench_tasks.statistics.intervals import (
    Amounts,
    NoInterval,
    clustered_bounds,
    clustered_interval,
    wilson_interval,
)
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import Generator
from numpy.typing import NDArray


def counts(*values: int) -> Amounts:
    return np.array(values, dtype=np.int64)


def test_five_annotators_by_hand() -> None:
    """The formula written out for fooled 1, 2, 3, 0, 4 of 5 tries each; t(0.975, 4) = 2.776445."""
    fooled, p = [1, 2, 3, 0, 4], 10 / 25
    spread = sqrt(4 / 5 * sum(((10 - x) / 20 - p) ** 2 for x in fooled))
    reach = 2.7764451052 * spread / (p * (1 - p))
    low, high = (1 / (1 + exp(-(log(p / (1 - p)) + sign * reach))) for sign in (-1, 1))
    interval = clustered_interval(counts(*fooled), counts(5, 5, 5, 5, 5))
    assert [interval.low, interval.high] == pytest.approx([low, high])


def test_annotators_without_tries_do_not_count() -> None:
    with_idle = clustered_interval(counts(1, 2, 3, 0, 4, 0), counts(5, 5, 5, 5, 5, 0))
    assert with_idle == clustered_interval(counts(1, 2, 3, 0, 4), counts(5, 5, 5, 5, 5))


@pytest.mark.parametrize("annotators", [0, 1, 4])
def test_under_five_annotators_there_is_none(annotators: int) -> None:
    reason = f"too few annotators for an interval: {annotators}, at least 5 are needed"
    with pytest.raises(NoInterval, match=reason):
        clustered_interval(np.ones(annotators, dtype=np.int64), np.full(annotators, 2))


@pytest.mark.parametrize("fooled", [0, 4])
def test_at_the_ends_wilson_with_the_effective_number(fooled: int) -> None:
    """20 tries of 5 annotators with 4 each, taken as alike as is expected: as good as 20 / (1 + 0.1 · 3)."""
    interval = clustered_interval(np.full(5, fooled), np.full(5, 4))
    assert interval == pytest.approx(wilson_interval(fooled / 4, 20 / 1.3))
    assert 0 <= interval.low < interval.high <= 1


def test_annotators_who_do_equally_well_leave_a_width() -> None:
    """Five annotators with one of two each: the jackknife sees no spread, and 50.0-50.0 would be too sure.

    Mean squares 0 between and 0.5 within give no correlation, so ρ = 0.1 · 4 / 8; 10 / (1 + 0.05) answers.
    """
    interval = clustered_interval(np.full(5, 1), np.full(5, 2))
    assert interval == pytest.approx(wilson_interval(0.5, 10 / 1.05))
    assert interval.high - interval.low > 0.5


@pytest.mark.parametrize(
    ("tries", "reason"),
    [
        ([20, 2, 2, 2, 2, 2], "no interval: one annotator wrote 67 % of these tries"),
        (
            [9, 8, 8, 1, 1, 1, 1, 1],
            "no interval: 8 annotators wrote such unequal numbers of tries that they count like 4.2, "
            "at least 5 are needed",
        ),
    ],
)
def test_a_few_who_wrote_most_are_too_few(tries: list[int], reason: str) -> None:
    with pytest.raises(NoInterval) as refused:
        clustered_interval(np.ones(len(tries), dtype=np.int64), np.array(tries))
    assert str(refused.value) == reason


def test_five_with_equal_shares_are_enough() -> None:
    assert clustered_interval(np.full(5, 1), np.full(5, 3)).high < 1


def test_many_rounds_at_once_are_as_one_by_one() -> None:
    dice = np.random.default_rng(3)
    tries = dice.integers(0, 9, (20, 12))
    found = dice.binomial(tries, 0.3)
    bounds = clustered_bounds(found, tries)
    for row in range(20):
        one = clustered_bounds(found[row], tries[row])
        together = (bounds.low[row], bounds.high[row], bounds.effective[row])
        assert together == pytest.approx(tuple(map(float, one)))


def test_wilson_matches_the_textbook() -> None:
    """10 of 50: 0.1124 to 0.3304."""
    interval = wilson_interval(0.2, 50)
    assert [interval.low, interval.high] == pytest.approx([0.1124, 0.3304], abs=1e-4)


annotator = st.integers(0, 1000).flatmap(lambda tries: st.tuples(st.integers(0, tries), st.just(tries)))


@given(st.lists(annotator, min_size=5, max_size=40))
def test_an_interval_is_finite_and_holds_its_share(people: list[tuple[int, int]]) -> None:
    fooled, tries = (counts(*column) for column in zip(*people, strict=True))
    try:
        interval = clustered_interval(fooled, tries)
    except NoInterval:
        assert tries.sum() ** 2 < 5 * np.square(tries).sum() or not tries.any()
        return
    share = fooled.sum() / tries.sum()
    assert isfinite(interval.low)
    assert isfinite(interval.high)
    assert 0 <= interval.low <= share + 1e-9
    assert share - 1e-9 <= interval.high <= 1
    assert interval.low < interval.high


SPREADS: dict[str, Callable[[Generator, int], NDArray[np.int64]]] = {
    "equal": lambda _, annotators: np.full(annotators, 16),
    "geometric": lambda dice, annotators: dice.geometric(1 / 16, annotators),
    "by rank": lambda _, annotators: np.ceil(16 * annotators / 5 / np.arange(1, annotators + 1)).astype(
        np.int64
    ),
}


@pytest.mark.parametrize(
    ("spread", "annotators", "rate", "correlation"),
    [
        ("equal", 5, 0.35, 0.1),
        ("geometric", 20, 1 / 3, 1 / 7),
        ("geometric", 50, 0.02, 0.3),
        ("by rank", 50, 0.02, 0.1),
        ("by rank", 500, 0.1, 0.3),
    ],
)
def test_coverage(spread: str, annotators: int, rate: float, correlation: float) -> None:
    """Beta-binomial annotators of this mean and correlation; the truth is the rate.

    1,500 rounds put the standard error near 0.6 points. `make coverage` walks the whole grid.
    """
    dice, weight = np.random.default_rng(11), 1 / correlation - 1
    covered = given = 0
    for _ in range(1500):
        tries = SPREADS[spread](dice, annotators)
        fooled = dice.binomial(tries, dice.beta(rate * weight, (1 - rate) * weight, annotators))
        try:
            interval = clustered_interval(fooled, tries)
        except NoInterval:
            continue
        given += 1
        covered += interval.low <= rate <= interval.high
    assert given > 1000
    assert 0.91 <= covered / given <= 0.995
