"""The histogram of docs/extend/figure.md: what examples add, and its median.

`test_architecture_figure.py` runs this with the edits.
"""

from collections.abc import Callable

import pytest
from dynabench.validation.v1 import validation_pb2
from leaderboard.domain.counting_rule import DEFAULT_RULE
from leaderboard.domain.error_minutes import median_minutes, minute_shares
from leaderboard.domain.tally import RULE, counted

from services.leaderboard.tests.conftest import Story
from services.leaderboard.tests.unit.test_leaderboard_tally import known_from


@pytest.mark.parametrize(
    ("rule", "seconds", "minutes"),
    [
        ("whole minutes are counted", 130.0, [2]),
        ("an hour and more is the last one", 9_000.0, [60]),
        ("without a time nothing is counted", 0.0, []),
    ],
)
def test_an_error_adds_to_its_minute(
    new_story: Callable[..., Story], rule: str, seconds: float, minutes: list[int]
) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", "negative"], story.new_id(), seconds=seconds)
    resolved = story.resolved(tried, validation_pb2.RESOLUTION_CORRECT, "negative")
    assert list(minute_shares(counted(known_from(tried), DEFAULT_RULE))) == []
    found = [key for key, _ in minute_shares(counted(known_from(tried, resolved), DEFAULT_RULE))]
    assert [key.minute for key in found if key.subject == RULE] == minutes, rule
    retracted = known_from(tried, resolved, story.retracted(tried))
    assert list(minute_shares(counted(retracted, DEFAULT_RULE))) == []


@pytest.mark.parametrize(
    ("rule", "histogram", "median"),
    [
        ("one error is in the middle of its minute", [(4, 1)], 4.5),
        ("half of the errors are below the median", [(0, 2), (9, 2)], 1.0),
        ("order does not matter", [(9, 1), (2, 3), (1, 1)], 2.5),
        ("long ones weigh as one", [(1, 1), (2, 1), (60, 1)], 2.5),
        ("without errors there is none", [], None),
    ],
)
def test_the_median_of_a_histogram(rule: str, histogram: list[tuple[int, int]], median: float | None) -> None:
    found = median_minutes(histogram)
    assert found.value == (None if median is None else pytest.approx(median)), rule
    assert (found.reason is None) == (median is not None)
