"""Events about notes on rounds. Published by annotation."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from dynabench.note.v1 import note_pb2
from dynabench_events.codec import EventRecord, event


@event(note_pb2.NoteLeft, of="round_id", at="left_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class NoteLeft(EventRecord):
    """An owner left a note on a round; a later one replaces it, an empty one removes it."""

    round_id: UUID
    left_by: UUID
    text: str
    left_at: datetime
