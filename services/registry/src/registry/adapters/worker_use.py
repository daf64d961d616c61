"""Demand for workers in the database: written by processes that serve HTTP, read by the reconciler."""

import threading
import time
from collections.abc import Callable, Mapping
from datetime import timedelta

from sqlalchemy import Engine, func, select
from sqlalchemy.dialects.postgresql import insert

from registry.adapters.serving_tables import worker_use

CHANNEL = "worker_use"
"""Notification channel; the payload is the serving name of requested workers."""
WRITTEN_EVERY_SECONDS = 1.0
KEPT = timedelta(days=30)


class SqlWorkerUse:
    """Notes when workers were asked for last, at most once a second each, and wakes the reconciler."""

    def __init__(self, engine: Engine, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._engine = engine
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._written: dict[str, float] = {}

    def note(self, serving_name: str) -> None:
        """Note that somebody asks for them now."""
        now = self._monotonic()
        with self._lock:
            if now - self._written.get(serving_name, float("-inf")) < WRITTEN_EVERY_SECONDS:
                return
            self._written[serving_name] = now
        row = insert(worker_use).values(serving_name=serving_name, used_at=func.now())
        latest = func.greatest(worker_use.c.used_at, row.excluded.used_at)
        try:
            with self._engine.begin() as connection:
                connection.execute(
                    row.on_conflict_do_update(index_elements=["serving_name"], set_={"used_at": latest})
                )
                connection.execute(worker_use.delete().where(worker_use.c.used_at < func.now() - KEPT))
                connection.execute(select(func.pg_notify(CHANNEL, serving_name)))
        except Exception:
            self._written.pop(serving_name, None)
            raise

    def ages(self) -> Mapping[str, float]:
        """Return by serving name how many seconds ago they were asked for."""
        age = func.extract("epoch", func.clock_timestamp() - worker_use.c.used_at)
        with self._engine.connect() as connection:
            rows = connection.execute(select(worker_use.c.serving_name, age.label("age"))).all()
        return {row.serving_name: float(row.age) for row in rows}
