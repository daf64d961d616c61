"""Commands about nicknames: choose or remove one's own, report one, hide one."""

from dataclasses import dataclass
from uuid import UUID

from dynabench_common.events.audit import Action

from accounts.domain.errors import PersonNotFound
from accounts.domain.nickname import nickname
from accounts.domain.person import reason_given
from accounts.service_layer.dependencies import HttpDependencies


@dataclass(frozen=True)
class ChooseNickname:
    """Be shown by a nickname; an empty text removes it."""

    person_id: UUID
    text: str


@dataclass(frozen=True)
class ReportNickname:
    """Report a person's nickname to the administrators."""

    reporter_id: UUID
    person_id: UUID
    reason: str


@dataclass(frozen=True)
class HideNickname:
    """Hide a nickname, or show it again."""

    actor_id: UUID
    person_id: UUID
    is_hidden: bool
    reason: str


def choose_nickname(command: ChooseNickname, app: HttpDependencies) -> None:
    """Store a person's nickname, or remove it.

    Raises AccountNeeded, FieldRefused, NicknameTaken if another's looks like it, NicknameHidden if one was hidden that
    looks like it.
    """
    with app.unit_of_work() as uow:
        uow.people.get(command.person_id).ensure_has_account()
        if not command.text.strip():
            uow.nicknames.remove(command.person_id)
        else:
            uow.nicknames.put(nickname(command.person_id, command.text, app.clock.now()))
        uow.commit()


def report_nickname(command: ReportNickname, app: HttpDependencies) -> None:
    """Store a report of a nickname. Raises FieldRefused without a reason, PersonNotFound if none is shown."""
    reason = reason_given(command.reason)
    with app.unit_of_work() as uow:
        found = uow.nicknames.lock(command.person_id)
        if found.is_hidden:
            raise PersonNotFound(command.person_id)
        uow.nicknames.report(command.person_id, command.reporter_id, reason, app.clock.now())
        uow.commit()


def hide_nickname(command: HideNickname, app: HttpDependencies) -> None:
    """Hide a nickname or show it again, and end its reports. Raises FieldRefused, PersonNotFound without a nickname."""
    reason = reason_given(command.reason)
    with app.unit_of_work() as uow:
        found = uow.nicknames.lock(command.person_id)
        uow.nicknames.hide(found, reason if command.is_hidden else "")
        uow.audit(
            Action(
                action="nickname.hidden" if command.is_hidden else "nickname.shown",
                actor_id=command.actor_id,
                object_kind="person",
                object_id=command.person_id,
                reason=reason,
                details={"nickname": found.text},
            ),
            app.clock.now(),
        )
        uow.commit()
