"""Limits on visitors' questions: for each address, for all together, and for simultaneous ones.

The counts exist only in the memory of one process, so nothing about the visitors is stored. If several processes share
the limits, each has its part, at least one question. The use is bounded for any number of visitors, so that they
cannot keep a model or a thread from people who take part.
"""

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from dynabench_common.http.concurrency_limit import ConcurrencyLimit

ADDRESS_WINDOW = timedelta(minutes=10)
WINDOW = timedelta(minutes=1)
MOST_AT_ONCE, MOST_AT_ONCE_OF_ADDRESS = 4, 2
MOST_ADDRESSES = 1_000
"""Kept before those whose window has ended are forgotten."""
MOMENT_SECONDS = 1


@dataclass(eq=False)
class TooManyVisitors(Exception):
    """The address, or all strangers together, have asked as often as they may; `of_all` tells which."""

    retry_after_seconds: int
    of_all: bool


@dataclass
class _Count:
    """Questions since `since`."""

    since: datetime
    asked: int = 0

    def wait(self, now: datetime, most: int, window: timedelta) -> int:
        """Return for how many seconds there may be no further question; 0 while there may."""
        left = (self.since + window - now).total_seconds()
        if left <= 0:
            self.since, self.asked = now, 0
        return max(1, math.ceil(left)) if self.asked >= most else 0


@dataclass
class VisitorLimits:
    """At most `of_address` questions of one address in ten minutes, and `of_all` of all addresses in one minute."""

    of_address: int = 20
    of_all: int = 60
    _all: _Count | None = None
    _addresses: dict[str, _Count] = field(default_factory=dict)
    _running: ConcurrencyLimit = field(
        default_factory=lambda: ConcurrencyLimit(MOST_AT_ONCE, MOST_AT_ONCE_OF_ADDRESS)
    )
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def among(cls, processes: int, of_address: int, of_all: int) -> "VisitorLimits":
        """Return one process's share of limits that so many processes have together."""
        return cls(max(of_address // processes, 1), max(of_all // processes, 1))

    @contextmanager
    def question(self, address: str, now: datetime) -> Iterator[None]:
        """Count a question, which is open until the block ends. Raises TooManyVisitors."""
        if not self._running.begin(address):
            raise TooManyVisitors(MOMENT_SECONDS, of_all=True)
        try:
            self._count(address, now)
            yield
        finally:
            self._running.end(address)

    def _count(self, address: str, now: datetime) -> None:
        with self._lock:
            everyone = self._all = self._all or _Count(now)
            if len(self._addresses) >= MOST_ADDRESSES:
                self._forget(now)
            mine = self._addresses.setdefault(address, _Count(now))
            for count, most, window, of_all in (
                (mine, self.of_address, ADDRESS_WINDOW, False),
                (everyone, self.of_all, WINDOW, True),
            ):
                wait = count.wait(now, most, window)
                if wait:
                    raise TooManyVisitors(wait, of_all)
            mine.asked += 1
            everyone.asked += 1

    def _forget(self, now: datetime) -> None:
        """Drop the addresses that may ask as often as new ones."""
        self._addresses = {
            address: count
            for address, count in self._addresses.items()
            if count.asked and now - count.since < ADDRESS_WINDOW
        }
