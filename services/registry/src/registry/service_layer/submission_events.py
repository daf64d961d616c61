"""Events about submissions, each made from the submission as it is then."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_archives.model_servers import Fault, Pool
from dynabench_common.events.audit import Action, action_taken
from dynabench_common.events.outbox import outbox_message
from dynabench_events import EventRecord, Versioned
from dynabench_events.model import (
    ModelAwaitsApproval,
    ModelCardChanged,
    ModelDeleted,
    ModelDeployed,
    ModelPublished,
    ModelRefused,
    ModelSubmitted,
    ModelWithdrawn,
)

from registry.adapters.unit_of_work import RegistryUnitOfWork
from registry.domain.card import Card
from registry.domain.submission import Step, Submission
from registry.domain.tombstone import Tombstone


def publish(uow: RegistryUnitOfWork, submission: Submission, record: EventRecord) -> Submission:
    """Write an event about a locked submission; return the submission with its next version."""
    version = submission.aggregate_version + 1
    uow.record([outbox_message(Versioned(version, record))])
    return uow.submissions.change(submission, aggregate_version=version)


def audit(
    uow: RegistryUnitOfWork, submission: Submission, action: str, by: UUID, reason: str, now: datetime
) -> None:
    """Write an entry of the audit log about somebody's decision on another person's model."""
    entry = Action(
        action,
        by,
        "submission",
        submission.submission_id,
        task_slug=submission.task_slug,
        reason=reason,
        details={"model": f"{submission.model_name} v{submission.version}"},
    )
    uow.record([action_taken(entry, now)])


def submitted(submission: Submission, now: datetime) -> ModelSubmitted:
    """Return the event that an archive has arrived."""
    return ModelSubmitted(
        **_about(submission),
        archive_digest=submission.archive.digest,
        archive_bytes=submission.archive.size,
        submitted_at=now,
    )


def awaits_approval(submission: Submission, now: datetime) -> ModelAwaitsApproval:
    """Return the event that an archive waits for a decision."""
    return ModelAwaitsApproval(**_about(submission), waits_since=now)


def refused(submission: Submission, step: Step, fault: Fault, reason: str, now: datetime) -> ModelRefused:
    """Return the event that a step failed, or an owner declined."""
    return ModelRefused(**_about(submission), step=step, fault=fault, reason=reason, refused_at=now)


def deployed(submission: Submission, served: Mapping[str, Any], pool: Pool, now: datetime) -> ModelDeployed:
    """Return the event that a model answers; `served` is the note of its archive."""
    return ModelDeployed(
        **_about(submission),
        serving_name=submission.serving_name or "",
        task_type=str(served["task_type"]),
        fields=tuple(served["fields"]),
        labels=tuple(served["labels"]),
        model_digest=str(served["model_digest"]),
        handler_digest=str(served["handler_digest"]),
        pool=pool,
        deployed_at=now,
    )


def published(submission: Submission, now: datetime) -> ModelPublished:
    """Return the event that a model is published."""
    return ModelPublished(
        submission_id=submission.submission_id,
        serving_name=submission.serving_name or "",
        task_slug=submission.task_slug,
        submitted_by=submission.submitted_by,
        anonymous=submission.anonymous,
        published_at=now,
    )


def card_changed(submission: Submission, card: Card, now: datetime) -> ModelCardChanged:
    """Return the event of a changed card: other training data, or other long words."""
    return ModelCardChanged(
        submission_id=submission.submission_id,
        serving_name=submission.serving_name or "",
        task_slug=submission.task_slug,
        submitted_by=submission.submitted_by,
        trained_on=card.trained_on,
        changed_at=now,
        long_words=card.long_words,
    )


def withdrawn(submission: Submission, by: UUID, reason: str, now: datetime) -> ModelWithdrawn:
    """Return the event that a model is no longer offered."""
    return ModelWithdrawn(
        submission_id=submission.submission_id,
        serving_name=submission.serving_name or "",
        task_slug=submission.task_slug,
        submitted_by=submission.submitted_by,
        withdrawn_by=by,
        reason=reason,
        withdrawn_at=now,
    )


def deleted(submission: Submission, tombstone: Tombstone, by: UUID) -> ModelDeleted:
    """Return the event that a tombstone is all that is left of a submission."""
    return ModelDeleted(
        **_about(submission),
        serving_name=submission.serving_name or "",
        deleted_by=by,
        deleted_as=tombstone.deleted_as,
        reason=tombstone.reason,
        deleted_at=tombstone.deleted_at,
    )


def _about(submission: Submission) -> dict[str, Any]:
    return {
        "submission_id": submission.submission_id,
        "model_name": submission.model_name,
        "version": submission.version,
        "task_slug": submission.task_slug,
        "submitted_by": submission.submitted_by,
    }
