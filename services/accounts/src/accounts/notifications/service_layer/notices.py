"""Commands about a person's own notices."""

from dataclasses import dataclass
from uuid import UUID

from dynabench_common.clock import Clock
from sqlalchemy import Engine, RowMapping

from accounts.mail.domain import LinkEnded
from accounts.notifications.adapters.settings import SqlNotices
from accounts.notifications.adapters.unsubscribe_tokens import KeyedUnsubscribeTokens
from accounts.notifications.domain.notices import NoticeSettings
from accounts.queries import recipients


@dataclass(frozen=True)
class NotificationDependencies:
    """The collaborators of the handlers of notifications."""

    engine: Engine
    clock: Clock
    unsubscribe_tokens: KeyedUnsubscribeTokens


def mark_read(person_id: UUID, up_to: int, app: NotificationDependencies) -> None:
    """Mark one's notices as read up to a position: what came or grew since then stays unread."""
    with app.engine.begin() as connection:
        SqlNotices(connection).mark_read(person_id, up_to, app.clock.now())


def change_settings(
    person_id: UUID, settings: NoticeSettings, language: str | None, app: NotificationDependencies
) -> None:
    """Store notice settings and the language of mails; None keeps the language."""
    with app.engine.begin() as connection:
        SqlNotices(connection).save_settings(person_id, settings, language)


def unsubscribe(token: str, app: NotificationDependencies) -> RowMapping:
    """End mails with notices by the token of one of them, and return whose they were; again changes nothing.

    Raises LinkEnded for a token that was not issued here.
    """
    person_id = app.unsubscribe_tokens.person_of(token)
    if person_id is None:
        raise LinkEnded
    with app.engine.begin() as connection:
        person = recipients.find_person(connection, person_id)
        if person is None:
            raise LinkEnded
        SqlNotices(connection).end_mails(person_id)
    return person
