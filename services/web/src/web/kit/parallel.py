"""Parallel fetch: the parts of a page are read at the same time, and late or refused ones can be left out.

Without it, a page of many parts would be as slow as their sum, and would fail with any one service. A late read
continues until its own timeout; its answer is dropped.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as LateError
from math import inf
from time import monotonic
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from dynabench_client.results.annotation import Round, Task
from dynabench_common.telemetry.logging import get_logger
from dynabench_common.telemetry.spans import in_this_trace
from flask import Flask, g

from web.kit.dependencies import dependencies, platform
from web.kit.outcomes import optional

log = get_logger(__name__)
Value = TypeVar("Value")
AT_ONCE = 20
WITHIN_SECONDS = 4.0
MOST_KNOWN_ROUNDS = 10_000


class Part(Generic[Value]):
    """A part of a page that is being read."""

    def __init__(self, reading: Future[Value], until: float) -> None:
        self._reading = reading
        self._until = until

    def value(self, within_seconds: float = inf) -> Value | None:
        """Return the part once it is there; None if it can't be had, or not in time.

        `within_seconds` shortens the wait from now on.
        """
        left = min(within_seconds, max(0.0, self._until - monotonic()))
        try:
            return optional(lambda: self._reading.result(timeout=left))
        except LateError:
            log.warning("page_part_late")
            return None

    def needed(self) -> Value:
        """Return the part once it is there. Raises what the read raised: without this part there is no page."""
        return self._reading.result()


class ParallelFetch:
    """Reads that begin as they are asked for; each has `within_seconds` unless the page can't do without it."""

    def __init__(self, within_seconds: float = WITHIN_SECONDS) -> None:
        self._pool = ThreadPoolExecutor(AT_ONCE)
        self._within_seconds = within_seconds

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Cancel the reads that have not begun yet."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def read(self, part: Callable[..., Value], *given: Any, **named: Any) -> Part[Value]:
        """Begin to read a part."""
        reading = self._pool.submit(in_this_trace(part), *given, **named)
        return Part(reading, monotonic() + self._within_seconds)


class PageReads(ParallelFetch):
    """The reads of one request. A repeated call returns the read already begun, so any function may request it.

    For reads only: a later read would not see a write in between.
    """

    def __init__(self) -> None:
        super().__init__()
        self._begun: dict[Hashable, Part[Any]] = {}

    def read(self, part: Callable[..., Value], *given: Any, **named: Any) -> Part[Value]:
        """Begin to read a part, unless it was begun before."""
        key = (type(getattr(part, "__self__", None)), part.__qualname__, given, tuple(sorted(named.items())))
        if key not in self._begun:
            self._begun[key] = super().read(part, *given, **named)
        return self._begun[key]


def install(app: Flask) -> None:
    """Cancel a request's reads when it ends."""
    app.teardown_request(_close)


def page_reads() -> PageReads:
    """Return the reads of the request that is being answered."""
    if "page_reads" not in g:
        g.page_reads = PageReads()
    reads: PageReads = g.page_reads
    return reads


def values_within(parts: Iterable[Part[Value]], seconds: float) -> list[Value | None]:
    """Return several parts after one wait of at most so many seconds; None for each that is not there by then."""
    until = monotonic() + seconds
    return [part.value(max(0.0, until - monotonic())) for part in parts]


def optional_all(reads: Sequence[Callable[[], Value]]) -> list[Value | None]:
    """Read several parts at the same time, in the order asked for; None for each that can't be had."""
    if not reads:
        return []
    with ParallelFetch() as parts:
        begun = [parts.read(read) for read in reads]
        return [part.value() for part in begun]


def _close(_error: BaseException | None) -> None:
    reads: PageReads | None = g.pop("page_reads", None)
    if reads is not None:
        reads.close()


def round_and_task(round_id: str) -> tuple[Round, Task]:
    """Return a round and its task.

    A round belongs to one task for ever, and a task lists its rounds. So a process that has met the round asks for
    the task alone.
    """
    annotation, reads, known = platform().annotation, page_reads(), dependencies().task_of_round
    if round_id in known:
        task = reads.read(annotation.task, known[round_id]).needed()
        listed = next((each for each in task.rounds if each.round_id == round_id), None)
        if listed is not None:
            return listed, task
    found = reads.read(annotation.round, round_id).needed()
    if len(known) >= MOST_KNOWN_ROUNDS:
        known.clear()
    known[round_id] = found.task_slug
    return found, reads.read(annotation.task, found.task_slug).needed()
