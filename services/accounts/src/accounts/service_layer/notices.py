"""Commands about a person's own notices."""

from dataclasses import dataclass
from uuid import UUID

from dynabench_common.clock import Clock

from accounts.adapters.unit_of_work import NewUnitOfWork
from accounts.adapters.unsubscribe_tokens import KeyedUnsubscribeTokens
from accounts.domain.errors import LinkEnded, PersonNotFound
from accounts.domain.notice_settings import NoticeSettings
from accounts.domain.person import Person


@dataclass(frozen=True)
class OwnNotices:
    """Runs the commands with their collaborators."""

    new_unit_of_work: NewUnitOfWork
    unsubscribe_tokens: KeyedUnsubscribeTokens
    clock: Clock

    def mark_read(self, person_id: UUID, up_to: int) -> None:
        """Mark one's notices as read up to a position: what came or grew since then stays unread."""
        with self.new_unit_of_work() as uow:
            uow.notices.mark_read(person_id, up_to, self.clock.now())
            uow.commit()

    def change_settings(self, person_id: UUID, settings: NoticeSettings, language: str | None) -> None:
        """Store how one wants notices, and in which language mails come; None leaves that as it is."""
        with self.new_unit_of_work() as uow:
            uow.notices.save_settings(person_id, settings, language)
            uow.commit()

    def unsubscribe(self, token: str) -> Person:
        """End mails with notices by the token of one of them, and return whose they were; again changes nothing.

        Raises LinkEnded for a token that was not issued here.
        """
        person_id = self.unsubscribe_tokens.person_of(token)
        if person_id is None:
            raise LinkEnded
        with self.new_unit_of_work() as uow:
            try:
                person = uow.people.get(person_id)
            except PersonNotFound as err:
                raise LinkEnded from err
            uow.notices.end_mails(person_id)
            uow.commit()
        return person
