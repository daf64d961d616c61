"""Parts of a page that are read at the same time: what is late or refused is left out."""

from concurrent.futures import Future
from math import inf
from threading import Barrier, Event

import pytest
from dynabench_client import UnreachableError
from web.kit import parallel
from web.kit.dependencies import dependencies
from web.kit.parallel import ParallelFetch, Part, round_and_task, values_within
from web_fake_platform import FakePlatform
from web_visiting import shared_pages


def refused() -> str:
    raise UnreachableError("http://127.0.0.1:1/api/leaderboard/v1", "refused")


def test_parts_are_read_at_the_same_time() -> None:
    both = Barrier(2, timeout=10)
    with ParallelFetch(within_seconds=10) as parts:
        reads = [parts.read(both.wait) for _ in range(2)]
        assert sorted(read.value() or 0 for read in reads) == [0, 1]


def test_what_is_late_or_refused_is_left_out_and_the_rest_is_there() -> None:
    released = Event()
    with ParallelFetch(within_seconds=0.2) as parts:
        here, away = parts.read(lambda: "here"), parts.read(refused)
        assert (here.value(), away.value()) == ("here", None)
        late = parts.read(lambda: released.wait(10))
        assert late.value() is None
    released.set()


def test_a_mistake_of_ours_is_not_hidden() -> None:
    def broken() -> str:
        raise ValueError("a mistake")

    with ParallelFetch() as parts:
        read = parts.read(broken)
        with pytest.raises(ValueError, match="a mistake"):
            read.value()


class LateFuture(Future[str]):
    """A result that never comes; each wait for it moves the clock."""

    def __init__(self, clock: list[float]) -> None:
        super().__init__()
        self._clock = clock

    def result(self, timeout: float | None = None) -> str:
        self._clock[0] += timeout or 0.0
        raise TimeoutError


def test_late_parts_are_waited_for_together(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, here = [100.0], Future[str]()
    monkeypatch.setattr(parallel, "monotonic", lambda: clock[0])
    here.set_result("here")
    futures = (LateFuture(clock), LateFuture(clock), here, LateFuture(clock))
    assert values_within([Part(each, inf) for each in futures], 1.0) == [None, None, "here", None]
    assert clock == [101.0]


def test_a_known_round_is_read_from_the_list_of_its_task(
    fake: FakePlatform, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = shared_pages(fake)
    round_id = fake.loop.round_id
    own, task = f"/api/annotation/v1/rounds/{round_id}", "/api/annotation/v1/tasks/sentiment"

    def read() -> list[str]:
        """Read the round; return the paths that were asked for."""
        del fake.calls[:]
        with app.test_request_context():
            found, its_task = round_and_task(round_id)
        assert (found.round_id, its_task.slug) == (round_id, "sentiment")
        return [path for _, path, _ in fake.calls]

    assert read() == [own, task]
    assert read() == [task]
    listed = fake.loop.task
    monkeypatch.setattr(fake.loop, "task", lambda slug: {**listed(slug), "rounds": []})
    assert read() == [task, own]
    with app.app_context():
        dependencies().task_of_round.clear()
    assert read() == [own, task]
