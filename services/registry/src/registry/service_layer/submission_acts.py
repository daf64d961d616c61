"""Commands of submitters and task owners on an existing submission; each is one transaction that locks it."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from dynabench_archives.model_servers import Fault
from dynabench_common.object_store import ObjectsUnavailable

from registry.adapters.unit_of_work import RegistryUnitOfWork
from registry.domain.card import Card
from registry.domain.errors import CardIncomplete, ModelInTheLoop, ReasonMissing, WrongState
from registry.domain.submission import (
    RUNS_AGAIN_FROM,
    SERVED,
    STEPS,
    UNDER_WAY,
    Step,
    StepState,
    Submission,
    SubmissionState,
)
from registry.service_layer import submission_events as events
from registry.service_layer.dependencies import Dependencies


@dataclass(frozen=True)
class Decision:
    """Let the archive with code of a submission run, or decline it."""

    submission_id: UUID
    by: UUID
    reason: str
    approve: bool


@dataclass(frozen=True)
class Removal:
    """Take a submission away: withdraw, retire or delete it."""

    submission_id: UUID
    by: UUID
    reason: str


def may_cancel(submission: Submission) -> bool:
    """Return whether it has not been deployed yet and is still under way."""
    return submission.state in UNDER_WAY


def may_run_again(submission: Submission) -> bool:
    """Return whether a step may be run again: of one that failed, is stuck, or is deployed."""
    return submission.state in RUNS_AGAIN_FROM or submission.state is SubmissionState.CHECKING


def may_publish(submission: Submission) -> bool:
    """Return whether it can be published, or published otherwise than it is."""
    return submission.state in SERVED


def cancel(submission_id: UUID, app: Dependencies) -> Submission:
    """End it before it is deployed: it does not count. Raises WrongState, ModelInTheLoop."""
    now = app.clock.now()
    with app.unit_of_work() as uow:
        submission = uow.submissions.get(submission_id, lock=True)
        if submission.state is SubmissionState.CANCELLED:
            return submission
        if not may_cancel(submission):
            raise WrongState("cancel", submission.state)
        ensure_out_of_the_loop(uow, submission, by_owner=False)
        cancelled = uow.submissions.change(
            submission, state=SubmissionState.CANCELLED, ended_at=now, lease_id=None, leased_until=None
        )
        take_away(uow, submission)
        uow.commit()
    try:
        app.objects.abandon(submission.archive.key, submission.archive.upload_id)
    except ObjectsUnavailable:
        return cancelled  # the cleaner removes what is left
    return cancelled


def run_again(submission_id: UUID, step: Step, app: Dependencies) -> Submission:
    """Let the checks run again from a step on. Raises WrongState where a step before it has not passed."""
    with app.unit_of_work() as uow:
        submission = uow.submissions.get(submission_id, lock=True)
        if not may_run_again(submission):
            raise WrongState("run a check again", submission.state)
        wanted = max(STEPS.index(step), STEPS.index(Step.CHECKSUM))
        if wanted > STEPS.index(submission.step):
            raise WrongState(f"run {step} before {submission.step} has passed", submission.state)
        again = uow.submissions.begin_checks(submission, STEPS[wanted], app.clock.now())
        uow.commit()
        return again


def decide(decision: Decision, app: Dependencies) -> Submission:
    """Let an archive with code run, or decline it. Raises WrongState unless it waits for that."""
    now = app.clock.now()
    with app.unit_of_work() as uow:
        submission = uow.submissions.get(decision.submission_id, lock=True)
        if submission.state is not SubmissionState.WAITING:
            raise WrongState("decide", submission.state)
        action = "model.approved" if decision.approve else "model.declined"
        events.audit(uow, submission, action, decision.by, decision.reason, now)
        if decision.approve:
            decided = uow.submissions.begin_checks(submission, submission.step, now)
            decided = uow.submissions.change(decided, approved_by=decision.by)
        else:
            decided = _declined(uow, submission, decision.reason, now)
        uow.commit()
        return decided


def _declined(uow: RegistryUnitOfWork, submission: Submission, reason: str, now: datetime) -> Submission:
    step = submission.step
    uow.submissions.set_step(
        submission.submission_id,
        step,
        state=StepState.FAILED,
        ended_at=now,
        fault=Fault.OWNER,
        reason=reason,
        remedy="Ask the owner of the task what would be accepted, or submit an archive without code.",
    )
    declined = uow.submissions.change(submission, state=SubmissionState.REFUSED, ended_at=now)
    return events.publish(uow, declined, events.refused(declined, step, Fault.OWNER, reason, now))


def write_card(submission_id: UUID, card: Card, app: Dependencies) -> Submission:
    """Write the card. Raises CardIncomplete where a published model would lose a needed field, WrongState."""
    with app.unit_of_work() as uow:
        submission = uow.submissions.get(submission_id, lock=True)
        if submission.state is SubmissionState.DELETED:
            raise WrongState("write the card", submission.state)
        if submission.state is SubmissionState.PUBLISHED and card.missing:
            raise CardIncomplete(card.missing)
        before = submission.card or Card("", "", "")
        written = uow.submissions.write_card(submission, card)
        if (card.trained_on, card.long_words) != (before.trained_on, before.long_words):
            event = events.card_changed(written, card, app.clock.now())
            written = events.publish(uow, written, event)
        uow.commit()
        return written


def publish(submission_id: UUID, app: Dependencies, *, anonymous: bool) -> Submission:
    """Show it to everybody. Raises WrongState before it is deployed, CardIncomplete."""
    with app.unit_of_work() as uow:
        submission = uow.submissions.get(submission_id, lock=True)
        if not may_publish(submission):
            raise WrongState("publish", submission.state)
        missing = (submission.card or Card("", "", "")).missing
        if missing:
            raise CardIncomplete(missing)
        if submission.state is SubmissionState.PUBLISHED and submission.anonymous == anonymous:
            return submission
        shown = uow.submissions.change(submission, state=SubmissionState.PUBLISHED, anonymous=anonymous)
        shown = events.publish(uow, shown, events.published(shown, app.clock.now()))
        uow.commit()
        return shown


def withdraw(removal: Removal, app: Dependencies) -> Submission:
    """Take it back; its scores stay. Raises WrongState unless it is served, ModelInTheLoop."""
    return _end(removal, SubmissionState.WITHDRAWN, app)


def retire(removal: Removal, app: Dependencies) -> Submission:
    """Take somebody's model away, as an owner of its task. Raises WrongState, ReasonMissing, ModelInTheLoop."""
    if not removal.reason.strip():
        raise ReasonMissing
    return _end(removal, SubmissionState.RETIRED, app)


def _end(removal: Removal, state: SubmissionState, app: Dependencies) -> Submission:
    now = app.clock.now()
    with app.unit_of_work() as uow:
        submission = uow.submissions.get(removal.submission_id, lock=True)
        if submission.state is state:
            return submission
        if submission.state not in SERVED:
            raise WrongState("end", submission.state)
        ensure_out_of_the_loop(uow, submission, by_owner=state is SubmissionState.RETIRED)
        ended = uow.submissions.change(submission, state=state, ended_at=now)
        ended = events.publish(uow, ended, events.withdrawn(ended, removal.by, removal.reason, now))
        if state is SubmissionState.RETIRED:
            events.audit(uow, ended, "model.retired", removal.by, removal.reason, now)
        take_away(uow, submission)
        uow.commit()
        return ended


def ensure_out_of_the_loop(uow: RegistryUnitOfWork, submission: Submission, *, by_owner: bool) -> None:
    """Raise ModelInTheLoop while people try to fool the model in a round, or are about to."""
    if submission.serving_name is None:
        return
    rounds = uow.tasks.rounds_with(submission.serving_name)
    if rounds:
        raise ModelInTheLoop(submission.serving_name, rounds, by_owner=by_owner)


def take_away(uow: RegistryUnitOfWork, submission: Submission) -> None:
    """Let it be served no more."""
    if submission.serving_name is not None:
        uow.served.withdraw(submission.serving_name)
