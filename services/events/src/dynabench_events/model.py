"""Events about submitted models. Published by the registry."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from dynabench.model.v1 import model_pb2

from dynabench_events.codec import EventRecord, event

TOPIC = "dynabench.model.v1"


@event(model_pb2.ModelSubmitted, of="submission_id", at="submitted_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSubmitted(EventRecord):
    """An archive has arrived and its checks begin; `archive_digest` is that of the sent bytes."""

    submission_id: UUID
    model_name: str
    version: int
    task_slug: str
    submitted_by: UUID
    archive_digest: str
    archive_bytes: int
    submitted_at: datetime


@event(model_pb2.ModelAwaitsApproval, of="submission_id", at="waits_since")
@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAwaitsApproval(EventRecord):
    """An archive with code waits for the decision of an owner of the task."""

    submission_id: UUID
    model_name: str
    version: int
    task_slug: str
    submitted_by: UUID
    waits_since: datetime


@event(model_pb2.ModelRefused, of="submission_id", at="refused_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRefused(EventRecord):
    """A check failed, or an owner of the task declined; `fault` is yours (the submitter's), ours or owner."""

    submission_id: UUID
    model_name: str
    version: int
    task_slug: str
    submitted_by: UUID
    step: str
    fault: str
    reason: str
    refused_at: datetime


@event(model_pb2.ModelDeployed, of="submission_id", at="deployed_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDeployed(EventRecord):
    """All checks passed: the gateway answers for the model as `serving_name`; `pool` is shared or sandboxed."""

    submission_id: UUID
    model_name: str
    version: int
    serving_name: str
    task_slug: str
    submitted_by: UUID
    task_type: str
    fields: tuple[str, ...]
    labels: tuple[str, ...]
    model_digest: str
    handler_digest: str
    pool: str
    deployed_at: datetime


@event(model_pb2.ModelPublished, of="submission_id", at="published_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPublished(EventRecord):
    """Its submitter published it; `anonymous` says that the submitter stays unnamed."""

    submission_id: UUID
    serving_name: str
    task_slug: str
    submitted_by: UUID
    anonymous: bool
    published_at: datetime


@event(model_pb2.ModelCardChanged, of="submission_id", at="changed_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCardChanged(EventRecord):
    """Its card's training data or long words changed.

    `serving_name` is empty before it is deployed. `long_words` are those of at least 16 letters from a to z, in small
    letters, each once, in order.
    """

    submission_id: UUID
    serving_name: str
    task_slug: str
    submitted_by: UUID
    trained_on: tuple[str, ...]
    changed_at: datetime
    long_words: tuple[str, ...] = ()


@event(model_pb2.ModelWithdrawn, of="submission_id", at="withdrawn_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class ModelWithdrawn(EventRecord):
    """It was withdrawn; `serving_name` is empty if it was never deployed. Its scores stay."""

    submission_id: UUID
    serving_name: str
    task_slug: str
    submitted_by: UUID
    withdrawn_by: UUID
    reason: str
    withdrawn_at: datetime


@event(model_pb2.ModelDeleted, of="submission_id", at="deleted_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDeleted(EventRecord):
    """All about it is deleted but its existence and its scores; `deleted_as` is submitter or owner."""

    submission_id: UUID
    model_name: str
    version: int
    serving_name: str
    task_slug: str
    submitted_by: UUID
    deleted_by: UUID
    deleted_as: str
    reason: str
    deleted_at: datetime


@event(model_pb2.TargetStoppedAnswering, of="target_id", at="noticed_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class TargetStoppedAnswering(EventRecord):
    """A target of an open round has not answered for the allowed time, while the model servers did."""

    target_id: UUID
    serving_name: str
    since: datetime
    reason: str
    noticed_at: datetime


@event(model_pb2.TargetAnswersAgain, of="target_id", at="noticed_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class TargetAnswersAgain(EventRecord):
    """A target with an earlier TargetStoppedAnswering answers again."""

    target_id: UUID
    serving_name: str
    noticed_at: datetime
