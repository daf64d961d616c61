"""Differences of two models by each metric, from samples of the same contexts for both."""

from math import sqrt

import numpy as np
import pytest
from evaluation.domain.comparison import compare
from evaluation.domain.intervals import Floats
from evaluation.domain.resampling import Ratios, mean_of, paired_difference, resampled_ends
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import norm, t


def test_a_mean_has_about_the_interval_of_its_normal_form() -> None:
    scores = np.random.default_rng(7).random(400)
    found = resampled_ends(mean_of(scores), np.arange(400))
    half = 196 * scores.std(ddof=1) / 20
    assert found.low == pytest.approx(100 * scores.mean() - half, abs=0.4)
    assert found.high == pytest.approx(100 * scores.mean() + half, abs=0.4)


def test_what_both_share_cancels_and_the_same_input_gives_the_same_answer() -> None:
    dice = np.random.default_rng(3)
    hard = dice.random(300)
    better = np.minimum(1.0, hard + 0.03)
    found = paired_difference(mean_of(better), mean_of(hard), np.arange(300))
    assert found.ends.low > 2
    assert found.p is not None
    assert found.p < 0.01
    assert found == paired_difference(mean_of(better), mean_of(hard), np.arange(300))
    turned = paired_difference(mean_of(hard), mean_of(better), np.arange(300))
    assert turned.difference == pytest.approx(-found.difference)


def test_items_of_one_context_are_drawn_together() -> None:
    first, second = np.repeat([1.0, 1, 1, 0, 0, 1, 0, 1], 25), np.repeat([1.0, 0, 1, 0, 1, 0, 0, 1], 25)
    alone = paired_difference(mean_of(first), mean_of(second), np.arange(200))
    together = paired_difference(mean_of(first), mean_of(second), np.repeat(np.arange(8), 25))
    assert alone.ends.low > 0
    assert together.ends.low < 0


def test_equal_models_differ_by_nothing() -> None:
    found = paired_difference(mean_of(np.ones(50)), mean_of(np.ones(50)), np.arange(50))
    assert (found.difference, found.ends.low, found.ends.high, found.p) == (0, 0, 0, 1)


def test_few_contexts_have_no_interval() -> None:
    found = paired_difference(mean_of(np.ones(60)), mean_of(np.zeros(60)), np.arange(60) // 20)
    assert found.difference == 100
    assert found.ends.reason == "no interval: 3 contexts, at least 5 are needed"
    assert found.p is None


def test_a_column_without_size_is_left_out_and_many_clusters_are_joined() -> None:
    hits = np.stack([np.ones(5_000), np.zeros(5_000)], axis=1)
    ratios = Ratios(hits, np.stack([np.full(5_000, 2.0), np.zeros(5_000)], axis=1))
    assert ratios.value() == 0.5
    assert len(ratios.summed(np.arange(5_000)).hits) == 2_000
    assert resampled_ends(ratios, np.arange(5_000)).low == pytest.approx(50)


def widened(first: Floats, second: Floats, clusters: NDArray[np.int64]) -> tuple[float, float]:
    """Return the ends by the formula that the module states."""
    number, apart = int(clusters.max()) + 1, 100 * float((first - second).mean())
    factor = t.ppf(0.975, number - 1) / norm.ppf(0.975) * sqrt(number / (number - 1))
    drawn = resampled_ends(mean_of(first - second), clusters)
    return max(-100.0, apart + factor * (drawn.low - apart)), min(
        100.0, apart + factor * (drawn.high - apart)
    )


@settings(max_examples=40)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=10, max_size=60), st.sampled_from((1, 2)))
def test_an_interval_of_a_difference_is_as_wide_as_its_formula(
    pairs: list[tuple[bool, bool]], together: int
) -> None:
    """Of distinct contexts that of paired shares; of shared ones the hull with that by drawing contexts."""
    first, second = np.array(pairs, dtype=np.float64).T
    clusters = np.arange(len(pairs)) // together
    low, high = widened(first, second, clusters)
    found = paired_difference(mean_of(first), mean_of(second), clusters)
    assert found.ends[:2] == pytest.approx((low, high), abs=1e-9)
    plain, whole = compare(pairs, 0), compare(pairs, 0, clusters)
    outer = (plain.low, plain.high) if together == 1 else (min(plain.low, low), max(plain.high, high))
    assert (whole.low, whole.high) == pytest.approx(outer, abs=1e-9)
    b, c = (sum(one and not other for one, other in turned) + 0.5 for turned in (pairs, map(reversed, pairs)))
    n = len(pairs) + 2
    reach = norm.ppf(0.975) * sqrt(b + c - (b - c) ** 2 / n) / n
    ends = [100 * np.clip((b - c) / n + sign * reach, -1, 1) for sign in (-1, 1)]
    assert (plain.low, plain.high) == pytest.approx(ends, abs=1e-9)


def test_of_few_shared_contexts_a_difference_may_be_anything() -> None:
    found = compare([(True, False)] * 20, 0, np.arange(20) // 5)
    assert (found.contexts, found.low, found.high) == (4, -100, 100)
