"""Scores by both rules, and what is certain of an order."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from leaderboard.domain.ranking.certainty import certainty, covariance, least_difference, tie_groups
from leaderboard.domain.ranking.dynascore import (
    NoScore,
    dynascores,
    normalised,
    substitution_rates,
    z_scores,
)
from leaderboard.domain.ranking.packed_covariance import PackedCovariance
from leaderboard.domain.ranking.utility import default_prices, utilities, utilities_of_scores

DATA = os.environ.get("DYNABENCH_DATA", "")
needs_data = pytest.mark.skipif(not DATA, reason="DYNABENCH_DATA names no data folder")
DIMENSIONS = ("performance", "throughput", "memory", "fairness", "robustness")
WEIGHTS = (4.0, 1.0, 1.0, 1.0, 1.0)
WORKED = np.array([[70, 20, 16 - 2, 95, 80], [80, 8, 16 - 6, 92, 84], [90, 5, 16 - 12, 94, 88]], dtype=float)
numbers = st.floats(-1e6, 1e6)


def test_the_worked_example_of_the_dynascore() -> None:
    assert substitution_rates(WORKED).tolist() == pytest.approx([1, 0.75, 0.5, 0.25, 0.4])
    assert dynascores(WORKED, WEIGHTS, DIMENSIONS).tolist() == pytest.approx(
        [114.33, 116.08, 121.33], abs=0.005
    )


@needs_data
@pytest.mark.parametrize("task", ["nli", "qa"])
def test_the_published_tables(task: str) -> None:
    oracle = json.loads((Path(DATA) / "oracle.json").read_text())["dynaboard"]
    rows = oracle[task]
    table = np.array(
        [
            [
                row["performance"],
                row["throughput"],
                oracle["memory_max_gb"] - row["memory_gb"],
                row["fairness"],
                row["robustness"],
            ]
            for row in rows
        ]
    )
    scores = dynascores(table, oracle["weights"], DIMENSIONS)
    published = [row["dynascore"] for row in rows]
    assert scores.tolist() == pytest.approx(published, abs=oracle["tolerance"]["dynascore"][task])
    assert np.argsort(-scores).tolist() == np.argsort([-score for score in published]).tolist()
    found = z_scores(table, oracle["weights"])
    assert found.tolist() == pytest.approx(
        [row["z_score"] for row in rows], abs=oracle["tolerance"]["z_score"] + 1e-9
    )


def test_what_has_no_dynascore_says_why() -> None:
    equal = np.full((3, 2), 50.0)
    with pytest.raises(NoScore, match="all models have the same performance"):
        dynascores(equal, (1, 1), ("performance", "fairness"))
    with pytest.raises(NoScore, match="all models have the same performance"):
        dynascores(equal[:1], (1, 1), ("performance", "fairness"))
    still = np.array([[50.0, 7.0], [60.0, 7.0]])
    with pytest.raises(NoScore, match="fairness does not vary"):
        dynascores(still, (1, 1), ("performance", "fairness"))
    assert np.isfinite(dynascores(still, (1, 0), ("performance", "fairness"))).all()


@pytest.mark.parametrize("weights", [(0, 0), (-1, 2), (float("nan"), 1), (float("inf"), 1)])
def test_weights_that_mean_nothing_are_refused(weights: tuple[float, float]) -> None:
    with pytest.raises(NoScore):
        normalised(weights)


@given(st.lists(st.floats(0, 1e308), min_size=1, max_size=6).filter(any))
def test_shares_add_up_and_are_finite(weights: list[float]) -> None:
    shares = normalised(weights)
    assert np.isfinite(shares).all()
    assert shares.sum() == pytest.approx(1)


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 12), st.integers(0, 10_000))
def test_utility_never_depends_on_who_else_is_there(models: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    table = chance.normal(60, 20, (models + 1, 4))
    weights, prices = chance.random(4) + 0.01, chance.random(4) * 5
    whole = utilities_of_scores(table, weights.tolist(), prices.tolist())
    without = utilities_of_scores(table[:-1], weights.tolist(), prices.tolist())
    assert without.tolist() == whole[:-1].tolist()


@given(st.floats(1e-9, 1e9))
def test_twice_as_fast_is_worth_the_same_from_any_speed(ratio: float) -> None:
    given = np.array([ratio])
    (found,) = utilities("throughput", given)
    assert -5 <= found <= 5
    assert utilities("latency", given) == -found
    assert utilities("fairness", given) == ratio


def test_default_prices_come_from_the_baselines() -> None:
    prices = default_prices(WORKED, DIMENSIONS)
    assert prices == {"performance": 1, "throughput": 1.3, "memory": 2, "fairness": 4, "robustness": 2.5}
    alone = default_prices(WORKED[:1], DIMENSIONS)
    assert alone == {"performance": 1, **dict.fromkeys(DIMENSIONS[1:])}


def test_least_difference_is_millers_example() -> None:
    assert least_difference(198) == pytest.approx(0.1327, abs=5e-5)


def test_models_far_apart_are_told_apart_and_equal_ones_tie() -> None:
    chance = np.random.default_rng(3)
    right = (chance.random((3, 500)) < np.array([[0.9], [0.5], [0.5]])).astype(float)
    right[2] = right[1]
    means = right.mean(axis=1)
    cov = covariance((right - means[:, None]) / 500, (right - means[:, None]) / 500)
    found = certainty(means, cov)
    assert found.paired == [(1, 1), (2, 3), (2, 3)]
    assert found.simultaneous == [(1, 1), (2, 3), (2, 3)]
    assert tie_groups(found.separated) == [1, 2, 2]
    assert found.reach[0] < found.reach[1]
    assert found.critical > 1.9


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 8), st.integers(1, 40), st.integers(0, 10_000), st.booleans())
def test_ranks_are_whole_whatever_the_scores(models: int, clusters: int, seed: int, same: bool) -> None:
    chance = np.random.default_rng(seed)
    matrix = np.zeros((models, clusters)) if same else chance.normal(0, 1, (models, clusters))
    scores = np.zeros(models) if same else chance.normal(0, 1, models)
    found = certainty(scores, covariance(matrix, matrix) if clusters > 1 else np.zeros((models, models)))
    for (low, high), (lowest, highest) in zip(found.paired, found.simultaneous, strict=True):
        assert 1 <= low <= high <= models
        assert 1 <= lowest <= highest <= models
    assert np.isfinite(found.reach).all()


@pytest.mark.long
def test_the_simultaneous_sets_hold_for_all_models_at_once() -> None:
    """Of 300 boards of ten models with equal items, at least 94 % have every true rank within its set."""
    chance = np.random.default_rng(11)
    truth = np.linspace(0.55, 0.75, 10)
    true_ranks = np.arange(10, 0, -1)
    held = 0
    for _ in range(300):
        ease = chance.normal(0, 0.15, 400)
        right = (chance.random((10, 400)) < np.clip(truth[:, None] + ease, 0, 1)).astype(float)
        means = right.mean(axis=1)
        moved = (right - means[:, None]) / 400
        found = certainty(means, covariance(moved, moved), 399)
        held += all(
            low <= rank <= high for rank, (low, high) in zip(true_ranks, found.simultaneous, strict=True)
        )
    assert held >= 0.94 * 300


def test_few_items_widen_an_interval_as_the_t_distribution_does() -> None:
    chance = np.random.default_rng(5)
    matrix = chance.normal(0, 1, (2, 12))
    few, many = (certainty(np.zeros(2), covariance(matrix, matrix), freedom) for freedom in (11, 1e6))
    assert few.reach / few.errors == pytest.approx(2.200985, abs=1e-6)
    assert many.reach / many.errors == pytest.approx(1.959964, abs=1e-6)
    assert few.critical == many.critical == pytest.approx(1.96, abs=0.04)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 80), st.integers(0, 10_000))
def test_a_board_tells_right_answers_apart_as_mcnemars_test_does(items: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    right = (chance.random((2, items)) < [[0.9], [0.6]]).astype(float)
    means = right.mean(axis=1)
    moved = (right - means[:, None]) / items
    found = certainty(means, covariance(moved, moved), items - 1)
    only_first, only_other = ((right[one] > right[1 - one]).sum() for one in (0, 1))
    ratio = (only_first - only_other) / np.sqrt(max(only_first + only_other, 1))
    assert found.separated[0, 1] == (ratio > found.critical)


def test_degrees_of_freedom_add_up_over_datasets_that_weigh_alike() -> None:
    """Of two datasets with 11 and 31 clusters the one that carries the variance says how well it is known."""
    chance = np.random.default_rng(6)
    matrices = {0: chance.normal(0, 1, (3, 11)), 1: chance.normal(0, 1, (3, 31))}
    kept = PackedCovariance(
        3, 2, ["accuracy"], lambda model, dataset, _: matrices[dataset][model], lambda *_: 0.0
    )
    models = [0, 1, 2]
    assert kept.freedom({"accuracy": np.array([1.0, 0.0])}, models) == pytest.approx(10)
    assert kept.freedom({"accuracy": np.array([0.0, 1.0])}, models) == pytest.approx(30)
    assert 10 < kept.freedom({"accuracy": np.array([1.0, 1.0])}, models) <= 40
    assert kept.freedom({"accuracy": np.zeros(2)}, models) == np.inf
