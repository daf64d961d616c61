"""The facts of one example that notices are made of: notices to its author, and open work of an owner.

Facts commute: each keeps the version that it came by, and an older one changes nothing. So events may come in any
order, twice, or all of them again.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_events import EventRecord, Recorded
from dynabench_events.example import ExampleCreated, ExampleRetracted, VerdictDecided
from dynabench_events.validation import (
    ExampleAppealed,
    ExampleMessageWritten,
    ExampleResolved,
    ResolutionWithdrawn,
    VotesWithdrawn,
    WithdrawalCause,
)
from dynabench_tasks.resolution import Resolution
from dynabench_tasks.verdict import Verdict

from accounts.notifications.domain.notices import DueNotice, NoticeKind

ASKED_ANEW = "asked_anew"
APPEALED = "appealed"
QUESTION = "question"
TO_DECIDE = frozenset({Resolution.DISPUTED.value, Resolution.FLAGGED.value})


@dataclass
class ExampleFacts:
    """Aggregate. `author_id` is None while it is unknown, and always for imported examples.

    `told_kind`, `told_outcome` and `notice_id` record the author's last notice of the example, if there was one.
    """

    example_id: UUID
    round_id: UUID
    author_id: UUID | None = None
    created_at: datetime | None = None
    is_fooled: bool | None = None
    is_retracted: bool = False
    resolution_version: int = 0
    resolution: str | None = None
    is_adjudicated: bool = False
    resolved_at: datetime | None = None
    appealed_version: int = 0
    appealed_at: datetime | None = None
    message_version: int = 0
    asked_at: datetime | None = None
    answered_at: datetime | None = None
    requeued_version: int = 0
    requeued_at: datetime | None = None
    told_kind: str | None = None
    told_outcome: str | None = None
    notice_id: UUID | None = None
    waits_for: str | None = None
    waits_since: datetime | None = None

    def take(self, event: Recorded[Any]) -> None:
        """Apply an event, if it is newer than the known fact."""
        HANDLERS[type(event.record)](self, event)
        self.waits_for, self.waits_since = self._waiting()

    def due_notice(self) -> DueNotice | None:
        """Return the notice due to the author; None while votes are pending or if the author has no account here."""
        if self.author_id is None:
            return None
        if self.resolution is not None and self.resolved_at is not None:
            return DueNotice(self._kind(), self.resolution, self.resolved_at)
        if 0 < self.appealed_version < self.requeued_version and self.requeued_at is not None:
            return DueNotice(NoticeKind.APPEAL_ANSWERED, ASKED_ANEW, self.requeued_at)
        return None

    @property
    def last_notice(self) -> tuple[str | None, str | None]:
        """Return kind and outcome of the author's last notice."""
        return self.told_kind, self.told_outcome

    def _kind(self) -> NoticeKind:
        if not self.is_adjudicated:
            return NoticeKind.EXAMPLE_RESOLVED
        if 0 < self.appealed_version < self.resolution_version:
            return NoticeKind.APPEAL_ANSWERED
        return NoticeKind.EXAMPLE_DECIDED

    def _waiting(self) -> tuple[str | None, datetime | None]:
        answered = max(self.requeued_version, self.resolution_version if self.is_adjudicated else 0)
        if self.is_retracted:
            return None, None
        if self.appealed_version > answered:
            return APPEALED, self.appealed_at
        if self.asked_at is not None:
            return QUESTION, self.asked_at
        if self.resolution in TO_DECIDE and not self.is_adjudicated:
            return self.resolution, self.resolved_at
        return None, None


def _created(example: ExampleFacts, event: Recorded[ExampleCreated]) -> None:
    example.author_id, example.created_at = event.record.author_id, event.record.created_at
    if example.is_fooled is None:
        example.is_fooled = _has_fooled(event.record)


def _decided(example: ExampleFacts, event: Recorded[VerdictDecided]) -> None:
    example.is_fooled = _has_fooled(event.record)


def _has_fooled(record: ExampleCreated | VerdictDecided) -> bool:
    return record.verdict is Verdict.FOOLED and record.duplicate_of is None


def _retracted(example: ExampleFacts, _: Recorded[ExampleRetracted]) -> None:
    example.is_retracted = True


def _resolved(example: ExampleFacts, event: Recorded[ExampleResolved]) -> None:
    if event.version > example.resolution_version:
        example.resolution_version = event.version
        example.resolution = event.record.resolution.value
        example.is_adjudicated = event.record.adjudicated_by is not None
        example.resolved_at = event.record.resolved_at


def _resolution_withdrawn(example: ExampleFacts, event: Recorded[ResolutionWithdrawn]) -> None:
    if event.version > example.resolution_version:
        example.resolution_version = event.version
        example.resolution, example.resolved_at, example.is_adjudicated = None, None, False


def _appealed(example: ExampleFacts, event: Recorded[ExampleAppealed]) -> None:
    if event.version > example.appealed_version:
        example.appealed_version, example.appealed_at = event.version, event.record.appealed_at


def _message_written(example: ExampleFacts, event: Recorded[ExampleMessageWritten]) -> None:
    if event.version > example.message_version:
        example.message_version = event.version
        example.asked_at = event.record.written_at if event.record.by_author else None
    if not event.record.by_author:
        example.answered_at = max(example.answered_at or event.record.written_at, event.record.written_at)


def _votes_withdrawn(example: ExampleFacts, event: Recorded[VotesWithdrawn]) -> None:
    if event.record.cause is WithdrawalCause.REQUEUED and event.version > example.requeued_version:
        example.requeued_version, example.requeued_at = event.version, event.record.withdrawn_at


HANDLERS: Mapping[type[EventRecord], Callable[[ExampleFacts, Recorded[Any]], None]] = {
    ExampleCreated: _created,
    VerdictDecided: _decided,
    ExampleRetracted: _retracted,
    ExampleResolved: _resolved,
    ResolutionWithdrawn: _resolution_withdrawn,
    ExampleAppealed: _appealed,
    ExampleMessageWritten: _message_written,
    VotesWithdrawn: _votes_withdrawn,
}
"""The change that each event makes to an example's state."""
