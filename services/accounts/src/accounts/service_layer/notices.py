"""Commands about a person's own notices."""

from uuid import UUID

from accounts.domain.errors import LinkEnded, PersonNotFound
from accounts.domain.notices import NoticeSettings
from accounts.domain.person import Person
from accounts.service_layer.dependencies import Dependencies, HttpDependencies


def mark_read(person_id: UUID, up_to: int, app: Dependencies) -> None:
    """Mark one's notices as read up to a position: what came or grew since then stays unread."""
    with app.unit_of_work() as uow:
        uow.notices.mark_read(person_id, up_to, app.clock.now())
        uow.commit()


def change_settings(
    person_id: UUID, settings: NoticeSettings, language: str | None, app: Dependencies
) -> None:
    """Store how one wants notices, and in which language mails come; None leaves that as it is."""
    with app.unit_of_work() as uow:
        uow.notices.save_settings(person_id, settings, language)
        uow.commit()


def unsubscribe(token: str, app: HttpDependencies) -> Person:
    """End mails with notices by the token of one of them, and return whose they were; again changes nothing.

    Raises LinkEnded for a token that was not issued here.
    """
    person_id = app.unsubscribe_tokens.person_of(token)
    if person_id is None:
        raise LinkEnded
    with app.unit_of_work() as uow:
        try:
            person = uow.people.get(person_id)
        except PersonNotFound as err:
            raise LinkEnded from err
        uow.notices.end_mails(person_id)
        uow.commit()
    return person
