"""Notices to task owners about campaigns that pay less an hour than the operator's floor.

Each finding is reported once, even from a log that is read again.
"""

from collections.abc import Sequence

from dynabench_common.identifiers import new_id
from dynabench_events.crowd import CampaignPayLow
from sqlalchemy import Connection, select

from accounts.notifications.adapters.tables import notice
from accounts.notifications.adapters.writer import NoticeWriter
from accounts.notifications.domain.notices import NoticeKind
from accounts.queries import recipients


def notify_of_pay(connection: Connection, book: NoticeWriter, events: Sequence[CampaignPayLow]) -> None:
    """Notify owners of the measured pay, the floor and the proposed top-up, in minor units."""
    for event in events:
        if not book.is_news(event.found_at) or _is_reported(connection, event):
            continue
        for owner_id in sorted(connection.scalars(recipients.owners(event.task_slug))):
            book.insert(
                notice_id=new_id(),
                person_id=owner_id,
                kind=NoticeKind.PAY_LOW.value,
                round_id=event.round_id,
                task_slug=event.task_slug,
                campaign_id=event.campaign_id,
                currency=event.currency,
                counts={
                    "hourly": event.hourly_minor,
                    "floor": event.floor_minor,
                    "top_up": event.top_up_minor,
                },
                began_at=event.found_at,
                happened_at=event.found_at,
            )


def _is_reported(connection: Connection, event: CampaignPayLow) -> bool:
    chosen = select(notice.c.notice_id).where(
        notice.c.kind == NoticeKind.PAY_LOW.value,
        notice.c.round_id == event.round_id,
        notice.c.campaign_id == event.campaign_id,
        notice.c.happened_at >= event.found_at,
    )
    return connection.execute(chosen.limit(1)).first() is not None
