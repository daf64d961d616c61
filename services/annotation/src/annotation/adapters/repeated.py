"""Periodic work of the worker, independent of events."""

import threading
from collections.abc import Callable

from dynabench_common.logging import get_logger
from sqlalchemy.exc import SQLAlchemyError

log = get_logger(__name__)


class Repeated:
    """A worker's component; several may do the same at once, and an outage of the database only postpones it.

    `step` tells how much it did; that is logged as `event`. It rests `seconds` in between.
    """

    def __init__(self, name: str, event: str, step: Callable[[], int], seconds: float) -> None:
        self.name = name
        self._event = event
        self._step = step
        self._seconds = seconds

    def run(self, stop: threading.Event) -> None:
        """Repeat the step until `stop`."""
        while not stop.is_set():
            try:
                done = self._step()
            except SQLAlchemyError as err:
                log.warning("postponed", component=self.name, reason=repr(err))
                done = 0
            if done:
                log.warning(self._event, rounds=done)
            stop.wait(self._seconds)
