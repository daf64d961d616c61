"""A small part of what `make coverage` simulates: words that tell nothing are not named."""

import numpy as np

from tests.coverage.words import names, null_round


def test_own_words_and_habits_of_authors_are_not_named() -> None:
    dice = np.random.default_rng(7)
    rounds = [null_round(dice, authors, kind) for authors in (8, 30) for kind in ("own words", "own habits")]
    assert sum(bool(names(rows)) for rows in rounds) == 0
