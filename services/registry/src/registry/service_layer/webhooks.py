"""Webhooks: one call to the submitter's address for each change of a step, retried for a day.

A retried call may arrive after later ones. `at` in each body is the time of the change.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

from dynabench_common.clock import Clock
from dynabench_common.logging import get_logger

log = get_logger(__name__)
LOOK_SECONDS = 1.0
MOST_ATTEMPTS = 8
FIRST_PAUSE_SECONDS = 5.0


@dataclass(frozen=True)
class DueCall:
    """A call that is due."""

    id: int
    url: str
    secret: str
    body: Mapping[str, Any]
    attempts: int


class Calls(Protocol):
    """The calls that wait."""

    def take(self, now: datetime, hold_seconds: float) -> DueCall | None:
        """Return the oldest due call, kept from others for so long."""

    def end(self, call: DueCall, now: datetime, outcome: str) -> None:
        """Note how it ended."""

    def try_again(self, call: DueCall, due_at: datetime, outcome: str) -> None:
        """Note what went wrong, and when to try again."""


class CallFailed(Exception):
    """An address could not be called; `is_final` where another try changes nothing."""

    def __init__(self, reason: str, *, is_final: bool) -> None:
        super().__init__(reason)
        self.is_final = is_final


class Deliver(Protocol):
    """Sends a signed body to an address."""

    def __call__(self, url: str, secret: str, body: Mapping[str, Any]) -> None:
        """Send it. Raises CallFailed."""


class WebhookCaller:
    """Sends what is due; a worker's component."""

    def __init__(self, number: int, calls: Calls, deliver: Deliver, clock: Clock) -> None:
        self.name = f"webhooks {number}"
        self._calls = calls
        self._deliver = deliver
        self._clock = clock

    def run(self, stop: threading.Event) -> None:
        """Call until `stop`; an outage of the database is waited out."""
        while not stop.is_set():
            try:
                had_work = self.turn()
            except Exception as err:
                log.warning("webhooks_interrupted", reason=f"{type(err).__name__}: {err}"[:300])
                had_work = False
            if not had_work:
                stop.wait(LOOK_SECONDS)

    def turn(self) -> bool:
        """Make one call, if one is due; tell whether there was one."""
        call = self._calls.take(self._clock.now(), hold_seconds=60.0)
        if call is None:
            return False
        try:
            self._deliver(call.url, call.secret, call.body)
        except CallFailed as err:
            now = self._clock.now()
            if err.is_final or call.attempts >= MOST_ATTEMPTS:
                self._calls.end(call, now, f"given up: {err}")
            else:
                pause = FIRST_PAUSE_SECONDS * 4 ** (call.attempts - 1)
                self._calls.try_again(call, now + timedelta(seconds=pause), str(err))
        else:
            self._calls.end(call, self._clock.now(), "delivered")
        return True
