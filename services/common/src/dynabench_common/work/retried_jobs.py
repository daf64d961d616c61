"""Kinds of jobs in queues: run under a heartbeat, retried with backoff, ended once."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Generic, Protocol, TypeVar

from dynabench_common.clock import Clock
from dynabench_common.telemetry.logging import get_logger
from dynabench_common.work import jobs
from dynabench_common.work.jobs import Heartbeat, JobQueue, LeasedJob, LeaseLost

log = get_logger(__name__)
LEASE_SECONDS = 30.0
BEATS_PER_LEASE = 3
MOST_ATTEMPTS = 5
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 60.0
GAVE_UP = {
    "kind": "gave-up",
    "detail": f"The work failed {MOST_ATTEMPTS} times; the log of the worker says why.",
    "remedy": "Ask again later, or tell an operator.",
}


class Transaction(Protocol):
    """A unit of work."""

    def commit(self) -> None:
        """Make the changes durable."""


class Dependencies(Protocol):
    """The collaborators of jobs; each service has more."""

    @property
    def clock(self) -> Clock:
        """Return the clock."""

    def unit_of_work(self) -> AbstractContextManager[Transaction]:
        """Return the transaction of one command."""


App = TypeVar("App", bound=Dependencies)


@dataclass(frozen=True)
class Job(Generic[App]):
    """A kind of job.

    `queue` returns its queue in a unit of work of `App`. `work` does a job and ends it. `refusal` returns the error of
    a job that cannot be done, or None for an exception that a retry may get over. `fail` ends a job without a result,
    by default in its queue.
    """

    name: str
    queue: Callable[[Any], JobQueue]
    work: Callable[[LeasedJob, Heartbeat, App], None]
    refusal: Callable[[Exception], Mapping[str, Any] | None]
    fail: Callable[[LeasedJob, Mapping[str, Any], App], None] | None = None


class JobRunner(jobs.JobRunner, Generic[App]):
    """Works one kind of job off."""

    def __init__(self, job: Job[App], app: App, lease_seconds: float = LEASE_SECONDS) -> None:
        super().__init__(job.name)
        self._job = job
        self._app = app
        self._lease_seconds = lease_seconds

    def claim(self) -> LeasedJob | None:
        """Lease the oldest job that nobody has."""
        with self._app.unit_of_work() as uow:
            job = self._job.queue(uow).claim(self._app.clock.now(), self._lease_seconds)
            uow.commit()
            return job

    def work_off(self, job: LeasedJob) -> None:
        """Work a job off as far as possible. Raises LeaseLost."""
        if job.attempts > MOST_ATTEMPTS:
            self._fail(job, GAVE_UP)
            return
        try:
            with Heartbeat(
                lambda seen: self._renew(job, seen), self._lease_seconds / BEATS_PER_LEASE
            ) as beat:
                self._job.work(job, beat, self._app)
        except LeaseLost:
            raise
        except Exception as err:
            refused = self._job.refusal(err)
            if refused is not None:
                self._fail(job, refused)
                return
            log.warning("job_failed", component=self.name, key=str(job.key), exc_info=err)
            self._let_go(job)

    def give_back(self, job: LeasedJob) -> None:
        """Let another worker have the job at once. Raises LeaseLost."""
        with self._app.unit_of_work() as uow:
            self._job.queue(uow).give_back(job)
            uow.commit()

    def _renew(self, job: LeasedJob, seen: Mapping[str, Any]) -> None:
        with self._app.unit_of_work() as uow:
            self._job.queue(uow).renew(
                job, self._app.clock.now() + timedelta(seconds=self._lease_seconds), **seen
            )
            uow.commit()

    def _let_go(self, job: LeasedJob) -> None:
        pause = min(FIRST_PAUSE_SECONDS * 2**job.attempts, LONGEST_PAUSE_SECONDS)
        with self._app.unit_of_work() as uow:
            self._job.queue(uow).let_go(job, self._app.clock.now() + timedelta(seconds=pause))
            uow.commit()

    def _fail(self, job: LeasedJob, error: Mapping[str, Any]) -> None:
        if self._job.fail is not None:
            self._job.fail(job, error, self._app)
            return
        with self._app.unit_of_work() as uow:
            self._job.queue(uow).fail(job, error)
            uow.commit()
