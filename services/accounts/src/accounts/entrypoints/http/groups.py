"""Routes about groups of people. A group belongs to the owner who made it."""

from dynabench_api.accounts import GroupAnswer, GroupPeopleAnswer, GroupsAnswer, NewGroupAnswer, OwnerAnswer
from dynabench_common.auth.permissions import Permission, requires, signed_in_person
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from accounts.entrypoints.http.dependencies import dependencies
from accounts.entrypoints.http.schemas import GroupBody, GroupPath, GroupPersonPath, MemberBody
from accounts.queries import memberships as queries
from accounts.service_layer.memberships import (
    add_to_group,
    delete_group,
    make_group,
    remove_from_group,
)

blueprint = APIBlueprint("groups", __name__, url_prefix="/api/accounts/v1")


@blueprint.get("/groups", responses={200: GroupsAnswer})
@requires(Permission.MANAGE_GROUPS)
def get_groups() -> Response:
    """List your groups by name."""
    found = queries.groups_of_owner(dependencies().engine, signed_in_person())
    return json_response(GroupsAnswer(items=[GroupAnswer.model_validate(each) for each in found]))


@blueprint.post("/groups", responses={201: NewGroupAnswer})
@requires(Permission.MANAGE_GROUPS)
def post_group(body: GroupBody) -> Response:
    """Make a group without people."""
    group_id = make_group(signed_in_person(), body.name, dependencies())
    return json_response(NewGroupAnswer(group_id=group_id), 201)


@blueprint.get("/groups/<group_id>", responses={200: GroupPeopleAnswer})
@requires(Permission.MANAGE_GROUPS)
def get_group(path: GroupPath) -> Response:
    """Show one of your groups with its people by name."""
    name, found = queries.people_of_group(dependencies().engine, path.group_id, signed_in_person())
    people = [OwnerAnswer.model_validate(each) for each in found]
    return json_response(GroupPeopleAnswer(group_id=path.group_id, name=name, people=people))


@blueprint.delete("/groups/<group_id>", responses={204: None})
@requires(Permission.MANAGE_GROUPS)
def delete_one(path: GroupPath) -> Response:
    """Delete one of your groups. Its people lose the memberships that it brought."""
    delete_group(signed_in_person(), path.group_id, dependencies())
    return Response(status=204)


@blueprint.post("/groups/<group_id>/people", responses={204: None})
@requires(Permission.MANAGE_GROUPS)
def post_group_person(path: GroupPath, body: MemberBody) -> Response:
    """Add a person to one of your groups."""
    add_to_group(signed_in_person(), path.group_id, body.user_name, dependencies())
    return Response(status=204)


@blueprint.delete("/groups/<group_id>/people/<person_id>", responses={204: None})
@requires(Permission.MANAGE_GROUPS)
def delete_group_person(path: GroupPersonPath) -> Response:
    """Take a person out of one of your groups."""
    remove_from_group(signed_in_person(), path.group_id, path.person_id, dependencies())
    return Response(status=204)
