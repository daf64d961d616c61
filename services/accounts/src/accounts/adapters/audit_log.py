"""The audit log: entries that every service emits, stored unchanged."""

from collections.abc import Sequence
from dataclasses import asdict

from dynabench_common.events.cloud_events import Event
from dynabench_events import message_types, recorded
from dynabench_events.audit import TOPIC, ActionTaken
from sqlalchemy import Connection
from sqlalchemy.dialects.postgresql import insert

from accounts.adapters.tables import audit_entry

TOPICS = (TOPIC,)


class AuditProjection:
    """Stores audit entries; a repeated event changes nothing."""

    accepts = message_types((ActionTaken,))

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Store entries by the event's fields. Raises PermanentEventError for one that can't be read."""
        rows = [asdict(recorded(event).record) for event in events]
        connection.execute(insert(audit_entry).on_conflict_do_nothing(), rows)
