"""A cache of answers that are worked out once per revision of a round, however many people watch.

A page that polls asks for the revision alone, one row by its key. What lies behind it stays in this process until
the revision moves on. Readers who ask while an answer is being worked out wait for that one, unless the revision moved
on before they came: another process may have shown them the newer one already.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, NamedTuple, Protocol, TypeVar
from uuid import UUID

AT_ONCE = 8
SLOW_SECONDS = 0.1


class Revised(Protocol):
    """An answer that knows of which revision it is."""

    @property
    def revision(self) -> UUID:
        """Return the round's revision."""


Answer = TypeVar("Answer", bound=Revised)


class _Cached(NamedTuple, Generic[Answer]):
    """`stands_until`: who came before is given the answer, whatever revision they saw."""

    answer: Answer
    stands_until: float


class RevisionCache(Generic[Answer]):
    """The newest answers by key; safe to share between threads.

    With `rest_per_work`, an answer that took longer than SLOW_SECONDS to work out stands that many times as long, also
    when the revision moves on: in a large round each try does, and readers who poll would keep a processor busy.
    """

    def __init__(
        self, most: int, rest_per_work: float = 0.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._rest_per_work = rest_per_work
        self._clock = clock
        self._answers: OrderedDict[Hashable, _Cached[Answer]] = OrderedDict()
        self._lock = Lock()
        self._at_work = [Lock() for _ in range(AT_ONCE)]

    def get(self, key: Hashable, revision: UUID, make: Callable[[], Answer]) -> Answer:
        """Return the answer of this revision or a newer one, made if there is none, or one that still stands."""
        came = self._clock()
        cached = self._answers.get(key)
        if cached is not None and (cached.answer.revision == revision or came < cached.stands_until):
            return cached.answer
        with self._at_work[hash(key) % AT_ONCE]:
            fresh = self._answers.get(key)
            if fresh is not None and (fresh.answer.revision == revision or came < fresh.stands_until):
                return fresh.answer
            began = self._clock()
            answer = make()
            self._store(key, answer, began)
            return answer

    def _store(self, key: Hashable, answer: Answer, began: float) -> None:
        now = self._clock()
        work = now - began
        rests = self._rest_per_work > 0 and work > SLOW_SECONDS
        until = now + work * self._rest_per_work if rests else began
        with self._lock:
            self._answers[key] = _Cached(answer, until)
            self._answers.move_to_end(key)
            while len(self._answers) > self._most:
                self._answers.popitem(last=False)
