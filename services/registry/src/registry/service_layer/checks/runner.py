"""Runner of checks: takes waiting submissions and runs their steps under a heartbeat.

If a worker is killed, its lease expires, and another one continues the submission from its current step. At shutdown a
worker returns its lease at once. A failure of the platform is retried a few times, and never counts against the
submitter.
"""

import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from dynabench_archives.model_servers import Fault, Pool
from dynabench_common.object_store import ObjectsUnavailable
from dynabench_common.telemetry.logging import get_logger
from dynabench_common.work.jobs import Heartbeat, JobRunner, LeasedJob, LeaseLost

from registry.adapters.unit_of_work import RegistryUnitOfWork
from registry.domain.errors import DecisionPending, DiskFull, StepFailed
from registry.domain.submission import STEPS, Step, StepState, Submission, SubmissionState
from registry.service_layer import submission_events as events
from registry.service_layer.checks import archive_steps, serving_steps
from registry.service_layer.checks.smoke_test import smoke_test
from registry.service_layer.checks.step_run import Outcome, StepRun, storable
from registry.service_layer.dependencies import WorkerDependencies

log = get_logger(__name__)
BEAT_SECONDS = 5.0
LEASE_SECONDS = 2 * BEAT_SECONDS
"""Another worker takes over from a killed one after two missed heartbeats."""
LINES_SECONDS = 1.0
LOOK_SECONDS = 0.5
MOST_ATTEMPTS = 6
LONGEST_PAUSE_SECONDS = 120.0
OUR_REMEDY = (
    "It did not count against your quota. Run the step again later; operators find the cause in the log."
)
StepCheck = Callable[[StepRun, WorkerDependencies], Outcome]
CHECKS: Mapping[Step, StepCheck] = {
    Step.CHECKSUM: archive_steps.checksum,
    Step.OPENED: archive_steps.opened,
    Step.SCANNED: archive_steps.scanned,
    Step.MANIFEST: archive_steps.manifest,
    Step.CONTRACT: serving_steps.contract,
    Step.DEPLOYED: serving_steps.deployed,
    Step.SMOKE_TEST: smoke_test,
    Step.ACCEPTED: serving_steps.accepted,
}


class Checker(JobRunner):
    """Runs the checks of one submission at a time; a worker's component."""

    def __init__(
        self,
        number: int,
        app: WorkerDependencies,
        checks: Mapping[Step, StepCheck] = CHECKS,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        super().__init__(f"checks {number}", LOOK_SECONDS)
        self._app = app
        self._checks = checks
        self._lease_seconds = lease_seconds

    def claim(self) -> LeasedJob | None:
        """Lease a submission, if one waits."""
        with self._app.unit_of_work() as uow:
            job = uow.submissions.claim(self._app.clock.now(), self._lease_seconds)
            uow.commit()
            return job

    def work_off(self, job: LeasedJob) -> None:
        """Run the steps of a submission as far as possible. Raises LeaseLost."""
        try:
            while self._next_step(job):
                pass
        except LeaseLost:
            self._forget_if_ended(job)
            raise

    def give_back(self, job: LeasedJob) -> None:
        """Let another worker have the submission at once. Raises LeaseLost."""
        with self._app.unit_of_work() as uow:
            uow.submissions.checks.let_go(job, self._app.clock.now())
            uow.commit()

    def _next_step(self, job: LeasedJob) -> bool:
        """Run the current step of a submission; return whether another one follows. Raises LeaseLost."""
        run = self._begin(job)
        step = run.submission.step
        if job.attempts > MOST_ATTEMPTS:  # each worker that leased it died during the step
            self._broke(job, run, None)
            return False
        try:
            with self._heartbeat(job, run):
                outcome = self._checks[step](run, self._app)
        except LeaseLost:
            raise
        except DecisionPending:
            self._await_decision(job, run)
            return False
        except StepFailed as err:
            self._failed(job, run, err)
            return False
        except Exception as err:
            log.warning("check_failed", submission_id=str(job.key), step=step, exc_info=err)
            self._broke(job, run, err)
            return False
        return self._passed(job, run, outcome)

    def _begin(self, job: LeasedJob) -> StepRun:
        now = self._app.clock.now()
        with self._app.unit_of_work() as uow:
            submission = uow.submissions.lock_leased(job)
            uow.submissions.set_step(
                submission.submission_id,
                submission.step,
                state=StepState.RUNNING,
                started_at=now,
                beat_at=now,
            )
            self._tell(uow, submission, StepState.RUNNING)
            uow.commit()
        return StepRun(submission, self._app.folder)

    def _passed(self, job: LeasedJob, run: StepRun, outcome: Outcome) -> bool:
        now, step = self._app.clock.now(), run.submission.step
        following = STEPS[STEPS.index(step) + 1 :][:1]
        with self._app.unit_of_work() as uow:
            submission = uow.submissions.lock_leased(job)
            self._store_lines(uow, run)
            uow.submissions.set_step(
                submission.submission_id,
                step,
                state=StepState.PASSED,
                ended_at=now,
                shown=storable(list(outcome.shown)) or None,
            )
            columns = {
                **storable(outcome.columns),
                "attempts": 0,
                **({"step": following[0]} if following else {}),
            }
            submission = uow.submissions.change(submission, **columns)
            self._tell(uow, submission, StepState.PASSED, step)
            if not following:
                self._accept(uow, submission)
            uow.commit()
        return bool(following)

    def _accept(self, uow: RegistryUnitOfWork, submission: Submission) -> None:
        now = self._app.clock.now()
        accepted = uow.submissions.change(
            submission,
            state=SubmissionState.DEPLOYED,
            ended_at=now,
            counted=True,
            lease_id=None,
            leased_until=None,
        )
        record = events.deployed(accepted, accepted.served or {}, accepted.pool or Pool.SHARED, now)
        events.publish(uow, accepted, record)
        self._forget(submission)

    def _await_decision(self, job: LeasedJob, run: StepRun) -> None:
        now = self._app.clock.now()
        with self._app.unit_of_work() as uow:
            submission = uow.submissions.lock_leased(job)
            self._store_lines(uow, run)
            uow.submissions.set_step(submission.submission_id, submission.step, state=StepState.HELD)
            waiting = uow.submissions.change(
                submission, state=SubmissionState.WAITING, lease_id=None, leased_until=None
            )
            self._tell(uow, waiting, StepState.HELD)
            events.publish(uow, waiting, events.awaits_approval(waiting, now))
            uow.commit()
        self._forget(run.submission)

    def _failed(self, job: LeasedJob, run: StepRun, failure: StepFailed) -> None:
        now, fault, reason = self._app.clock.now(), Fault(failure.fault), storable(failure.reason)
        with self._app.unit_of_work() as uow:
            submission = uow.submissions.lock_leased(job)
            step = submission.step
            self._store_lines(uow, run)
            uow.submissions.set_step(
                submission.submission_id,
                step,
                state=StepState.FAILED,
                ended_at=now,
                fault=fault,
                reason=reason,
                remedy=storable(failure.remedy),
            )
            refused = uow.submissions.change(
                submission,
                state=SubmissionState.REFUSED,
                ended_at=now,
                counted=submission.counted or fault is Fault.YOURS,
                lease_id=None,
                leased_until=None,
                **storable(failure.columns),
            )
            if submission.serving_name is not None:
                uow.served.withdraw(submission.serving_name)
            self._tell(uow, refused, StepState.FAILED, fault=fault, reason=reason)
            events.publish(uow, refused, events.refused(refused, step, fault, reason, now))
            uow.commit()
        self._forget(run.submission)

    def _broke(self, job: LeasedJob, run: StepRun, error: Exception | None) -> None:
        """Try again after a while, or give up: something on the platform's side broke."""
        what = _what_broke(error)
        if job.attempts >= MOST_ATTEMPTS:
            reason = f"{what} We tried this step {job.attempts} times."
            self._failed(job, run, StepFailed(Fault.OURS, reason, OUR_REMEDY))
            return
        pause = min(2.0 * 2**job.attempts, LONGEST_PAUSE_SECONDS)
        now = self._app.clock.now()
        with self._app.unit_of_work() as uow:
            submission = uow.submissions.lock_leased(job)
            self._store_lines(uow, run)
            reason = f"{what} We try again within {pause:.0f} s."
            uow.submissions.set_step(
                submission.submission_id,
                submission.step,
                state=StepState.WAITING,
                fault=Fault.OURS,
                reason=reason,
            )
            uow.submissions.log(submission.submission_id, submission.step, now, [reason])
            uow.submissions.checks.let_go(job, now + timedelta(seconds=pause))
            uow.commit()

    def _heartbeat(self, job: LeasedJob, run: StepRun) -> Heartbeat:
        """Return the heartbeat of a step. If the lease is lost, the step ends at its next log line or pause."""
        beat_at = time.monotonic()

        def beat(_seen: Mapping[str, Any]) -> None:
            nonlocal beat_at
            if not run.has_lines and time.monotonic() - beat_at < BEAT_SECONDS:
                return
            beat_at = time.monotonic()
            try:
                self._beat(job, run)
            except LeaseLost:
                run.lose()
                raise
            except Exception as err:
                log.warning("heartbeat_failed", reason=f"{type(err).__name__}: {err}"[:300])

        return Heartbeat(beat, LINES_SECONDS)

    def _beat(self, job: LeasedJob, run: StepRun) -> None:
        """Store new log lines and a heartbeat, and extend the lease. Raises LeaseLost."""
        now = self._app.clock.now()
        with self._app.unit_of_work() as uow:
            uow.submissions.renew(job, now, self._lease_seconds, run.submission.step)
            self._store_lines(uow, run)
            uow.commit()

    def _store_lines(self, uow: RegistryUnitOfWork, run: StepRun) -> None:
        lines = run.take_lines()
        if lines:
            uow.submissions.log(
                run.submission.submission_id, run.submission.step, self._app.clock.now(), lines
            )

    def _tell(
        self,
        uow: RegistryUnitOfWork,
        submission: Submission,
        state: StepState,
        step: Step | None = None,
        fault: Fault | None = None,
        reason: str | None = None,
    ) -> None:
        """Note a call to the submitter's address about a step."""
        now = self._app.clock.now()
        body = {
            "submission_id": str(submission.submission_id),
            "model": submission.model_name,
            "version": submission.version,
            "task": submission.task_slug,
            "step": step or submission.step,
            "state": state,
            "fault": fault,
            "reason": reason,
            "at": now.isoformat(),
        }
        uow.submissions.call_webhook(submission, body, now)

    def _forget(self, submission: Submission) -> None:
        archive = StepRun(submission, self._app.folder).archive
        archive.unlink(missing_ok=True)
        archive.with_suffix(".partial").unlink(missing_ok=True)

    def _forget_if_ended(self, job: LeasedJob) -> None:
        """Remove the archive of a cancelled or deleted submission; otherwise another worker may need it."""
        with self._app.unit_of_work() as uow:
            submission = uow.submissions.get(job.key)
        if submission.state is not SubmissionState.CHECKING:
            self._forget(submission)


def _what_broke(error: Exception | None) -> str:
    """Return a text for the submitter about the platform's fault."""
    if isinstance(error, DiskFull):
        return "There is no room on our disk for the archive."
    if isinstance(error, ObjectsUnavailable):
        return "Our object store does not answer, or takes nothing."
    return "Something on our side failed."
