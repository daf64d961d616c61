"""The quantile of the largest difference, against looking at all pairs."""

from collections.abc import Callable

import numpy as np
import pytest
from leaderboard.domain.ranking.certainty import CONFIDENCE
from leaderboard.domain.ranking.largest_difference import Floats32, quantile_of_largest

DRAWS = 1_000


def _equally_sure(models: int, chance: np.random.Generator) -> Floats32:
    return chance.standard_normal((models, 4 * models + 10), dtype=np.float32)


def _far_less_sure(models: int, chance: np.random.Generator) -> Floats32:
    return (_equally_sure(models, chance) * chance.lognormal(0, 1, (models, 1))).astype(np.float32)


def _twins(models: int, chance: np.random.Generator) -> Floats32:
    found = _equally_sure(models, chance)
    found[: models // 2] = found[models // 2 : models // 2 * 2] + 0.05 * found[: models // 2]
    return found


def _families(models: int, chance: np.random.Generator) -> Floats32:
    own = _equally_sure(models, chance)
    return (own[chance.integers(0, 3, models) % models] + 0.2 * own).astype(np.float32)


@pytest.mark.parametrize("kind", [_equally_sure, _far_less_sure, _twins, _families])
@pytest.mark.parametrize("models", [2, 3, 5, 24, 60, 130])
def test_the_quantile_is_that_of_all_pairs(
    models: int, kind: Callable[[int, np.random.Generator], Floats32]
) -> None:
    chance = np.random.default_rng(models)
    influences = kind(models, chance)
    draws = chance.standard_normal((DRAWS, influences.shape[1]), dtype=np.float32) @ influences.T
    covariance = influences @ influences.T
    own = np.diag(covariance)
    variances = own[:, None] + own[None, :] - 2 * covariance
    np.fill_diagonal(variances, np.inf)
    weights = (1 / np.sqrt(variances)).astype(np.float32)
    if models > 2:
        weights[0, 1] = weights[1, 0] = 0
    largest = [((each[:, None] - each[None, :]) * weights).max() for each in draws]
    found = quantile_of_largest(draws, weights, CONFIDENCE)
    assert found == pytest.approx(float(np.quantile(largest, CONFIDENCE)), rel=1e-5)
