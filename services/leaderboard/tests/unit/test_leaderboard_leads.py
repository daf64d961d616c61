"""Leads between models: the deciding dataset, ties, and the expected gain of the best by chance."""

from math import pi, sqrt

import numpy as np
import pytest
from leaderboard.domain.leads import Counted, Lead, expected_maximum, fastest_of, gain_of_best, leads
from leaderboard.domain.ranking import certainty
from leaderboard.domain.ranking.packed_covariance import PackedCovariance


def test_a_lead_of_one_dataset_is_n10_less_n01() -> None:
    """145 items only the first gets right, 81 only the second, of 720: 64."""
    shares = np.array([[100 * 545 / 720], [100 * 481 / 720]])
    counted = Counted(shares, np.full((2, 1), 720.0), np.array([720.0]), np.array([100.0]))
    found = leads(["first", "second"], shares[:, 0], ["set"], counted)
    assert found == [Lead("second", "set", 64, 720, 64), None]


@pytest.mark.parametrize(
    ("answered", "items"),
    [
        pytest.param([[700.0], [720.0]], [720.0], id="one answered fewer items"),
        pytest.param([[720.0], [720.0]], [800.0], id="neither answered all"),
        pytest.param([[0.0], [0.0]], [0.0], id="no items"),
    ],
)
def test_without_the_same_items_there_is_no_lead(answered: list[list[float]], items: list[float]) -> None:
    counted = Counted(np.array([[80.0], [70.0]]), np.array(answered), np.array(items), np.array([100.0]))
    assert leads(["a", "b"], np.array([80.0, 70.0]), ["set"], counted) == [None, None]


def test_the_dataset_where_the_fewest_items_turn_it_is_named() -> None:
    """The second dataset is small and counts as much, so each of its items moves more."""
    shares = np.array([[80.0, 50.0], [70.0, 52.0]])
    counted = Counted(
        shares, np.array([[1000.0, 100.0]] * 2), np.array([1000.0, 100.0]), np.array([50.0, 50.0])
    )
    (found, _) = leads(["a", "b"], np.array([65.0, 61.0]), ["large", "small"], counted)
    assert found == Lead("b", "small", 8, 100, -2)
    out_of_reach = Counted(shares, counted.answered, counted.items, np.array([1.0, 0.0]))
    assert leads(["a", "b"], np.array([65.0, 61.0]), ["large", "small"], out_of_reach) == [None, None]


@pytest.mark.parametrize(
    ("speeds", "found"),
    [
        ([1.0, 3.1], (1, 3.1, 3.1)),
        ([1.0, 2.0, 4.0], (2, 2.0, 4.0)),
        ([1.0, 1.05], None),
        ([2.0], None),
        ([2.0, None], None),
        ([], None),
    ],
)
def test_the_fastest_of_those_tied(
    speeds: list[float | None], found: tuple[int, float, float] | None
) -> None:
    assert fastest_of(speeds) == found


def test_the_expected_best_of_equal_models() -> None:
    """Known values: 0, 1 / √π, 1.5 / √π, and those of published tables."""
    assert expected_maximum(1) == pytest.approx(0, abs=1e-9)
    assert expected_maximum(2) == pytest.approx(1 / sqrt(pi), abs=1e-6)
    assert expected_maximum(3) == pytest.approx(1.5 / sqrt(pi), abs=1e-6)
    assert expected_maximum(10) == pytest.approx(1.538753, abs=1e-5)
    assert expected_maximum(100) == pytest.approx(2.507594, abs=1e-5)
    assert gain_of_best(2, 3.0) == pytest.approx(3 / sqrt(pi), abs=1e-5)
    with pytest.raises(ValueError, match="none"):
        expected_maximum(0)


def test_packed_covariances_are_those_of_the_weighted_influences() -> None:
    chance = np.random.default_rng(4)
    models, sizes, metrics = 6, (30, 50), ("performance", "fairness", "robustness")
    moved = {
        (dataset, metric): chance.normal(0, 1, (models, size))
        for dataset, size in enumerate(sizes)
        for metric in metrics
    }
    worth = {metric: chance.random(2) for metric in metrics}
    packed = PackedCovariance(
        models, 2, metrics, lambda model, dataset, metric: moved[dataset, metric][model], lambda *_: 0.0
    )
    expected = np.zeros((models, models))
    for dataset in range(2):
        whole = sum(worth[metric][dataset] * moved[dataset, metric] for metric in metrics)
        expected += certainty.covariance(np.asarray(whole), np.asarray(whole))
    assert packed.of_scores(worth, range(models)) == pytest.approx(expected)
    assert packed.of_scores(worth, [1, 4]) == pytest.approx(expected[np.ix_([1, 4], [1, 4])])


def test_a_model_whose_clusters_are_others_keeps_its_own_variance() -> None:
    given = {0: np.array([0.1, -0.1, 0.2]), 1: np.array([0.3, -0.3, 0.0]), 2: np.array([0.5, -0.5]), 3: None}
    told = [0.0, 0.0, 0.0, 0.25]
    packed = PackedCovariance(
        4, 1, ("performance",), lambda model, *_: given[model], lambda model, *_: told[model]
    )
    found = packed.of_scores({"performance": np.ones(1)}, range(4))
    assert found[0, 1] == pytest.approx(1.5 * 0.06)
    assert found[2].tolist() == [0, 0, pytest.approx(1.0), 0]
    assert found[3].tolist() == [0, 0, 0, 0.25]


def test_where_the_linear_form_is_poor_the_interval_that_a_score_came_with_counts() -> None:
    """A bootstrapped interval twice as wide doubles a model's influences; one that is hardly wider changes nothing."""
    chance = np.random.default_rng(9)
    matrix = chance.normal(0, 1, (3, 40))
    plain = certainty.covariance(matrix, matrix)
    told = [4 * plain[0, 0], 1.2 * plain[1, 1], 0.0]
    packed = PackedCovariance(
        3, 1, ("performance",), lambda model, *_: matrix[model], lambda model, *_: told[model]
    )
    found = packed.of_scores({"performance": np.ones(1)}, range(3))
    assert packed.is_poor[:, 0].tolist() == [True, False, False]
    assert found[0, 0] == pytest.approx(4 * plain[0, 0])
    assert found[0, 1] == pytest.approx(2 * plain[0, 1])
    assert found[1:, 1:] == pytest.approx(plain[1:, 1:])
