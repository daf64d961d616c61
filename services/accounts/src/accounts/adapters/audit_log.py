"""The audit log: entries that every service emits, kept as they came."""

from collections.abc import Sequence
from datetime import UTC
from typing import cast
from uuid import UUID

from dynabench.audit.v1 import audit_pb2
from dynabench_common.audit import TOPIC
from dynabench_common.events import Event, PermanentEventError
from sqlalchemy import Connection
from sqlalchemy.dialects.postgresql import insert

from accounts.adapters.tables import audit_entry

TOPICS = (TOPIC,)


class AuditProjection:
    """Keeps entries; one that comes again changes nothing."""

    accepts = (audit_pb2.ActionTaken,)

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Store entries. Raises PermanentEventError for one that can't be read."""
        rows = [_row(cast("audit_pb2.ActionTaken", event.message)) for event in events]
        connection.execute(insert(audit_entry).on_conflict_do_nothing(), rows)


def _row(entry: audit_pb2.ActionTaken) -> dict[str, object]:
    try:
        return {
            "entry_id": UUID(entry.entry_id),
            "actor_id": UUID(entry.actor_id) if entry.actor_id else None,
            "action": entry.action,
            "object_kind": entry.object_kind,
            "object_id": UUID(entry.object_id),
            "task_slug": entry.task_slug,
            "round_id": UUID(entry.round_id) if entry.round_id else None,
            "reason": entry.reason,
            "details": dict(entry.details),
            "taken_at": entry.taken_at.ToDatetime(UTC),
        }
    except ValueError as err:
        raise PermanentEventError(f"audit entry {entry.entry_id!r}: {err}") from err
