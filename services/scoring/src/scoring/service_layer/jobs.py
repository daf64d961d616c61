"""Job execution: take a lease, run the job under a heartbeat, end it once.

At shutdown a worker returns its job at once, so that another worker can take it over without a wait. Later writes of
the first worker fail, since its lease is gone.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Generic, TypeVar

from dynabench_common.logging import get_logger

from scoring.adapters.unit_of_work import ScoringUnitOfWork
from scoring.adapters.work_queue import Held, WorkQueue
from scoring.domain.errors import LeaseLost, ReleaseRefused, RoundUnknown
from scoring.service_layer.dependencies import Dependencies
from scoring.service_layer.heartbeat import Heartbeat

log = get_logger(__name__)
LEASE_SECONDS = 30.0
MOST_ATTEMPTS = 5
PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 60.0
GAVE_UP = {
    "kind": "gave-up",
    "detail": f"The work failed {MOST_ATTEMPTS} times; the log of the worker says why.",
    "remedy": "Ask again later, or tell an operator.",
}


App = TypeVar("App", bound=Dependencies)


@dataclass(frozen=True)
class Job(Generic[App]):
    """A kind of job.

    `work` does a job and ends it; it raises ReleaseRefused and RoundUnknown if that can't be done. `fail` ends a job
    without a result, by default in its queue.
    """

    name: str
    queue: Callable[[ScoringUnitOfWork], WorkQueue]
    work: Callable[[Held, Heartbeat, App], None]
    fail: Callable[[Held, Mapping[str, Any], App], None] | None = None


class JobRunner(Generic[App]):
    """Works one kind of job off; a worker's component, of which several may run in one process."""

    def __init__(self, job: Job[App], app: App, lease_seconds: float = LEASE_SECONDS) -> None:
        self.name = job.name
        self._job = job
        self._app = app
        self._lease_seconds = lease_seconds
        self._in_hand: Held | None = None

    def run(self, stop: threading.Event) -> None:
        """Work until `stop`; an outage of the database is waited out."""
        threading.Thread(target=self._stopped, args=(stop,), name=f"{self.name} stop", daemon=True).start()
        while not stop.is_set():
            try:
                had_work = self.turn()
            except Exception as err:
                log.warning(
                    "jobs_interrupted", component=self.name, reason=f"{type(err).__name__}: {err}"[:300]
                )
                had_work = False
            if not had_work:
                stop.wait(PAUSE_SECONDS)

    def turn(self) -> bool:
        """Take one job, if there is one, and bring it as far as it goes; tell whether there was one."""
        held = self.claim()
        if held is None:
            return False
        self._in_hand = held
        try:
            self.attempt(held)
        finally:
            self._in_hand = None
        return True

    def claim(self) -> Held | None:
        """Hold the oldest job that nobody holds."""
        with self._app.unit_of_work() as uow:
            held = self._job.queue(uow).claim(self._app.clock.now(), self._lease_seconds)
            uow.commit()
            return held

    def attempt(self, held: Held) -> None:
        """Bring a held job as far as it goes; if another worker has it by now, leave it."""
        try:
            self._attempt(held)
        except LeaseLost:
            log.info("job_taken_over", component=self.name, key=str(held.key))

    def _attempt(self, held: Held) -> None:
        if held.attempts > MOST_ATTEMPTS:
            self._fail(held, GAVE_UP)
            return
        try:
            with Heartbeat(lambda seen: self._renew(held, seen), self._lease_seconds) as beat:
                self._job.work(held, beat, self._app)
        except LeaseLost:
            raise
        except ReleaseRefused as err:
            self._fail(held, {"kind": err.kind, "detail": err.text, "remedy": err.remedy, **err.facts})
        except RoundUnknown:
            self._fail(
                held,
                {"kind": "round-not-found", "detail": "The round is unknown.", "remedy": "Check its id."},
            )
        except Exception as err:
            log.warning("job_failed", component=self.name, key=str(held.key), exc_info=err)
            self._let_go(held)

    def _stopped(self, stop: threading.Event) -> None:
        """Wait for `stop`, and give back what is in hand then."""
        stop.wait()
        held = self._in_hand
        if held is None:
            return
        try:
            with self._app.unit_of_work() as uow:
                self._job.queue(uow).give_back(held)
                uow.commit()
        except LeaseLost:
            return
        except Exception as err:
            log.warning(
                "job_not_given_back", component=self.name, reason=f"{type(err).__name__}: {err}"[:300]
            )
            return
        log.info("job_given_back", component=self.name, key=str(held.key))

    def _renew(self, held: Held, seen: Mapping[str, Any]) -> None:
        with self._app.unit_of_work() as uow:
            self._job.queue(uow).renew(
                held, self._app.clock.now() + timedelta(seconds=self._lease_seconds), **seen
            )
            uow.commit()

    def _let_go(self, held: Held) -> None:
        pause = min(PAUSE_SECONDS * 2**held.attempts, LONGEST_PAUSE_SECONDS)
        with self._app.unit_of_work() as uow:
            self._job.queue(uow).let_go(held, self._app.clock.now() + timedelta(seconds=pause))
            uow.commit()

    def _fail(self, held: Held, error: Mapping[str, Any]) -> None:
        if self._job.fail is not None:
            self._job.fail(held, error, self._app)
            return
        with self._app.unit_of_work() as uow:
            self._job.queue(uow).fail(held, error)
            uow.commit()
