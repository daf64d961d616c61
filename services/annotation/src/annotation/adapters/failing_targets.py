"""Looks now and then whether an open round has a target that has stopped answering."""

import threading
from collections.abc import Callable

from dynabench_common.logging import get_logger
from sqlalchemy.exc import SQLAlchemyError

log = get_logger(__name__)
INTERVAL_SECONDS = 5


class FailingTargets:
    """A worker's component; several may look at once, and an outage of the database only postpones it."""

    name = "failing targets"

    def __init__(self, step: Callable[[], int]) -> None:
        self._step = step

    def run(self, stop: threading.Event) -> None:
        """Repeat `step`, which says from how many rounds it took a target, until `stop`."""
        while not stop.is_set():
            try:
                lost = self._step()
            except SQLAlchemyError as err:
                log.warning("failing_targets_postponed", reason=repr(err))
                lost = 0
            if lost:
                log.warning("targets_lost", rounds=lost)
            stop.wait(INTERVAL_SECONDS)
