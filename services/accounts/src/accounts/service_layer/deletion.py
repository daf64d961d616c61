"""Deletion of one's own account."""

from dataclasses import dataclass
from uuid import UUID

from dynabench_common.events.audit import Action

from accounts.adapters.traces_of_people import remove_traces
from accounts.domain.errors import LastAdministrator
from accounts.service_layer.dependencies import Dependencies
from accounts.service_layer.own_account import recognised
from accounts.service_layer.second_factor import use_code


@dataclass(frozen=True)
class DeleteAccount:
    """Delete one's account, and withdraw one's texts if wanted. `code` is of the second factor, if there is one."""

    person_id: UUID
    session_id: UUID | None
    current_password: str
    code: str
    withdraws_texts: bool


def delete_account(command: DeleteAccount, app: Dependencies) -> None:
    """Remove names, mail address, sessions and tokens; the pseudonym stays.

    Raises what `recognised` and `use_code` raise, LastAdministrator.
    """
    person = recognised(command.person_id, command.current_password, command.session_id, app)
    if person.has_second_factor:
        use_code(person.person_id, command.code, app)
    with app.unit_of_work() as uow:
        administrators = uow.people.lock_administrators()
        person, now = uow.people.lock(command.person_id), app.clock.now()
        if administrators == {person.person_id}:
            raise LastAdministrator(person.user_name)
        uow.sessions.end_all(person.person_id, now)
        uow.memberships.delete_groups_of(person.person_id, now)
        remove_traces(uow.connection, person, now)
        person.delete(now, withdraws_texts=command.withdraws_texts)
        uow.people.save(person)
        uow.audit(
            Action(
                action="person.deleted",
                actor_id=person.person_id,
                object_kind="person",
                object_id=person.person_id,
            ),
            now,
        )
        uow.commit()
