"""Jobs in tables, worked off under leases.

A lease is in the job's row: `lease_id`, `leased_until`, `attempts` and `state` are columns of its table. A worker
renews it while it works. When a worker dies, its lease expires, and any worker may take the job over. Every write of a
worker needs a valid lease, so a job ends only once. At shutdown a worker gives its job back at once.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, Self
from uuid import UUID

from sqlalchemy import ColumnElement, Connection, Table, or_, select

from dynabench_common.identifiers import new_id
from dynabench_common.telemetry.logging import get_logger
from dynabench_common.work.worker import Every

log = get_logger(__name__)
FREE: Mapping[str, None] = {"lease_id": None, "leased_until": None}


class LeaseLost(Exception):
    """Another worker has taken the job over, or the job has ended."""


@dataclass(frozen=True)
class LeasedJob:
    """A job that this worker has a lease for; `attempts` counts this one too."""

    key: UUID
    lease_id: UUID
    attempts: int


class JobQueue:
    """The jobs of a table whose primary key is one id; `waiting` is the state of those that have not ended."""

    def __init__(self, connection: Connection, table: Table, waiting: str) -> None:
        self._connection = connection
        self._table = table
        self._waiting = waiting
        (self._key,) = table.primary_key.columns

    def claim(self, now: datetime, seconds: float) -> LeasedJob | None:
        """Lease the oldest free job; a subclass may choose another one."""
        oldest = (
            select(self._key)
            .where(self._table.c.state == self._waiting, self.is_free(now))
            .order_by(self._table.c.requested_at, self._key)
            .limit(1)
            .with_for_update(skip_locked=True)
        )
        return self.take(oldest.scalar_subquery(), now, seconds)

    def is_free(self, now: datetime) -> ColumnElement[bool]:
        """Return the condition that no valid lease exists."""
        until = self._table.c.leased_until
        return or_(until.is_(None), until <= now)

    def take(self, key: Any, now: datetime, seconds: float, **values: Any) -> LeasedJob | None:
        """Lease the job with this key, a value or a subquery with a row lock; None where there is none."""
        statement = (
            self._table.update()
            .where(self._key == key)
            .values(
                lease_id=new_id(),
                leased_until=now + timedelta(seconds=seconds),
                attempts=self._table.c.attempts + 1,
                **values,
            )
            .returning(self._key, self._table.c.lease_id, self._table.c.attempts)
        )
        row = self._connection.execute(statement).one_or_none()
        return None if row is None else LeasedJob(*row)

    def renew(self, job: LeasedJob, until: datetime, **seen: Any) -> None:
        """Extend a lease, and store the job's visible progress. Raises LeaseLost."""
        self.settle(job, leased_until=until, **seen)

    def let_go(self, job: LeasedJob, until: datetime) -> None:
        """Schedule another attempt at a job. Raises LeaseLost."""
        self.settle(job, lease_id=None, leased_until=until)

    def give_back(self, job: LeasedJob) -> None:
        """Return a job to the queue; the attempt does not count. Raises LeaseLost."""
        self.settle(job, attempts=job.attempts - 1, **FREE)

    def fail(self, job: LeasedJob, error: Mapping[str, Any]) -> None:
        """End a job without a result. Raises LeaseLost."""
        self.settle(job, state="failed", error=dict(error), **FREE)

    def settle(self, job: LeasedJob, **values: Any) -> None:
        """Write to a job. Raises LeaseLost."""
        statement = self._table.update().where(*self.is_leased(job)).values(values)
        if self._connection.execute(statement).rowcount == 0:
            raise LeaseLost

    def is_leased(self, job: LeasedJob) -> tuple[ColumnElement[bool], ...]:
        """Return the conditions that the lease is valid."""
        table = self._table.c
        return self._key == job.key, table.lease_id == job.lease_id, table.state == self._waiting


class Heartbeat:
    """Renews a lease every `pause_seconds` until the block ends; `show` stores its visible progress."""

    def __init__(self, renew: Callable[[dict[str, Any]], None], pause_seconds: float) -> None:
        self._renew = renew
        self._pause = pause_seconds
        self._ended = threading.Event()
        self._seen: dict[str, Any] = {}
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def show(self, **seen: Any) -> None:
        """Renew at once and store the visible progress. Raises LeaseLost."""
        self._seen = seen
        self._renew(seen)

    def _run(self) -> None:
        while not self._ended.wait(self._pause):
            try:
                self._renew(self._seen)
            except LeaseLost:
                return
            except Exception as err:
                log.warning("lease_not_renewed", reason=f"{type(err).__name__}: {err}"[:300])


class JobRunner(ABC):
    """A component of a worker that works off one job at a time; several may run in one process."""

    def __init__(self, name: str, pause_seconds: float = 1.0) -> None:
        """`pause_seconds` is the pause between two looks for a job."""
        self.name = name
        self._pause_seconds = pause_seconds
        self._current: LeasedJob | None = None

    @abstractmethod
    def claim(self) -> LeasedJob | None:
        """Lease a job."""

    @abstractmethod
    def work_off(self, job: LeasedJob) -> None:
        """Work a job off as far as possible. Raises LeaseLost."""

    @abstractmethod
    def give_back(self, job: LeasedJob) -> None:
        """Release the job for another worker. Raises LeaseLost."""

    def run(self, stop: threading.Event) -> None:
        """Work until `stop`."""
        threading.Thread(target=self._stopped, args=(stop,), name=f"{self.name} stop", daemon=True).start()
        Every(self.name, self._pause_seconds, self.turn).run(stop)

    def turn(self) -> bool:
        """Process one job, if there is one; return whether there was."""
        job = self.claim()
        if job is None:
            return False
        self._current = job
        try:
            self.attempt(job)
        finally:
            self._current = None
        return True

    def attempt(self, job: LeasedJob) -> None:
        """Work a job off as far as possible; stop if another worker has taken it over."""
        try:
            self.work_off(job)
        except LeaseLost:
            log.info("job_taken_over", component=self.name, key=str(job.key))

    def _stopped(self, stop: threading.Event) -> None:
        """Wait for `stop`, and give back the job of that moment."""
        stop.wait()
        job = self._current
        if job is None:
            return
        try:
            self.give_back(job)
        except LeaseLost:
            return
        except Exception as err:
            reason = f"{type(err).__name__}: {err}"[:300]
            log.warning("job_not_given_back", component=self.name, reason=reason)
            return
        log.info("job_given_back", component=self.name, key=str(job.key))
