"""The page of a task: activity, languages, contexts that are left."""

from datetime import UTC, datetime, timedelta

import pytest
from dynabench_client.results.annotation import OwnersContext, Round
from dynabench_client.results.leaderboard import History
from web.kit.words import language_words
from web.tasks.activity import MOST_DAYS, tries_by_day, tries_by_round
from web.tasks.task_view import stock_view

NIGHT = datetime(2026, 1, 5, 23, 0, tzinfo=UTC)


def history(*steps: tuple[float, int]) -> History:
    """Return a history of `(hours after the night began, tries until then)`."""
    points = [{"at": NIGHT + timedelta(hours=hours), "tries": tries} for hours, tries in steps]
    return History.blank(points=points)


@pytest.mark.parametrize(
    ("histories", "expected"),
    [
        ([], []),
        ([history()], []),
        ([history((0, 4), (0.5, 6), (3, 9))], [("5 Jan", 6), ("6 Jan", 3)]),
        ([history((0, 4), (49, 5))], [("5 Jan", 4), ("6 Jan", 0), ("7 Jan", 0), ("8 Jan", 1)]),
        ([history((0, 4)), history((0.1, 2), (2, 3))], [("5 Jan", 6), ("6 Jan", 1)]),
    ],
    ids=["no round", "no try", "differences", "idle days stay", "rounds add up"],
)
def test_tries_of_a_day_are_what_the_histories_gained_in_it(
    histories: list[History], expected: list[tuple[str, int]]
) -> None:
    assert tries_by_day(histories) == expected


def test_only_the_last_days_are_shown() -> None:
    days = tries_by_day([history((0, 5), (24 * 100, 6))])
    assert len(days) == MOST_DAYS
    assert days[-1][1] == 1


def test_rounds_stand_in_their_order() -> None:
    assert tries_by_round([(2, 5), (1, 0)]) == [("Round 1", 0), ("Round 2", 5)]
    assert tries_by_round([(1, 0)]) == []


def test_languages_have_names_where_they_are_known() -> None:
    assert language_words(["en", "de", "tlh"]) == "English, German, tlh"


@pytest.mark.parametrize(
    ("is_whole", "contexts", "used", "unused"),
    [
        (True, "3", "2", "1"),
        (False, "900", "2 of the first 3\u00a0contexts", "1 of the first 3\u00a0contexts"),
    ],
)
def test_contexts_left_are_those_that_nobody_had(
    is_whole: bool, contexts: str, used: str, unused: str
) -> None:
    listed = [OwnersContext.blank(context_id=str(count), use_count=count) for count in range(3)]
    listed.append(OwnersContext.blank(context_id="w", use_count=0, is_withdrawn=True))
    view = stock_view(Round.blank(round_id="r", contexts=900), listed, is_whole=is_whole)
    assert (view.contexts, view.used, view.unused) == (contexts, used, unused)
