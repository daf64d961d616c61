"""Job execution: take a lease, run the job under a heartbeat, end it once.

At shutdown a worker returns its job at once, so that another worker can take it over without a wait. Later writes of
the first worker fail, since its lease is gone.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from dynabench_common.clock import Clock
from dynabench_common.logging import get_logger

from scoring.adapters.unit_of_work import MakeUnitOfWork, ScoringUnitOfWork
from scoring.adapters.work_queue import Held, WorkQueue
from scoring.domain.errors import LeaseLost, ReleaseRefused, RoundUnknown
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


class JobRunner(ABC):
    """Works one kind of job off; a worker's component."""

    name: str

    def __init__(self, make_uow: MakeUnitOfWork, clock: Clock, lease_seconds: float = LEASE_SECONDS) -> None:
        self._make_uow = make_uow
        self._clock = clock
        self._lease_seconds = lease_seconds
        self._in_hand: Held | None = None

    @abstractmethod
    def jobs(self, uow: ScoringUnitOfWork) -> WorkQueue:
        """Return the queue."""

    @abstractmethod
    def work(self, held: Held, beat: Heartbeat) -> None:
        """Do a job and end it. Raises ReleaseRefused and RoundUnknown if it can't be done."""

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
        with self._make_uow() as uow:
            held = self.jobs(uow).claim(self._clock.now(), self._lease_seconds)
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
                self.work(held, beat)
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
            with self._make_uow() as uow:
                self.jobs(uow).give_back(held)
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
        with self._make_uow() as uow:
            self.jobs(uow).renew(held, self._clock.now() + timedelta(seconds=self._lease_seconds), **seen)
            uow.commit()

    def _let_go(self, held: Held) -> None:
        pause = min(PAUSE_SECONDS * 2**held.attempts, LONGEST_PAUSE_SECONDS)
        with self._make_uow() as uow:
            self.jobs(uow).let_go(held, self._clock.now() + timedelta(seconds=pause))
            uow.commit()

    def _fail(self, held: Held, error: Mapping[str, Any]) -> None:
        with self._make_uow() as uow:
            self.jobs(uow).fail(held, error)
            uow.commit()
