"""Words for the difference of two rounds."""

from typing import Any

import pytest
from dynabench_client.results.annotation import Round
from dynabench_client.results.leaderboard import ProjectedRate, Range, Rate, RoundFigures
from web.tasks.compare_view import RoundColumn, RoundRead, round_columns

SURE = Rate.blank(value=0.4, low=0.38, high=0.42, n=1000)
LOWER = Rate.blank(value=0.3, low=0.28, high=0.32, n=1000)
VAGUE = ProjectedRate.blank(value=0.35, low=0.2, high=0.5, n=40)
ALONE = Rate.blank(value=0.35, n=40, reason="no interval: 2 annotators, at least 5 are needed")


def read(number: int, rate: Rate, **figures: Any) -> RoundRead:
    board = RoundFigures.blank(mer=rate, vmer=rate, vmer_projected=VAGUE, **figures)
    return RoundRead(Round.blank(number=number, state="closed"), board, None, None)


def newest(*found: RoundRead) -> RoundColumn:
    return round_columns(found)[0]


@pytest.mark.parametrize(
    ("newer", "older", "value", "said"),
    [
        (SURE, LOWER, "+10.0 points", "more than noise"),
        (LOWER, SURE, "−10.0 points", "more than noise"),
        (VAGUE, LOWER, "+5.0 points", "within noise"),
        (SURE, SURE, "+0.0 points", "within noise"),
        (SURE, ALONE, "", "can't be told: no interval: 2 annotators, at least 5 are needed"),
        (ALONE, SURE, "", "can't be told: no interval: 2 annotators, at least 5 are needed"),
    ],
)
def test_a_difference_comes_with_its_interval_and_what_it_means(
    newer: Rate, older: Rate, value: str, said: str
) -> None:
    change = newest(read(2, newer), read(1, older)).mer_change
    assert change is not None
    assert (change.value, change.verdict) == (value, said)
    assert bool(change.interval) == bool(value)


def test_vmer_is_compared_as_projected_while_votes_are_missing() -> None:
    waiting = read(2, SURE, vmer_range=Range.blank(pending=7))
    change = newest(waiting, read(1, LOWER)).vmer_change
    assert change is not None
    assert (change.value, change.verdict) == ("+5.0 points", "within noise, as projected")


def test_the_oldest_round_is_compared_with_none() -> None:
    column = newest(read(1, SURE))
    assert (column.mer_change, column.vmer_change) == (None, None)
