"""The newest note on each round."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dynabench_common.events.cloud_events import Event
from dynabench_events import EventRecord, Recorded, message_types, recorded
from dynabench_events.note import NoteLeft
from sqlalchemy import Column, Connection, Integer, MetaData, Table, Text, Uuid
from sqlalchemy.dialects.postgresql import insert

TOPICS = ("dynabench.note.v1",)
round_note = Table(
    "round_note",
    MetaData(),
    Column("round_id", Uuid, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("text", Text, nullable=False),
)


def _left(connection: Connection, event: Recorded[NoteLeft]) -> None:
    note = {"version": event.version, "text": event.record.text}
    statement = insert(round_note).values(round_id=event.record.round_id, **note)
    is_newer = round_note.c.version < event.version
    connection.execute(
        statement.on_conflict_do_update(index_elements=["round_id"], set_=note, where=is_newer)
    )


HANDLERS: Mapping[type[EventRecord], Callable[[Connection, Recorded[Any]], None]] = {NoteLeft: _left}


class NoteProjection:
    """Stores the notes; an older one never replaces a newer one."""

    accepts = message_types(HANDLERS)

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Store notes, in any order. Raises PermanentEventError for one that can't be read."""
        for event in map(recorded, events):
            HANDLERS[type(event.record)](connection, event)
