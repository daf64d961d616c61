"""The lead of the reconciler: one is active among any number of workers.

A leader may lose its connection without noticing, and does no harm. Each leader has a higher number than the one
before, and agents obey only the highest number they have seen.
"""

import select as waiting
import threading
from collections.abc import Callable
from typing import Any

from dynabench_common.telemetry.logging import get_logger
from dynabench_common.work.leader import Leader, LockKey
from sqlalchemy import Connection, Engine, text

from registry.adapters.serving_states import beat, take_over
from registry.adapters.worker_use import CHANNEL
from registry.service_layer.reconciler import Reconciler

log = get_logger(__name__)
PAUSE_SECONDS = 1.0
DRAIN_SECONDS = 9.0


def reconciling(engine: Engine, make: Callable[[int], Reconciler]) -> Leader:
    """Return a worker's component; `make` returns the reconciler with the number that it leads by."""

    def lead(connection: Connection, stop: threading.Event) -> None:
        connection.execute(text(f"LISTEN {CHANNEL}"))
        epoch = take_over(connection)
        _make_passes(connection, stop, epoch, make(epoch))

    return Leader("reconciler", engine, LockKey.REGISTRY_RECONCILER, lead)


def _make_passes(connection: Connection, stop: threading.Event, epoch: int, reconciler: Reconciler) -> None:
    log.info("reconciler_leads", epoch=epoch)
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
