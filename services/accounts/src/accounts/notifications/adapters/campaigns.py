"""Notices to task owners about campaigns: the hourly pay is below the operator's floor, or a person appeals.

Each is reported once, even from a log that is read again. Kind, round, campaign and time identify a notice.
"""

from collections.abc import Sequence
from datetime import datetime

from dynabench_common.identifiers import new_id
from dynabench_events.crowd import CampaignPayLow, ExclusionAppealed
from sqlalchemy import Connection, select

from accounts.notifications.adapters.tables import notice
from accounts.notifications.adapters.writer import NoticeWriter
from accounts.notifications.domain.notices import NoticeKind
from accounts.queries import recipients


def notify_of_pay(connection: Connection, book: NoticeWriter, events: Sequence[CampaignPayLow]) -> None:
    """Notify owners of the measured pay, the floor and the proposed top-up, in minor units."""
    for event in events:
        counts = {"hourly": event.hourly_minor, "floor": event.floor_minor, "top_up": event.top_up_minor}
        _notify(connection, book, NoticeKind.PAY_LOW, event, event.found_at, counts, event.currency)


def notify_of_appeals(
    connection: Connection, book: NoticeWriter, events: Sequence[ExclusionAppealed]
) -> None:
    """Notify owners of people of a campaign who appeal against their exclusion."""
    for event in events:
        _notify(connection, book, NoticeKind.EXCLUSION_APPEALED, event, event.appealed_at, {})


def _notify(
    connection: Connection,
    book: NoticeWriter,
    kind: NoticeKind,
    event: CampaignPayLow | ExclusionAppealed,
    at: datetime,
    counts: dict[str, int],
    currency: str | None = None,
) -> None:
    if not book.is_news(at) or _is_reported(connection, kind, event, at):
        return
    for owner_id in sorted(connection.scalars(recipients.owners(event.task_slug))):
        book.insert(
            notice_id=new_id(),
            person_id=owner_id,
            kind=kind.value,
            round_id=event.round_id,
            task_slug=event.task_slug,
            campaign_id=event.campaign_id,
            currency=currency,
            counts=counts,
            began_at=at,
            happened_at=at,
        )


def _is_reported(
    connection: Connection, kind: NoticeKind, event: CampaignPayLow | ExclusionAppealed, at: datetime
) -> bool:
    chosen = select(notice.c.notice_id).where(
        notice.c.kind == kind.value,
        notice.c.round_id == event.round_id,
        notice.c.campaign_id == event.campaign_id,
        notice.c.happened_at == at,
    )
    return connection.execute(chosen.limit(1)).first() is not None
