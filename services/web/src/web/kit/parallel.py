"""Reading many parts of a page at the same time, all within one span: what is late or refused is left out.

A page of many parts would else be as slow as its slowest service, and as broken as the one that is down. A read that
is late goes on by itself until its own timeout; its answer is dropped.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as LateError
from time import monotonic
from types import TracebackType
from typing import Generic, Self, TypeVar

from dynabench_common.logging import get_logger

from web.kit.outcomes import optional

log = get_logger(__name__)
Value = TypeVar("Value")
AT_ONCE = 20
MOST_AT_ONCE = 8
WITHIN_SECONDS = 4.0


class Part(Generic[Value]):
    """A part of a page that is being read."""

    def __init__(self, reading: Future[Value | None], until: float) -> None:
        self._reading = reading
        self._until = until

    def value(self) -> Value | None:
        """Return the part once it is there; None if it can't be had, or not in time."""
        try:
            return self._reading.result(timeout=max(0.0, self._until - monotonic()))
        except LateError:
            log.warning("page_part_late")
            return None


class ParallelFetch:
    """The reads of one page, which begin as they are asked for and have `within_seconds` together."""

    def __init__(self, within_seconds: float = WITHIN_SECONDS) -> None:
        self._pool = ThreadPoolExecutor(AT_ONCE)
        self._until = monotonic() + within_seconds

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def read(self, part: Callable[[], Value]) -> Part[Value]:
        """Begin to read a part."""
        return Part(self._pool.submit(optional, part), self._until)


def optional_all(reads: Sequence[Callable[[], Value]]) -> list[Value | None]:
    """Read several such parts at the same time, in the order asked for."""
    if not reads:
        return []
    with ThreadPoolExecutor(min(MOST_AT_ONCE, len(reads))) as pool:
        return list(pool.map(optional, reads))
