"""Commands about members of tasks, groups of people and invitations."""

from dataclasses import dataclass
from uuid import UUID

from dynabench_common.events.audit import Action
from dynabench_common.identifiers import new_id

from accounts.adapters.unit_of_work import AccountsUnitOfWork
from accounts.domain import names
from accounts.domain.errors import FieldRefused, TooManyMembers
from accounts.domain.invitation import MOST_PER_TASK, Invitation, invite
from accounts.domain.opaque import digest, new_secret
from accounts.domain.person import Person
from accounts.service_layer.dependencies import Dependencies

MOST_MEMBERS = 500
MOST_IN_GROUP = 200
LONGEST_NAME = 60


@dataclass(frozen=True)
class ChangeMembers:
    """A change by an owner to the members of a task."""

    actor_id: UUID
    task_slug: str


def add_member(command: ChangeMembers, user_name: str, app: Dependencies) -> None:
    """Make a person a member of a task. Raises FieldRefused for an unknown name, TooManyMembers."""
    with app.unit_of_work() as uow:
        person = _named(user_name, uow)
        if uow.memberships.count_of_task(command.task_slug) >= MOST_MEMBERS:
            raise TooManyMembers(MOST_MEMBERS)
        if uow.memberships.add(command.task_slug, person.person_id, app.clock.now()):
            _audit(command, "member.added", person.person_id, uow, app)
        uow.commit()


def remove_member(command: ChangeMembers, person_id: UUID, app: Dependencies) -> None:
    """End a person's own membership. Does nothing for somebody who has none."""
    with app.unit_of_work() as uow:
        if uow.memberships.remove(command.task_slug, person_id, app.clock.now()):
            _audit(command, "member.removed", person_id, uow, app)
        uow.commit()


def make_invitation(
    command: ChangeMembers, days: int, uses: int, app: Dependencies
) -> tuple[Invitation, str]:
    """Return a new invitation and its secret, which is shown only now. Raises TooManyMembers."""
    secret = new_secret()
    new = invite(new_id(), command.task_slug, digest(secret), days=days, uses=uses, now=app.clock.now())
    with app.unit_of_work() as uow:
        if uow.invitations.count(command.task_slug) >= MOST_PER_TASK:
            raise TooManyMembers(MOST_PER_TASK)
        uow.invitations.add(new)
        _audit(command, "invitation.made", new.invitation_id, uow, app)
        uow.commit()
    return new, secret


def withdraw_invitation(command: ChangeMembers, invitation_id: UUID, app: Dependencies) -> None:
    """End an invitation; its members stay. Raises InvitationNotFound."""
    with app.unit_of_work() as uow:
        found = uow.invitations.lock(command.task_slug, invitation_id)
        found.withdraw(app.clock.now())
        uow.invitations.save(found)
        _audit(command, "invitation.withdrawn", invitation_id, uow, app)
        uow.commit()


def check_invitation(secret: str, app: Dependencies) -> None:
    """Raise InvitationNotFound, InvitationWithdrawn, InvitationExpired or InvitationUsedUp if it brings in nobody."""
    with app.unit_of_work() as uow:
        uow.invitations.lock_by_secret(digest(secret)).check(app.clock.now())


def use_invitation(person_id: UUID, secret: str, app: Dependencies) -> str:
    """Make the person a member and return the address of the task. A member uses up nothing.

    Raises InvitationNotFound, InvitationWithdrawn, InvitationExpired, InvitationUsedUp, TooManyMembers, AccountNeeded.
    """
    now = app.clock.now()
    with app.unit_of_work() as uow:
        person = uow.people.lock(person_id)
        person.ensure_has_account()
        found = uow.invitations.lock_by_secret(digest(secret))
        if found.task_slug in person.member_of:
            return found.task_slug
        found.use(now)
        if uow.memberships.count_of_task(found.task_slug) >= MOST_MEMBERS:
            raise TooManyMembers(MOST_MEMBERS)
        uow.invitations.save(found)
        uow.memberships.add(found.task_slug, person_id, now)
        uow.commit()
    return found.task_slug


def make_group(owner_id: UUID, name: str, app: Dependencies) -> UUID:
    """Return the id of a new group without people. Raises FieldRefused, GroupNameTaken."""
    wanted, group_id = " ".join(name.split()), new_id()
    if not 1 <= len(wanted) <= LONGEST_NAME:
        raise FieldRefused("name", f"must have 1 to {LONGEST_NAME} characters", "Choose another name.")
    with app.unit_of_work() as uow:
        uow.memberships.add_group(group_id, wanted, owner_id)
        uow.commit()
    return group_id


def delete_group(owner_id: UUID, group_id: UUID, app: Dependencies) -> None:
    """Delete a group; its people lose the memberships that it brought. Raises GroupNotFound."""
    with app.unit_of_work() as uow:
        uow.memberships.lock_group(group_id, owner_id)
        uow.memberships.delete_group(group_id, app.clock.now())
        uow.commit()


def add_to_group(owner_id: UUID, group_id: UUID, user_name: str, app: Dependencies) -> None:
    """Add a person to a group. Raises GroupNotFound, FieldRefused for an unknown name, TooManyMembers."""
    with app.unit_of_work() as uow:
        uow.memberships.lock_group(group_id, owner_id)
        if uow.memberships.count_of_group(group_id) >= MOST_IN_GROUP:
            raise TooManyMembers(MOST_IN_GROUP)
        uow.memberships.add_to_group(group_id, _named(user_name, uow).person_id, app.clock.now())
        uow.commit()


def remove_from_group(owner_id: UUID, group_id: UUID, person_id: UUID, app: Dependencies) -> None:
    """Take a person out of a group. Raises GroupNotFound."""
    with app.unit_of_work() as uow:
        uow.memberships.lock_group(group_id, owner_id)
        uow.memberships.remove_from_group(group_id, person_id, app.clock.now())
        uow.commit()


def let_group_in(command: ChangeMembers, group_id: UUID, app: Dependencies) -> None:
    """Make the people of one's own group members of a task. Raises GroupNotFound."""
    with app.unit_of_work() as uow:
        uow.memberships.lock_group(group_id, command.actor_id)
        if uow.memberships.let_in(group_id, command.task_slug, app.clock.now()):
            _audit(command, "group.let_in", group_id, uow, app)
        uow.commit()


def keep_group_out(command: ChangeMembers, group_id: UUID, app: Dependencies) -> None:
    """End the memberships that a group brings in a task, also another owner's group."""
    with app.unit_of_work() as uow:
        if uow.memberships.keep_out(group_id, command.task_slug, app.clock.now()):
            _audit(command, "group.kept_out", group_id, uow, app)
        uow.commit()


def _named(user_name: str, uow: AccountsUnitOfWork) -> Person:
    person = uow.people.find_by_user_name(names.user_name(user_name))
    if person is None:
        raise FieldRefused("user_name", "belongs to nobody", "Ask the person for the user name.")
    return person


def _audit(
    command: ChangeMembers, action: str, object_id: UUID, uow: AccountsUnitOfWork, app: Dependencies
) -> None:
    kind = action.partition(".")[0].replace("member", "person")
    taken = Action(action, command.actor_id, kind, object_id, task_slug=command.task_slug)
    uow.audit(taken, app.clock.now())
