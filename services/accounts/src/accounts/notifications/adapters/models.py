"""Notices about submitted models: submitters get the result, owners of the task the code that awaits their decision.

Events of one submission arrive in order. An event older than the last reported one causes no notice. Such events
come from another read of the log or from a late redelivery.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_common.identifiers import new_id
from dynabench_events.model import (
    ModelAwaitsApproval,
    ModelDeleted,
    ModelDeployed,
    ModelRefused,
    ModelWithdrawn,
)
from sqlalchemy import Connection, select

from accounts.notifications.adapters.tables import notice
from accounts.notifications.adapters.writer import NoticeWriter
from accounts.notifications.domain.notices import NoticeKind
from accounts.queries import recipients

ModelEvent = ModelAwaitsApproval | ModelDeleted | ModelDeployed | ModelRefused | ModelWithdrawn
OUTCOMES: Mapping[str, str] = {"yours": "model_refused", "ours": "model_failed", "owner": "model_declined"}
"""Outcomes of a failed check in notices to submitters, by whose fault the failure is."""


def notify_of_models(connection: Connection, book: NoticeWriter, events: Sequence[ModelEvent]) -> None:
    """Write the notices that these events cause."""
    for event in events:
        waits = isinstance(event, ModelAwaitsApproval)
        known = _known(connection, event.submission_id)
        if any(row.happened_at >= event.occurred_at for row in known):
            continue
        book.remove([row.notice_id for row in known if _is_over(row)])
        if waits:
            for owner_id in sorted(connection.scalars(recipients.owners(event.task_slug))):
                _notify(book, event, owner_id, NoticeKind.MODEL_WAITS, "code")
        outcome = _outcome(event)
        if outcome is not None and book.active([event.submitted_by]):
            _notify(book, event, event.submitted_by, NoticeKind.MODEL_CHECKED, outcome)


def _outcome(event: ModelEvent) -> str | None:
    match event:
        case ModelAwaitsApproval():
            return "model_waits"
        case ModelDeployed():
            return "model_deployed"
        case ModelRefused(fault=fault):
            return OUTCOMES.get(fault, "model_failed")
        case ModelWithdrawn(submitted_by=submitter, withdrawn_by=by) if by != submitter:
            return "model_retired"
        case ModelDeleted(submitted_by=submitter, deleted_by=by) if by != submitter:
            return "model_retired"
    return None


def _is_over(row: Any) -> bool:
    """Return whether a newer result makes a notice obsolete: it announced a wait, or nobody has read it yet."""
    return row.kind == NoticeKind.MODEL_WAITS.value or row.read_at is None


def _notify(book: NoticeWriter, event: ModelEvent, person_id: UUID, kind: NoticeKind, outcome: str) -> None:
    at: datetime = event.occurred_at
    if book.is_news(at):
        book.insert(
            notice_id=new_id(),
            person_id=person_id,
            kind=kind.value,
            task_slug=event.task_slug,
            submission_id=event.submission_id,
            model=_name(event),
            counts={outcome: 1},
            began_at=at,
            happened_at=at,
        )


def _name(event: ModelEvent) -> str:
    if isinstance(event, ModelWithdrawn):
        return event.serving_name
    return f"{event.model_name} v{event.version}"


def _known(connection: Connection, submission_id: UUID) -> Sequence[Any]:
    columns = notice.c
    chosen = select(columns.notice_id, columns.kind, columns.happened_at, columns.read_at)
    return connection.execute(chosen.where(columns.submission_id == submission_id)).all()
