"""Division of a history into time intervals."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from dynabench.validation.v1 import validation_pb2
from dynabench_common.events.cloud_events import Event
from dynabench_events import decode
from leaderboard.domain.counting_rule import DEFAULT_RULE
from leaderboard.domain.facts import Example
from leaderboard.domain.history import (
    BUCKET,
    MOST_POINTS,
    PACES,
    AuthorHistoryCounts,
    author_history_shares,
    bucket_start,
    history_shares,
    stretches,
)
from leaderboard.domain.tally import Counted, counted

from services.leaderboard.tests.conftest import Story

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
NewStory = Callable[..., Story]


def test_a_bucket_starts_at_a_whole_ten_seconds() -> None:
    assert bucket_start(START + timedelta(seconds=19.9)) == START + timedelta(seconds=10)


def test_each_pace_is_a_multiple_of_the_one_before() -> None:
    assert all(coarser % finer == timedelta() for finer, coarser in pairwise(PACES))


@pytest.mark.parametrize("buckets", [1, 59, 60, 61, 1000, 12_000, 260_000, 3_000_000])
def test_no_time_series_has_more_points_than_a_page_shows_nor_far_fewer(buckets: int) -> None:
    last = START + BUCKET * (buckets - 1)
    how = stretches(START, last)
    assert how.origin <= START
    assert how.length % how.pace == timedelta()
    number = (last - how.origin) // how.length + 1
    assert min(buckets, MOST_POINTS / 2) <= number <= MOST_POINTS


@pytest.mark.parametrize(
    ("span", "pace"),
    [
        (timedelta(minutes=10), PACES[0]),
        (timedelta(hours=20), PACES[0]),
        (timedelta(hours=40), PACES[1]),
        (timedelta(days=20), PACES[1]),
        (timedelta(days=40), PACES[2]),
    ],
)
def test_long_rounds_are_read_at_a_coarser_pace(span: timedelta, pace: timedelta) -> None:
    assert stretches(START, START + span).pace == pace


def confirmed(story: Story, tried: Event) -> Counted:
    known = Example(tried.aggregate_id)
    for event in (tried, story.resolved(tried, validation_pb2.RESOLUTION_CORRECT, "negative")):
        known = known.with_event(event.aggregate_version, decode(event.message))
    return counted(known, DEFAULT_RULE)


def test_an_authors_error_stands_at_its_resolution_and_is_known_by_its_try(new_story: NewStory) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", "negative"], story.new_id())
    story.now += timedelta(minutes=5)
    shares = dict(author_history_shares(confirmed(story, tried)))
    fine = {key.bucket_start: counts for key, counts in shares.items() if key.pace == 10}
    at_try, at_resolution = (fine[start] for start in sorted(fine))
    assert at_try == AuthorHistoryCounts(
        decided=1, fooled=1, confirmed=1, fooled_resolved=1, fooled_confirmed=1
    )
    assert at_resolution == AuthorHistoryCounts(errors=1)
    assert {key.pace for key in shares} == {10, 3_600, 86_400}


def test_no_error_stands_before_its_try(new_story: NewStory) -> None:
    """Votes of an import may be years older than the import."""
    story = new_story()
    tried = story.tried("negative", ["positive", "negative"], story.new_id())
    made_at = story.now
    story.now -= timedelta(days=900)
    starts = {key.bucket_start for key, _ in history_shares(confirmed(story, tried)) if key.pace == 10}
    assert min(starts) >= bucket_start(made_at - timedelta(seconds=20))


def test_a_try_without_a_verdict_is_in_no_authors_time_series(new_story: NewStory) -> None:
    story = new_story()
    asked = story.asked(["positive", "negative"], story.new_id())
    known = Example(asked.aggregate_id).with_event(1, decode(asked.message))
    assert list(author_history_shares(counted(known, DEFAULT_RULE))) == []
