"""Leader election: one active reconciler for any number of workers.

A session advisory lock makes its owner the leader. The lock ends with its connection: when the leader dies, another
worker takes over within a second. A leader may lose its connection without noticing, and does no harm. Each leader has
a higher number than the one before, and agents obey only the highest number they have seen.
"""

import select as waiting
import threading
from collections.abc import Callable
from typing import Any

import psycopg2
from dynabench_common.logging import get_logger
from sqlalchemy import Connection, Engine, func, select, text
from sqlalchemy.exc import SQLAlchemyError

from registry.adapters.serving_states import beat, take_over
from registry.adapters.worker_use import CHANNEL
from registry.service_layer.reconciler import Reconciler

log = get_logger(__name__)
LOCK_KEY = 4_731
PAUSE_SECONDS = 1.0
DRAIN_SECONDS = 9.0


class Reconciling:
    """Leads or waits to lead; a worker's component. `make` returns the reconciler with the number that it leads by."""

    name = "reconciler"

    def __init__(self, engine: Engine, make: Callable[[int], Reconciler]) -> None:
        self._engine = engine
        self._make = make

    def run(self, stop: threading.Event) -> None:
        """Reconcile until `stop`; outages of the database are waited out."""
        while not stop.is_set():
            try:
                self._lead(stop)
            except (SQLAlchemyError, psycopg2.Error) as err:
                log.warning("component_interrupted", component=self.name, reason=str(err)[:300])
                stop.wait(PAUSE_SECONDS)

    def _lead(self, stop: threading.Event) -> None:
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            try:
                while not connection.execute(select(func.pg_try_advisory_lock(LOCK_KEY))).scalar_one():
                    if stop.wait(PAUSE_SECONDS):
                        return
                connection.execute(text(f"LISTEN {CHANNEL}"))
                self._make_passes(connection, stop)
            finally:
                connection.invalidate()

    def _make_passes(self, connection: Connection, stop: threading.Event) -> None:
        epoch = take_over(connection)
        log.info("reconciler_leads", epoch=epoch)
        reconciler = self._make(epoch)
        ended = threading.Event()
        passes = threading.Thread(target=reconciler.run, args=(ended,), name="passes", daemon=True)
        passes.start()
        try:
            while not stop.is_set() and passes.is_alive():
                beat(connection, epoch)
                if _is_notified(connection):
                    reconciler.wake()
        finally:
            ended.set()
            reconciler.wake()
            passes.join(DRAIN_SECONDS)


def _is_notified(connection: Connection) -> bool:
    """Wait for a notification, for a second at most; tell whether one came."""
    driver: Any = connection.connection.driver_connection
    if not driver.notifies:
        waiting.select([driver], [], [], PAUSE_SECONDS)
    driver.poll()
    came = bool(driver.notifies)
    driver.notifies.clear()
    return came
