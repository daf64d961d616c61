"""Entries of the audit log: who used a right over others' work, on what, and why.

An entry is an event like any other, written in the transaction of what it tells of; accounts keeps and shows them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from dynabench.audit.v1 import audit_pb2

from dynabench_common.identifiers import new_id
from dynabench_common.outbox import OutboxMessage, message_for

TOPIC = "dynabench.audit.v1"


@dataclass(frozen=True)
class Action:
    """Something a person did with power over others' work; `actor_id` None stands for the platform itself.

    `action` is a constant name such as `round.closed`; `details` hold short texts, never free text of other people.
    """

    action: str
    actor_id: UUID | None
    object_kind: str
    object_id: UUID
    task_slug: str = ""
    round_id: UUID | None = None
    reason: str = ""
    details: Mapping[str, str] = field(default_factory=dict)


def action_taken(action: Action, taken_at: datetime) -> OutboxMessage:
    """Return the entry to store in the outbox beside the change that it tells of."""
    entry_id = new_id()
    message = audit_pb2.ActionTaken(
        entry_id=str(entry_id),
        actor_id="" if action.actor_id is None else str(action.actor_id),
        action=action.action,
        object_kind=action.object_kind,
        object_id=str(action.object_id),
        task_slug=action.task_slug,
        round_id="" if action.round_id is None else str(action.round_id),
        reason=action.reason,
        details=dict(action.details),
        taken_at=taken_at,
    )
    return message_for(TOPIC, message, entry_id, 1, taken_at)
