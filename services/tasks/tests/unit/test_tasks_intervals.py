"""Intervals against hand-worked numbers, at the edges, and in simulation."""

from math import exp, isfinite, log, sqrt

import numpy as np
import pytest
from dynabench_tasks.statistics.intervals import Amounts, NoInterval, clustered_interval, wilson_interval
from hypothesis import given
from hypothesis import strategies as st


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


@pytest.mark.parametrize(
    ("annotators", "words"), [(0, "0 annotators"), (1, "1 annotator,"), (4, "4 annotators")]
)
def test_under_five_annotators_there_is_none(annotators: int, words: str) -> None:
    with pytest.raises(NoInterval, match=words):
        clustered_interval(np.ones(annotators, dtype=np.int64), np.full(annotators, 2))


@pytest.mark.parametrize("fooled", [0, 4])
def test_at_the_ends_wilson_with_the_effective_number(fooled: int) -> None:
    """20 tries of 5 annotators with 4 each: as good as 5 tries when each one's are alike."""
    interval = clustered_interval(np.full(5, fooled), np.full(5, 4))
    assert interval == wilson_interval(fooled / 4, 5)
    assert 0 <= interval.low < interval.high <= 1


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
        assert (tries > 0).sum() < 5
        return
    share = fooled.sum() / tries.sum()
    assert isfinite(interval.low)
    assert isfinite(interval.high)
    assert 0 <= interval.low <= share + 1e-9
    assert share - 1e-9 <= interval.high <= 1


@pytest.mark.parametrize(("annotators", "seed"), [(5, 11), (20, 12)])
def test_coverage(annotators: int, seed: int) -> None:
    """Beta-binomial annotators (skill Beta(2, 4), mean 1/3) of geometric effort (mean 16 tries).

    The truth is the mean skill. 1,500 rounds put the standard error near 0.6 points.
    """
    rng = np.random.default_rng(seed)
    covered = 0
    for _ in range(1500):
        tries = rng.geometric(1 / 16, annotators)
        fooled = rng.binomial(tries, rng.beta(2, 4, annotators))
        interval = clustered_interval(fooled, tries)
        covered += interval.low <= 1 / 3 <= interval.high
    assert 0.90 <= covered / 1500 <= 0.97
