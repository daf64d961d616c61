"""Routes about members of tasks and invitations, for owners, and the use of an invitation."""

from dynabench_api.accounts import (
    GroupAnswer,
    GroupsAnswer,
    InvitationAnswer,
    InvitationsAnswer,
    InvitedAnswer,
    MemberAnswer,
    MembersAnswer,
    NewInvitationAnswer,
)
from dynabench_common.auth.permissions import Permission, ensure, requires, signed_in_person
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from accounts.domain.invitation import Invitation
from accounts.entrypoints.http.dependencies import dependencies
from accounts.entrypoints.http.schemas import (
    InvitationBody,
    InvitationPath,
    MemberBody,
    MemberPath,
    SecretBody,
    TaskGroupPath,
    TaskPath,
)
from accounts.queries import memberships as queries
from accounts.service_layer.memberships import (
    ChangeMembers,
    add_member,
    check_invitation,
    keep_group_out,
    let_group_in,
    make_invitation,
    remove_member,
    use_invitation,
    withdraw_invitation,
)

blueprint = APIBlueprint("memberships", __name__, url_prefix="/api/accounts/v1")


@blueprint.get("/tasks/<slug>/members", responses={200: MembersAnswer})
@requires(Permission.MANAGE_TASK)
def get_members(path: TaskPath) -> Response:
    """List the members of a task by name, without those who are members by a group."""
    ensure(Permission.MANAGE_TASK, task=path.slug)
    found = queries.members(dependencies().engine, path.slug)
    return json_response(MembersAnswer(items=[MemberAnswer.model_validate(each) for each in found]))


@blueprint.post("/tasks/<slug>/members", responses={204: None})
@requires(Permission.MANAGE_TASK)
def post_member(path: TaskPath, body: MemberBody) -> Response:
    """Make a person a member of a task. Members see a private task and take part in it."""
    add_member(_by_owner(path), body.user_name, dependencies())
    return Response(status=204)


@blueprint.delete("/tasks/<slug>/members/<person_id>", responses={204: None})
@requires(Permission.MANAGE_TASK)
def delete_member(path: MemberPath) -> Response:
    """End a membership. It counts for open sessions too."""
    remove_member(_by_owner(path), path.person_id, dependencies())
    return Response(status=204)


@blueprint.get("/tasks/<slug>/groups", responses={200: GroupsAnswer})
@requires(Permission.MANAGE_TASK)
def get_task_groups(path: TaskPath) -> Response:
    """List the groups whose people are members of a task."""
    ensure(Permission.MANAGE_TASK, task=path.slug)
    found = queries.groups_of_task(dependencies().engine, path.slug)
    return json_response(GroupsAnswer(items=[GroupAnswer.model_validate(each) for each in found]))


@blueprint.put("/tasks/<slug>/groups/<group_id>", responses={204: None})
@requires(Permission.MANAGE_TASK)
def put_task_group(path: TaskGroupPath) -> Response:
    """Make the people of one of your groups members of a task."""
    let_group_in(_by_owner(path), path.group_id, dependencies())
    return Response(status=204)


@blueprint.delete("/tasks/<slug>/groups/<group_id>", responses={204: None})
@requires(Permission.MANAGE_TASK)
def delete_task_group(path: TaskGroupPath) -> Response:
    """End the memberships that a group brings."""
    keep_group_out(_by_owner(path), path.group_id, dependencies())
    return Response(status=204)


@blueprint.get("/tasks/<slug>/invitations", responses={200: InvitationsAnswer})
@requires(Permission.MANAGE_TASK)
def get_invitations(path: TaskPath) -> Response:
    """List the invitations of a task, newest first."""
    ensure(Permission.MANAGE_TASK, task=path.slug)
    found = queries.invitations(dependencies().engine, path.slug)
    return json_response(InvitationsAnswer(items=[InvitationAnswer.model_validate(each) for each in found]))


@blueprint.post("/tasks/<slug>/invitations", responses={201: NewInvitationAnswer})
@requires(Permission.MANAGE_TASK)
def post_invitation(path: TaskPath, body: InvitationBody) -> Response:
    """Make an invitation. Its secret is in this answer and nowhere else."""
    new, secret = make_invitation(_by_owner(path), body.days, body.uses, dependencies())
    return json_response(_new_invitation(new, secret), 201)


@blueprint.delete("/tasks/<slug>/invitations/<invitation_id>", responses={204: None})
@requires(Permission.MANAGE_TASK)
def delete_invitation(path: InvitationPath) -> Response:
    """Withdraw an invitation. People who used it stay members."""
    withdraw_invitation(_by_owner(path), path.invitation_id, dependencies())
    return Response(status=204)


@blueprint.post("/invitations/checks", responses={204: None})
@requires(Permission.READ_PUBLIC)
def post_check(body: SecretBody) -> Response:
    """Check whether an invitation still works, without using it."""
    check_invitation(body.secret, dependencies())
    return Response(status=204)


@blueprint.post("/invitations/uses", responses={200: InvitedAnswer})
@requires(Permission.USE_INVITATION)
def post_use(body: SecretBody) -> Response:
    """Become a member of the task that an invitation is for."""
    slug = use_invitation(signed_in_person(), body.secret, dependencies())
    return json_response(InvitedAnswer(task_slug=slug))


def _by_owner(path: TaskPath) -> ChangeMembers:
    ensure(Permission.MANAGE_TASK, task=path.slug)
    return ChangeMembers(signed_in_person(), path.slug)


def _new_invitation(new: Invitation, secret: str) -> NewInvitationAnswer:
    return NewInvitationAnswer(
        invitation_id=new.invitation_id,
        made_at=new.made_at,
        expires_at=new.expires_at,
        most_uses=new.most_uses,
        uses=new.uses,
        withdrawn_at=new.withdrawn_at,
        secret=secret,
    )
