"""Cache of answers, each computed once per revision of a round for any number of readers.

A page that polls reads only the revision, one row by its key. This process caches the answer until the revision
changes. Concurrent readers wait for the same computation. After a change of the revision, a new reader does not take
the older answer: another process may already have shown this reader the newer one.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock, Thread
from typing import Generic, Protocol, TypeVar
from uuid import UUID

from dynabench_common.telemetry.logging import get_logger

log = get_logger(__name__)
AT_ONCE = 8
SLOW_SECONDS = 0.1
BEHIND_SECONDS = 5.0


class Revised(Protocol):
    """An answer that knows of which revision it is."""

    @property
    def revision(self) -> UUID:
        """Return the round's revision."""


Answer = TypeVar("Answer", bound=Revised)


@dataclass(slots=True)
class _Cached(Generic[Answer]):
    """A cached answer. Readers before `stands_until` get it at any revision; at `newest_at` it was known as newest."""

    answer: Answer
    stands_until: float
    work: float
    newest_at: float


class RevisionCache(Generic[Answer]):
    """The newest answers by key; safe to share between threads.

    With `rest_per_work`, an answer that took longer than SLOW_SECONDS stays valid for that many times its computing
    time, also at a new revision. In a large round each try makes one, and polling readers would keep a processor busy.
    With `in_background`, readers of a slow answer get it while a thread computes the next one. If it was last known
    as the newest over BEHIND_SECONDS ago, they wait.
    """

    def __init__(
        self,
        most: int,
        rest_per_work: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
        *,
        in_background: bool = False,
    ) -> None:
        self._most = most
        self._rest_per_work = rest_per_work
        self._clock = clock
        self._in_background = in_background
        self._begun: set[Hashable] = set()
        self._answers: OrderedDict[Hashable, _Cached[Answer]] = OrderedDict()
        self._lock = Lock()
        self._at_work = [Lock() for _ in range(AT_ONCE)]

    def get(self, key: Hashable, revision: UUID, make: Callable[[], Answer]) -> Answer:
        """Return the answer of this revision or a newer one, or a cached one still valid; compute it if needed."""
        came = self._clock()
        cached = self._answers.get(key)
        if cached is not None:
            if cached.answer.revision == revision:
                cached.newest_at = came
                return cached.answer
            if came < cached.stands_until:
                return cached.answer
            if (
                self._in_background
                and cached.work > SLOW_SECONDS
                and came - cached.newest_at < BEHIND_SECONDS
            ):
                self._begin(key, make)
                return cached.answer
        with self._at_work[hash(key) % AT_ONCE]:
            fresh = self._answers.get(key)
            if fresh is not None and (fresh.answer.revision == revision or came < fresh.stands_until):
                return fresh.answer
            return self._make(key, make)

    def newest(self, key: Hashable) -> Answer | None:
        """Return the last computed answer, of any revision, if it is still cached."""
        cached = self._answers.get(key)
        return None if cached is None else cached.answer

    def _begin(self, key: Hashable, make: Callable[[], Answer]) -> None:
        """Start a thread that computes the next answer, one at a time for each key."""
        with self._lock:
            if key in self._begun:
                return
            self._begun.add(key)
        Thread(target=self._make_behind, args=(key, make), name="next-revision", daemon=True).start()

    def _make_behind(self, key: Hashable, make: Callable[[], Answer]) -> None:
        try:
            with self._at_work[hash(key) % AT_ONCE]:
                self._make(key, make)
        except Exception as err:
            log.warning("next_revision_failed", key=str(key), reason=str(err)[:300])
        finally:
            with self._lock:
                self._begun.discard(key)

    def _make(self, key: Hashable, make: Callable[[], Answer]) -> Answer:
        began = self._clock()
        answer = make()
        now = self._clock()
        work = now - began
        rests = self._rest_per_work > 0 and work > SLOW_SECONDS
        until = now + work * self._rest_per_work if rests else began
        with self._lock:
            self._answers[key] = _Cached(answer, until, work, began)
            self._answers.move_to_end(key)
            while len(self._answers) > self._most:
                self._answers.popitem(last=False)
        return answer
