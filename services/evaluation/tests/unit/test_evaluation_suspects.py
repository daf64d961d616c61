"""Items that better models get wrong more often than worse ones."""

import numpy as np
import pytest
from evaluation.domain.suspects import MOST_SUSPECTS, correlations, suspects

ITEMS = 60


def models(*shares: float) -> list[np.ndarray]:
    """Return models that are right on the first so many items."""
    return [np.arange(ITEMS) < share * ITEMS for share in shares]


def test_it_is_pearsons_correlation_with_the_share_right_on_the_others() -> None:
    right = list(np.random.default_rng(1).random((7, 12)) < 0.6)
    found = correlations(right)
    whole = np.array(right, dtype=float)
    for place in range(12):
        rest = np.delete(whole, place, axis=1).mean(axis=1)
        if whole[:, place].std() and rest.std():
            assert found[place] == pytest.approx(np.corrcoef(whole[:, place], rest)[0, 1])
        else:
            assert np.isnan(found[place])


def test_an_item_that_only_the_worst_models_get_right_is_listed_first() -> None:
    right = models(0.9, 0.8, 0.7, 0.6, 0.5)
    for model, is_right in zip(right, (False, False, False, True, True), strict=True):
        model[7] = is_right
    found = suspects(right)
    assert found is not None
    assert (found.items[0].place, found.items[0].right, found.below) == (7, 2, 1)
    assert found.items[0].correlation < -0.8


def test_on_sound_items_better_models_are_right_more_often() -> None:
    found = suspects(models(0.9, 0.8, 0.7, 0.6, 0.5))
    assert found is not None
    assert (found.below, list(found.items)) == (0, [])
    assert found.measured == round(0.4 * ITEMS)


def test_fewer_than_five_models_say_nothing() -> None:
    assert suspects(models(0.9, 0.8, 0.7, 0.6)) is None
    assert suspects([]) is None


@pytest.mark.parametrize("items", [0, 1])
def test_without_other_items_there_is_no_correlation(items: int) -> None:
    found = suspects([np.ones(items, dtype=bool)] * 4 + [np.zeros(items, dtype=bool)])
    assert found is not None
    assert (found.measured, found.below) == (0, 0)


def test_models_that_are_equally_good_on_the_rest_say_nothing() -> None:
    right = [np.ones(10, dtype=bool) for _ in range(5)]
    right[0][3] = False
    found = suspects(right)
    assert found is not None
    assert found.measured == 0


def test_by_chance_alone_half_of_the_items_are_below_nought_and_so_many_are_listed_at_most() -> None:
    right = list(np.random.default_rng(2).random((6, 4_000)) < 0.5)
    found = suspects(right)
    assert found is not None
    assert 0.4 < found.below / found.measured < 0.6
    assert len(found.items) == MOST_SUSPECTS
    lowest = [each.correlation for each in found.items]
    assert lowest == sorted(lowest)
