"""Parts of a page that are read at the same time: what is late or refused is left out."""

from threading import Barrier, Event

import pytest
from dynabench_client import UnreachableError
from web.kit.parallel import ParallelFetch


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
