"""Deadlines of authors' decisions: settle those left undecided when their time is over.

A deadline passes without an event that the leaderboard could see.
"""

import threading
from collections.abc import Callable

from dynabench_common.logging import get_logger
from sqlalchemy.exc import SQLAlchemyError

log = get_logger(__name__)
INTERVAL_SECONDS = 60


class OverdueDecisions:
    """A worker's component; several share the work, and an outage of the database only postpones it."""

    name = "overdue decisions"

    def __init__(self, step: Callable[[], int]) -> None:
        self._step = step

    def run(self, stop: threading.Event) -> None:
        """Repeat `step`, which says how many tries it decided, while there are some, and every minute until `stop`."""
        while not stop.is_set():
            try:
                decided = self._step()
            except SQLAlchemyError as err:
                log.warning("decisions_postponed", reason=repr(err))
                decided = 0
            if decided:
                log.info("overdue_tries_decided", tries=decided)
            elif stop.wait(INTERVAL_SECONDS):
                return
