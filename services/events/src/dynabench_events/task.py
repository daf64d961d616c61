"""Events about tasks, their rounds and contexts. Published by annotation."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench.task.v1 import task_pb2
from dynabench_tasks.rounds import RoundState

from dynabench_events.codec import EventRecord, event

TOPIC = "dynabench.task.v1"


@event(task_pb2.TaskCreated, of="task_id", at="created_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class TaskCreated(EventRecord):
    """A configuration version of a task came into force."""

    task_id: UUID
    slug: str
    title: str
    configuration_version: int
    configuration: Mapping[str, Any]
    created_at: datetime


@event(task_pb2.RoundCreated, of="round_id", at="created_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class RoundCreated(EventRecord):
    """A round was drafted.

    `origin` is empty where people write its examples, else imported or harvested; `source` names the collection that
    it takes in, if it does. No `targets` is a control arm.
    """

    round_id: UUID
    task_id: UUID
    number: int
    title: str
    targets: tuple[str, ...]
    created_at: datetime
    origin: str = ""
    source: str = ""


@event(task_pb2.RoundTargetsChanged, of="round_id", at="changed_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class RoundTargetsChanged(EventRecord):
    """Other targets are in the loop from now on; the next try begins a new segment.

    `changed_by` is the nil UUID where the platform took out a target that had stopped answering.
    """

    round_id: UUID
    targets: tuple[str, ...]
    changed_by: UUID
    reason: str
    changed_at: datetime


@event(task_pb2.RoundStateChanged, of="round_id", at="changed_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class RoundStateChanged(EventRecord):
    """A round moved to another state; `changed_by` is None where its release, or a target's failure, moved it."""

    round_id: UUID
    state: RoundState
    changed_by: UUID | None
    changed_at: datetime
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Target:
    """A target as it answered: its name, and what exactly ran under it; empty digests if it has never answered."""

    name: str
    model_digest: str = ""
    handler_digest: str = ""


@event(task_pb2.SegmentStarted, of="round_id", at="started_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentStarted(EventRecord):
    """A stretch of a round with unchanged targets and configuration began; `targets` are in the round's order."""

    segment_id: UUID
    round_id: UUID
    number: int
    configuration_version: int
    targets: tuple[Target, ...]
    started_at: datetime


@event(task_pb2.ContextFlagged, of="context_id", at="flagged_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class ContextFlagged(EventRecord):
    """A person reported a context as unfit."""

    context_id: UUID
    round_id: UUID
    person_id: UUID
    reason: str
    flagged_at: datetime


@event(task_pb2.ChecksAssigned, of="order_id", at="assigned_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class ChecksAssigned(EventRecord):
    """An owner assigned examples to a person, who is asked to check `units` of them."""

    order_id: UUID
    round_id: UUID
    person_id: UUID
    example_ids: tuple[UUID, ...]
    units: int
    assigned_at: datetime


@event(task_pb2.ChecksEnded, of="order_id", at="ended_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class ChecksEnded(EventRecord):
    """An owner withdrew assigned checks or gave them to somebody else, or their person deleted the account."""

    order_id: UUID
    ended_at: datetime


@event(task_pb2.RoundLostTarget, of="round_id", at="lost_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class RoundLostTarget(EventRecord):
    """An open round lost a target that had stopped answering, or was `paused` since it needs that target."""

    round_id: UUID
    target: str
    paused: bool
    failing_since: datetime
    reason: str
    lost_at: datetime
