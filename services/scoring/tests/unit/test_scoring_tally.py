"""Keys counted in memory and in files, held against a plain count."""

from collections import Counter

import numpy as np
import pytest
from scoring.dataset.measurements.tally import Tally

HELD = (10_000_000, 200, 7)
"""Everything fits, some of it does, next to nothing does."""


def counted(held: int, keys: np.ndarray, low: int = -(2**63), high: int = 2**63) -> Tally:
    tally = Tally(held=held, low=low, high=high)
    for start in range(0, len(keys), 50):
        some = keys[start : start + 50]
        tally.add(some, start + np.arange(len(some)))
    return tally


@pytest.fixture(params=(1, 300, 10**18))
def keys(request: pytest.FixtureRequest) -> np.ndarray:
    """A few thousand keys, of which all are the same, many are, and hardly any are."""
    return np.random.default_rng(5).integers(-request.param, request.param, 3_000)


@pytest.mark.parametrize("held", HELD)
def test_every_key_is_counted_once_with_where_it_came_first(held: int, keys: np.ndarray) -> None:
    tally = counted(held, keys)
    found = {
        key: (count, place)
        for columns in tally.parts()
        for key, count, place in zip(*(column.tolist() for column in columns), strict=True)
    }
    places = {key: place for place, key in reversed(list(enumerate(keys.tolist())))}
    assert found == {key: (count, places[key]) for key, count in Counter(keys.tolist()).items()}
    assert list(found) == sorted(found)
    assert tally.all()[0].tolist() == sorted(found)


@pytest.mark.parametrize("held", HELD)
def test_counts_of_some_keys_are_found_and_of_others_are_none(held: int, keys: np.ndarray) -> None:
    tally, known = counted(held, keys), Counter(keys.tolist())
    asked = np.concatenate([keys[::7], [2**62, -(2**62), 301]])
    assert tally.of(asked).tolist() == [known[key] for key in asked.tolist()]
    assert tally.of(asked[:0]).tolist() == []


@pytest.mark.parametrize("held", HELD)
def test_a_range_of_keys_is_read_alone(held: int) -> None:
    keys = np.random.default_rng(6).integers(0, 500, 4_000)
    tally, known = counted(held, keys, low=0, high=500), Counter(keys.tolist())
    for low, high in ((0, 500), (0, 1), (17, 40), (499, 500), (250, 251)):
        found, counts = tally.between(low, high)
        expected = sorted((key, count) for key, count in known.items() if low <= key < high)
        assert list(zip(found.tolist(), counts.tolist(), strict=True)) == expected


@pytest.mark.parametrize("held", HELD)
def test_keys_that_come_later_are_counted_too(held: int) -> None:
    tally = Tally(held=held)
    tally.add(np.arange(20))
    assert tally.all()[1].tolist() == [1] * 20
    tally.add(np.arange(10, 30))
    assert tally.all()[1].tolist() == [1] * 10 + [2] * 10 + [1] * 10


def test_nothing_counted_is_nothing() -> None:
    tally = Tally()
    assert [column.tolist() for column in tally.all()] == [[], [], []]
    assert tally.of(np.array([1])).tolist() == [0]
