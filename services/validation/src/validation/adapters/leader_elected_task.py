"""A component of a worker of which one instance runs at a time, however many workers there are.

A session advisory lock elects the leader. The lock ends with its connection: when the leader dies, another worker takes
over within a second.
"""

import threading
from collections.abc import Callable

from dynabench_common.logging import get_logger
from sqlalchemy import Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

log = get_logger(__name__)
PAUSE_SECONDS = 1.0


class LeaderElectedTask:
    """Repeats a step while it says that there is more to do, and looks again every second; a worker's component."""

    def __init__(self, name: str, engine: Engine, lock_key: int, step: Callable[[], bool]) -> None:
        self.name = name
        self._engine = engine
        self._lock_key = lock_key
        self._step = step

    def run(self, stop: threading.Event) -> None:
        """Lead or wait to lead, until `stop`; outages of the database are waited out."""
        while not stop.is_set():
            try:
                self._lead(stop)
            except SQLAlchemyError as err:
                log.warning("component_interrupted", component=self.name, reason=str(err)[:300])
                stop.wait(PAUSE_SECONDS)

    def _lead(self, stop: threading.Event) -> None:
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            try:
                while not connection.execute(select(func.pg_try_advisory_lock(self._lock_key))).scalar_one():
                    if stop.wait(PAUSE_SECONDS):
                        return
                while not stop.is_set():
                    connection.execute(select(1))
                    if not self._step():
                        stop.wait(PAUSE_SECONDS)
            finally:
                connection.invalidate()
