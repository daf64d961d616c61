"""The estimate of an evaluation's time left, from the rate of its finished shards."""

from datetime import UTC, datetime, timedelta

import pytest
from evaluation.domain.evaluations import FinishedShard, seconds_left

START = datetime(2026, 1, 5, 12, tzinfo=UTC)


def shard(requests: int, begun: float, answered: float) -> FinishedShard:
    return FinishedShard(requests, START + timedelta(seconds=begun), START + timedelta(seconds=answered))


@pytest.mark.parametrize(
    ("sentence", "finished", "seconds"),
    [
        ("nothing is told before a shard is answered", [], None),
        ("one shard gives a rate", [shard(100, 0, 10)], 20),
        ("shards one after the other give their mean", [shard(100, 0, 10), shard(100, 10, 40)], 40),
        ("shards side by side count their time once", [shard(100, 0, 10), shard(100, 0, 10)], 10),
        ("shards that overlap count what they share once", [shard(100, 0, 10), shard(100, 5, 15)], 15),
        ("a wait between shards is no work", [shard(100, 0, 10), shard(100, 3600, 3610)], 20),
        ("one shard within another adds requests alone", [shard(100, 0, 30), shard(50, 10, 20)], 40),
        ("a clock that stood still gives no rate", [shard(100, 0, 0)], None),
    ],
)
def test_the_time_left(sentence: str, finished: list[FinishedShard], seconds: float | None) -> None:
    assert seconds_left(200, finished) == (None if seconds is None else pytest.approx(seconds)), sentence


def test_nothing_left_takes_no_time() -> None:
    assert seconds_left(0, [shard(100, 0, 10)]) == 0
