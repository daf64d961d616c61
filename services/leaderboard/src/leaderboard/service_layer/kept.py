"""Answers that are worked out once per revision of a round, however many people watch.

A page that polls asks for the revision alone, one row by its key. What lies behind it is kept in this process until
the revision moves on. Readers who ask while an answer is being worked out wait for that one.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, Protocol, TypeVar
from uuid import UUID

AT_ONCE = 8


class Revised(Protocol):
    """An answer that knows of which revision it is."""

    @property
    def revision(self) -> UUID:
        """Return the round's revision."""


Answer = TypeVar("Answer", bound=Revised)


class Kept(Generic[Answer]):
    """The newest answers by key; safe to share between threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._answers: OrderedDict[Hashable, Answer] = OrderedDict()
        self._lock = Lock()
        self._at_work = [Lock() for _ in range(AT_ONCE)]

    def get(self, key: Hashable, revision: UUID, make: Callable[[], Answer]) -> Answer:
        """Return the answer of this revision or a newer one, made if there is none."""
        held = self._answers.get(key)
        if held is not None and held.revision == revision:
            return held
        with self._at_work[hash(key) % AT_ONCE]:
            fresh = self._answers.get(key)
            if fresh is not None and fresh is not held:
                return fresh
            answer = make()
            self._keep(key, answer)
            return answer

    def _keep(self, key: Hashable, answer: Answer) -> None:
        with self._lock:
            self._answers[key] = answer
            self._answers.move_to_end(key)
            while len(self._answers) > self._most:
                self._answers.popitem(last=False)
