"""Audit log entries: the person, the right used over others' work, its object, and the reason.

An entry is an event like any other. It is written in the same transaction as the act it records. Accounts stores and
shows the entries.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from dynabench_events import Versioned
from dynabench_events.audit import ActionTaken

from dynabench_common.events.outbox import OutboxMessage, outbox_message
from dynabench_common.identifiers import new_id


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
    """Return the audit event; store it in the outbox in the transaction of the change."""
    entry = ActionTaken(
        entry_id=new_id(),
        actor_id=action.actor_id,
        action=action.action,
        object_kind=action.object_kind,
        object_id=action.object_id,
        task_slug=action.task_slug,
        round_id=action.round_id,
        reason=action.reason,
        details=action.details,
        taken_at=taken_at,
    )
    return outbox_message(Versioned(1, entry))
