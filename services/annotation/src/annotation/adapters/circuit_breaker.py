"""A circuit breaker: after several failures in a row, calls fail at once for a while.

While the other side is down this keeps threads from piling up behind its timeouts. When the pause is over, one call
goes through as a trial. Its outcome closes the circuit or opens it again.
"""

import threading
import time
from collections.abc import Callable


class CircuitOpen(Exception):
    """The other side failed too often just now."""


class CircuitBreaker:
    """Counts failures in a row; safe to share between threads."""

    def __init__(
        self, failures: int = 5, pause_seconds: float = 2.0, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._failures = failures
        self._pause_seconds = pause_seconds
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._failed = 0
        self._trial_at = 0.0

    def enter(self) -> None:
        """Ask to make a call. Raises CircuitOpen."""
        with self._lock:
            if self._failed < self._failures:
                return
            if self._monotonic() < self._trial_at:
                raise CircuitOpen
            self._trial_at = self._monotonic() + self._pause_seconds

    def succeeded(self) -> None:
        """Record an answer of the other side."""
        with self._lock:
            self._failed = 0

    def failed(self) -> None:
        """Record a missing answer."""
        with self._lock:
            self._failed += 1
            self._trial_at = self._monotonic() + self._pause_seconds
