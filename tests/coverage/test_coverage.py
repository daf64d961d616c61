"""A small part of what `make coverage` simulates."""

import numpy as np
import pytest

from tests.coverage.arrivals import COURSES, arrival
from tests.coverage.words import names, null_round

ROUNDS = 60


@pytest.mark.parametrize("course", COURSES)
def test_the_band_of_a_forecast_holds_the_day_on_steady_uneven_and_bursty_days(course: str) -> None:
    dice = np.random.default_rng(11)
    found = [one for _ in range(ROUNDS) if (one := arrival(dice, course, 28, 20.0, 0.2))]
    assert len(found) > ROUNDS / 2
    assert sum(band.low <= day <= band.high for day, band in found) >= 0.9 * len(found)


def test_own_words_and_habits_of_authors_are_not_named() -> None:
    dice = np.random.default_rng(7)
    rounds = [null_round(dice, authors, kind) for authors in (8, 30) for kind in ("own words", "own habits")]
    assert sum(bool(names(rows)) for rows in rounds) == 0
