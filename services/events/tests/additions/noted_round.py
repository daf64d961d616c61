"""A round that its owners can leave a note on."""

from dataclasses import dataclass
from datetime import datetime

from annotation.domain.identifiers import PersonId, RoundId
from dynabench_events.history import Aggregate
from dynabench_events.note import NoteLeft


@dataclass(kw_only=True)
class NotedRound(Aggregate):
    """A round and its note."""

    round_id: RoundId
    note: str = ""

    def leave_note(self, text: str, owner_id: PersonId, now: datetime) -> None:
        """Replace the note; an equal one changes nothing."""
        if text != self.note:
            self.note = text
            self.record(NoteLeft(round_id=self.round_id, left_by=owner_id, text=text, left_at=now))
