"""Permanent deletion of a submission. A tombstone remains, and so do its scores, which the registry does not own.

One database transaction comes first. Then the worker (`removing.py`) removes the bytes, and retries after
interruptions until they are gone. The price is that bytes may remain for some seconds.
"""

from registry.domain.errors import ReasonMissing
from registry.domain.submission import SERVED, Submission, SubmissionState
from registry.domain.tombstone import DeletedAs, Tombstone
from registry.service_layer import submission_events as events
from registry.service_layer.dependencies import Dependencies
from registry.service_layer.submission_acts import Removal, ensure_out_of_the_loop, take_away


def may_delete(submission: Submission) -> bool:
    """Return whether there is something left to be deleted."""
    return submission.state is not SubmissionState.DELETED


def delete(removal: Removal, app: Dependencies) -> Submission:
    """Replace a submission by a tombstone; a deleted one stays unchanged.

    Anyone but the submitter must give a reason. Raises SubmissionUnknown, ReasonMissing, ModelInTheLoop.
    """
    now, by, reason = app.clock.now(), removal.by, removal.reason.strip()
    with app.unit_of_work() as uow:
        submission = uow.submissions.get(removal.submission_id, lock=True)
        if not may_delete(submission):
            return submission
        is_own = submission.submitted_by == by
        if not is_own and not reason:
            raise ReasonMissing
        ensure_out_of_the_loop(uow, submission, by_owner=not is_own)
        if submission.state in SERVED:
            submission = events.publish(uow, submission, events.withdrawn(submission, by, reason, now))
        tombstone = Tombstone(
            deleted_at=now,
            deleted_as=DeletedAs.SUBMITTER if is_own else DeletedAs.OWNER,
            reason=reason,
            was_published=submission.state is SubmissionState.PUBLISHED,
        )
        take_away(uow, submission)
        deleted = uow.tombstones.bury(submission, tombstone)
        deleted = events.publish(uow, deleted, events.deleted(deleted, tombstone, by))
        if not is_own:
            events.audit(uow, deleted, "model.deleted", by, tombstone.reason, now)
        uow.commit()
        return deleted
