"""The course of a round."""

from datetime import UTC, datetime, timedelta

import pytest
from leaderboard.domain.history import BUCKET, MOST_POINTS, HistoryCounts, bucket_start, points, stride

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def test_a_bucket_starts_at_a_whole_ten_seconds() -> None:
    assert bucket_start(START + timedelta(seconds=19.9)) == START + timedelta(seconds=10)


@pytest.mark.parametrize("buckets", [1, 199, 200, 201, 1000, 260_000])
def test_no_course_has_more_points_than_a_page_shows(buckets: int) -> None:
    length = stride(START, START + BUCKET * (buckets - 1))
    assert length % BUCKET == timedelta()
    merged = {(BUCKET * number) // length for number in range(buckets)}
    assert len(merged) <= MOST_POINTS


def test_points_add_up() -> None:
    stretches = [
        (START, HistoryCounts(4, 2, 0)),
        (START + 5 * BUCKET, HistoryCounts(0, 0, 1)),
        (START + 6 * BUCKET, HistoryCounts(4, 0, 1)),
    ]
    course = points(stretches, BUCKET)
    assert [(point.decided, point.fooled, point.errors) for point in course] == [
        (4, 2, 0),
        (4, 2, 1),
        (8, 2, 2),
    ]
    assert [point.vmer for point in course] == [0.0, 0.25, 0.25]
    assert course[-1].mer == 0.25
    assert course[0].at == START + BUCKET


def test_errors_before_any_try_have_no_rate() -> None:
    [point] = points([(START, HistoryCounts(errors=1))], BUCKET)
    assert (point.mer, point.vmer) == (None, None)
