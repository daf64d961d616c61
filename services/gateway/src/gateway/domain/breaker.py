"""A circuit breaker: while a model keeps failing, callers get an error at once instead of waiting for it.

Closed until `failures` calls in a row fail; then open for `open_seconds`; then half open, which lets one request
through. Its success closes the breaker, its failure opens it again. A probe whose outcome never comes is replaced after
`open_seconds`, so that a lost request cannot keep the breaker half open.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class BreakerState(StrEnum):
    """The breaker's state, which decides on the next request."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half open"


@dataclass(frozen=True)
class BreakerReport:
    """The breaker as callers see it."""

    state: BreakerState
    failures_in_a_row: int
    retry_after_seconds: float


class CircuitBreaker:
    """Counts the failures of one model. `monotonic` tells the time in seconds."""

    def __init__(self, failures: int, open_seconds: float, monotonic: Callable[[], float]) -> None:
        self._limit = failures
        self._open_seconds = open_seconds
        self._monotonic = monotonic
        self._failures = 0
        self._closed_until_probe: float | None = None

    def admit(self) -> bool:
        """Return whether a request may pass; in a half-open breaker the first one does."""
        if self._closed_until_probe is None:
            return True
        now = self._monotonic()
        if now < self._closed_until_probe:
            return False
        self._closed_until_probe = now + self._open_seconds
        return True

    def succeeded(self) -> None:
        """Note a call that was answered."""
        self._failures = 0
        self._closed_until_probe = None

    def failed(self) -> None:
        """Note a call that was not."""
        self._failures += 1
        if self._failures >= self._limit:
            self._closed_until_probe = self._monotonic() + self._open_seconds

    def report(self) -> BreakerReport:
        """Return the state for `GET /models/{name}`."""
        if self._closed_until_probe is None:
            return BreakerReport(BreakerState.CLOSED, self._failures, 0.0)
        left = self._closed_until_probe - self._monotonic()
        state = BreakerState.OPEN if left > 0 else BreakerState.HALF_OPEN
        return BreakerReport(state, self._failures, max(left, 0.0))
