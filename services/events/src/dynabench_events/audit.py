"""Events about acts with power over others' work. Published by every service; stored and shown by accounts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from dynabench.audit.v1 import audit_pb2

from dynabench_events.codec import EventRecord, event

TOPIC = "dynabench.audit.v1"


@event(audit_pb2.ActionTaken, of="entry_id", at="taken_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class ActionTaken(EventRecord):
    """A person used a right of owners or administrators, or an appeal was made; `actor_id` None is the platform.

    `action` is a constant name such as `round.closed`; `object_kind` is task, round, example, vote, validator, person
    or dataset; `details` hold short texts, never free text of other people.
    """

    entry_id: UUID
    actor_id: UUID | None
    action: str
    object_kind: str
    object_id: UUID
    task_slug: str
    round_id: UUID | None
    reason: str
    details: Mapping[str, str]
    taken_at: datetime
