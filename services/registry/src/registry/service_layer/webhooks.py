"""Webhooks: one call to the submitter's address for each change of a step, retried for a day.

A retried call may arrive after later ones. `at` in each body is the time of the change.
"""

import threading
from datetime import timedelta

from dynabench_common.clock import Clock
from dynabench_common.logging import get_logger

from registry.adapters.webhook_calls import SqlCalls, WebhookSender
from registry.domain.errors import CallFailed

log = get_logger(__name__)
LOOK_SECONDS = 1.0
MOST_ATTEMPTS = 8
FIRST_PAUSE_SECONDS = 5.0


class WebhookCaller:
    """Sends what is due; a worker's component."""

    def __init__(self, number: int, calls: SqlCalls, deliver: WebhookSender, clock: Clock) -> None:
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
