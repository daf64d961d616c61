"""Words for the difference of two rounds."""

import re
from typing import Any

import pytest
from dynabench_client.results.annotation import Round
from dynabench_client.results.leaderboard import Effort, ProjectedRate, Range, Rate, RoundFigures
from web.kit.charts.dots import BOTTOM, TOP
from web.tasks.compare_view import RoundColumn, RoundRead, round_columns
from web.tasks.round_charts import round_charts

SURE = Rate.blank(value=0.4, low=0.38, high=0.42, n=1000)
LOWER = Rate.blank(value=0.3, low=0.28, high=0.32, n=1000)
VAGUE = ProjectedRate.blank(value=0.35, low=0.2, high=0.5, n=40)
ALONE = Rate.blank(value=0.35, n=40, reason="too few annotators for an interval: 2, at least 5 are needed")


def read(number: int, rate: Rate, **figures: Any) -> RoundRead:
    board = RoundFigures.blank(mer=rate, vmer=rate, vmer_projected=VAGUE, **figures)
    return RoundRead(Round.blank(number=number, state="closed"), board, None, None, None)


def newest(*found: RoundRead) -> RoundColumn:
    return round_columns(found)[0]


@pytest.mark.parametrize(
    ("newer", "older", "value", "said"),
    [
        (SURE, LOWER, "+10.0 points", "more than noise"),
        (LOWER, SURE, "−10.0 points", "more than noise"),
        (VAGUE, LOWER, "+5.0 points", "within noise"),
        (SURE, SURE, "+0.0 points", "within noise"),
        (SURE, ALONE, "", "too few annotators for an interval: 2, at least 5 are needed"),
        (ALONE, SURE, "", "too few annotators for an interval: 2, at least 5 are needed"),
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
    assert (change.value, change.verdict) == ("+5.0 points", "within noise, estimated")


def test_the_oldest_round_is_compared_with_none() -> None:
    column = newest(read(1, SURE))
    assert (column.mer_change, column.vmer_change) == (None, None)


def test_charts_of_rounds_begin_with_the_oldest_and_leave_out_what_is_not_known() -> None:
    nothing = Rate.blank(value=None, low=None, high=None, reason="no try has a verdict")
    [chart] = round_charts([read(3, SURE), read(2, nothing), read(1, ALONE)])
    assert chart.svg.count("<circle") == 2
    assert chart.svg.count('class="whisker') == 2
    assert [row[0] for row in chart.table.rows] == ["Round 1", "Round 2", "Round 3"]
    assert chart.table.rows[1][3] == "no try has a verdict"


def test_a_long_interval_of_effort_is_cut_off_and_leaves_room_for_the_dots() -> None:
    def effort(number: int, value: float, low: float, high: float) -> RoundRead:
        tries = Rate.blank(value=value, low=low, high=high, n=30)
        found = Effort.blank(target=None, tries_per_fooling=tries)
        return RoundRead(Round.blank(number=number, state="closed"), None, None, [found], None)

    [chart] = round_charts([effort(3, 3.0, 2.5, 3.6), effort(2, 4.0, 2.0, 200.0), effort(1, 3.2, 2.8, 3.9)])
    heights = [float(height) for height in re.findall(r'<circle[^>]* cy="([\d.]+)"', chart.svg)]
    assert max(heights) < (TOP + BOTTOM) * 0.7
    ends = [float(end) for end in re.findall(r'<line[^>]* y2="([\d.]+)" class="whisker', chart.svg)]
    assert min(ends) == TOP
    assert "200" not in chart.svg
    assert "2.0–200.0" in chart.table.rows[1]
    assert "cuts off long intervals" in chart.description


def test_one_round_with_figures_is_no_chart() -> None:
    unread = RoundRead(Round.blank(number=2), None, None, None, None)
    assert round_charts([unread, read(1, SURE)]) == []
