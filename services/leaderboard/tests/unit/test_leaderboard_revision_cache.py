"""Answers are cache while their revision lasts; slow ones for a rest beyond it."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from uuid import UUID, uuid4

import pytest
from dynabench_common.testing import wait_until
from leaderboard.queries.revision_cache import BEHIND_SECONDS, SLOW_SECONDS, RevisionCache


@dataclass(frozen=True)
class Numbered:
    revision: UUID
    number: int


class Maker:
    """Makes numbered answers, each in so many seconds of its own clock."""

    def __init__(self, seconds: float) -> None:
        self.now, self.made = 0.0, 0
        self._seconds = seconds

    def clock(self) -> float:
        return self.now

    def answer(self, revision: UUID) -> Numbered:
        self.made += 1
        self.now += self._seconds
        return Numbered(revision, self.made)


def numbers(maker: Maker, cache: RevisionCache[Numbered], *waits: float) -> list[int]:
    """Ask once, and again after each wait, when the revision has moved on each time."""
    found = []
    for wait in (0.0, *waits):
        maker.now += wait
        revision = uuid4()
        found.append(cache.get("key", revision, partial(maker.answer, revision)).number)
    return found


def test_a_revision_is_worked_out_once() -> None:
    maker = Maker(1.0)
    cache: RevisionCache[Numbered] = RevisionCache(2, clock=maker.clock)
    revision = uuid4()
    assert [cache.get("key", revision, lambda: maker.answer(revision)).number for _ in range(3)] == [1, 1, 1]


def test_without_a_rest_every_revision_is_worked_out() -> None:
    maker = Maker(1.0)
    assert numbers(maker, RevisionCache(2, clock=maker.clock), 0.0, 0.0) == [1, 2, 3]


def test_a_slow_answer_stands_for_its_rest() -> None:
    maker = Maker(1.0)
    assert numbers(maker, RevisionCache(2, 9.0, maker.clock), 8.9, 0.2, 8.9) == [1, 1, 2, 2]


@pytest.mark.parametrize("seconds", [0.0, SLOW_SECONDS])
def test_a_quick_answer_is_always_of_the_moment(seconds: float) -> None:
    maker = Maker(seconds)
    assert numbers(maker, RevisionCache(2, 9.0, maker.clock), 0.0, 0.0) == [1, 2, 3]


def test_who_comes_after_the_revision_moved_on_is_not_given_the_one_before() -> None:
    cache: RevisionCache[Numbered] = RevisionCache(2)
    older, newer = uuid4(), uuid4()
    begun, go_on = threading.Event(), threading.Event()

    def slow() -> Numbered:
        begun.set()
        assert go_on.wait(30)
        return Numbered(older, 1)

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(cache.get, "key", older, slow)
        assert begun.wait(30)
        second = pool.submit(cache.get, "key", newer, lambda: Numbered(newer, 2))
        go_on.set()
        assert (first.result().number, second.result().number) == (1, 2)


def test_a_slow_answer_is_given_while_the_next_is_made_behind_it() -> None:
    maker = Maker(1.0)
    cache: RevisionCache[Numbered] = RevisionCache(2, clock=maker.clock, in_background=True)
    first, second = uuid4(), uuid4()
    assert cache.get("key", first, partial(maker.answer, first)).number == 1
    made = threading.Event()

    def next_one() -> Numbered:
        assert made.wait(30)
        return maker.answer(second)

    assert [cache.get("key", second, next_one).number for _ in range(3)] == [1, 1, 1]
    made.set()
    wait_until(lambda: cache.newest("key") == Numbered(second, 2), 30, "the next answer")
    assert cache.get("key", second, next_one).number == 2
    assert maker.made == 2


def test_an_answer_that_is_long_of_the_past_is_waited_for() -> None:
    maker = Maker(1.0)
    cache: RevisionCache[Numbered] = RevisionCache(2, clock=maker.clock, in_background=True)
    assert numbers(maker, cache, BEHIND_SECONDS + 1) == [1, 2]


def test_a_failure_behind_is_told_to_who_waits_for_an_answer() -> None:
    maker = Maker(1.0)
    cache: RevisionCache[Numbered] = RevisionCache(2, clock=maker.clock, in_background=True)
    revision = uuid4()
    cache.get("key", revision, partial(maker.answer, revision))
    tried = threading.Event()

    def failing() -> Numbered:
        tried.set()
        raise OSError("no database")

    assert cache.get("key", uuid4(), failing).number == 1
    assert tried.wait(30)
    maker.now += BEHIND_SECONDS + 1
    with pytest.raises(OSError, match="no database"):
        cache.get("key", uuid4(), failing)
