"""Members of tasks, invitations and groups, for owners, and the use of an invitation."""

from dynabench_client.connection import Area, segment
from dynabench_client.results.accounts import (
    Group,
    GroupPeople,
    Invitation,
    Invited,
    Member,
    NewGroup,
    NewInvitation,
)
from dynabench_client.results.base import Empty


class MembershipsClient(Area):
    """The part of the accounts service's client that is about who sees private tasks."""

    service = "accounts"

    def members(self, task: str) -> tuple[Member, ...]:
        """List the members of a task by name, without those who are members by a group."""
        return self._list(f"/tasks/{segment(task)}/members", Member)

    def add_member(self, task: str, user_name: str) -> None:
        """Make a person a member of a task."""
        self._post(f"/tasks/{segment(task)}/members", {"user_name": user_name}, Empty)

    def remove_member(self, task: str, person_id: str) -> None:
        """End a membership; it counts for open sessions too."""
        self._delete(f"/tasks/{segment(task)}/members/{segment(person_id)}", Empty)

    def invitations(self, task: str) -> tuple[Invitation, ...]:
        """List the invitations of a task, newest first."""
        return self._list(f"/tasks/{segment(task)}/invitations", Invitation)

    def invite(self, task: str, *, days: int, uses: int) -> NewInvitation:
        """Make an invitation; its secret is in this answer and nowhere else."""
        body = {"days": days, "uses": uses}
        return self._post(f"/tasks/{segment(task)}/invitations", body, NewInvitation)

    def withdraw_invitation(self, task: str, invitation_id: str) -> None:
        """Withdraw an invitation; people who used it stay members."""
        self._delete(f"/tasks/{segment(task)}/invitations/{segment(invitation_id)}", Empty)

    def check_invitation(self, secret: str) -> None:
        """Return if an invitation still works; the refusal says why it does not."""
        self._post("/invitations/checks", {"secret": secret}, Empty)

    def use_invitation(self, secret: str) -> str:
        """Become a member of the task of an invitation, and return the task's address."""
        return self._post("/invitations/uses", {"secret": secret}, Invited).task_slug

    def task_groups(self, task: str) -> tuple[Group, ...]:
        """List the groups whose people are members of a task."""
        return self._list(f"/tasks/{segment(task)}/groups", Group)

    def add_task_group(self, task: str, group_id: str) -> None:
        """Make the people of one of your groups members of a task."""
        self._put(f"/tasks/{segment(task)}/groups/{segment(group_id)}", None, Empty)

    def remove_task_group(self, task: str, group_id: str) -> None:
        """End the memberships that a group brings."""
        self._delete(f"/tasks/{segment(task)}/groups/{segment(group_id)}", Empty)

    def groups(self) -> tuple[Group, ...]:
        """List your groups by name."""
        return self._list("/groups", Group)

    def make_group(self, name: str) -> str:
        """Make a group without people, and return its id."""
        return self._post("/groups", {"name": name}, NewGroup).group_id

    def group(self, group_id: str) -> GroupPeople:
        """Return one of your groups with its people."""
        return self._get(f"/groups/{segment(group_id)}", GroupPeople)

    def delete_group(self, group_id: str) -> None:
        """Delete one of your groups; its people lose the memberships that it brought."""
        self._delete(f"/groups/{segment(group_id)}", Empty)

    def add_to_group(self, group_id: str, user_name: str) -> None:
        """Add a person to one of your groups."""
        self._post(f"/groups/{segment(group_id)}/people", {"user_name": user_name}, Empty)

    def remove_from_group(self, group_id: str, person_id: str) -> None:
        """Take a person out of one of your groups."""
        self._delete(f"/groups/{segment(group_id)}/people/{segment(person_id)}", Empty)
