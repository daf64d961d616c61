"""Removal of rows that the shared infrastructure no longer needs, in bounded batches, by one worker of a service.

An inbox row is needed while its event may come again. That is as long as a broker that was away may deliver events
again, and longer than any restart of a worker takes. Later repeats come from a rebuild, a record sent again by hand, or
a group that lost its offsets. For those, the versions in the rows that events write prevent a second effect. A stored
reply is needed while its client may retry.
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Engine, text

from dynabench_common.work.leader import LockKey
from dynabench_common.work.worker import Every

MOST_ROWS = 5_000
PAUSE_SECONDS = 60.0
PAUSE_BETWEEN_STEPS_SECONDS = 0.5


@dataclass(frozen=True)
class Kept:
    """The retention of a table's rows, counted from the time in a column that has an index."""

    column: str
    time: timedelta


SENT_EVENTS = {"outbox": Kept("sent_at", timedelta(days=7))}
TAKEN_EVENTS = {"inbox": Kept("taken_at", timedelta(days=30))}
REPLIES = {"idempotency": Kept("created_at", timedelta(hours=48))}


class Pruning:
    """Removes old rows periodically; a worker's component."""

    name = "pruning"

    def __init__(self, engine: Engine, *tables: Mapping[str, Kept], most_rows: int = MOST_ROWS) -> None:
        self._engine = engine
        self._tables = {table: kept for some in tables for table, kept in some.items()}
        self._most_rows = most_rows

    def run(self, stop: threading.Event) -> None:
        """Prune until `stop`."""
        Every(self.name, PAUSE_SECONDS, self._has_more, busy_seconds=PAUSE_BETWEEN_STEPS_SECONDS).run(stop)

    def _has_more(self) -> bool:
        return self._most_rows in self.step()

    def step(self) -> Sequence[int]:
        """Remove a batch of rows from each table and return the number; none while another worker prunes."""
        return [self._prune(table, kept) for table, kept in self._tables.items()]

    def _prune(self, table: str, kept: Kept) -> int:
        old = (
            f"SELECT ctid FROM {table} WHERE {kept.column} < now() - :kept ORDER BY {kept.column} LIMIT :most"
        )
        statement = text(f"DELETE FROM {table} WHERE ctid = ANY(ARRAY({old}))")
        with self._engine.begin() as connection:
            is_first = text("SELECT pg_try_advisory_xact_lock(:key)")
            if not connection.execute(is_first, {"key": LockKey.PRUNING}).scalar_one():
                return 0
            return connection.execute(statement, {"kept": kept.time, "most": self._most_rows}).rowcount
