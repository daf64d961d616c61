"""Routes about people: signing up, oneself, and roles."""

from dynabench_common import addresses
from dynabench_common.http import json_response
from dynabench_common.permissions import Permission, requires
from dynabench_common.schemas import encode_cursor
from flask import Response
from flask_openapi import APIBlueprint

from accounts import views
from accounts.domain import names
from accounts.entrypoints.http.dependencies import dependencies, signed_in_person
from accounts.entrypoints.http.schemas import (
    OwnerAnswer,
    OwnersAnswer,
    PeopleAnswer,
    PeopleQuery,
    PersonAnswer,
    PersonPath,
    RolesBody,
    SignUpBody,
    TaskPath,
)
from accounts.service_layer.commands import SetRoles, SignUp
from accounts.service_layer.people import set_roles, sign_up

MOST_OWNERS = 100
blueprint = APIBlueprint("people", __name__, url_prefix="/api/accounts/v1")


@blueprint.post("/people", responses={201: PersonAnswer})
@requires(Permission.SIGN_UP)
def post_person(body: SignUpBody) -> Response:
    """Sign up as a volunteer."""
    needed = dependencies()
    command = SignUp(body.user_name, body.email, body.password, addresses.sender())
    person = sign_up(command, needed.new_unit_of_work, needed.passwords, needed.clock, needed.sign_up_limit)
    return json_response(PersonAnswer.of(person), 201)


@blueprint.get("/people", responses={200: PeopleAnswer})
@requires(Permission.GRANT_ROLES)
def get_people(query: PeopleQuery) -> Response:
    """List people, to find whom to give a role."""
    user_name = None if query.user_name is None else names.user_name(query.user_name)
    found = views.people(dependencies().engine, query.limit + 1, query.position(), user_name)
    page = [PersonAnswer.model_validate(record) for record in found[: query.limit]]
    next_cursor = encode_cursor(str(page[-1].person_id)) if len(found) > query.limit else None
    return json_response(PeopleAnswer(items=page, next_cursor=next_cursor))


@blueprint.get("/me", responses={200: PersonAnswer})
@requires(Permission.READ_SELF)
def get_me() -> Response:
    """Tell who is signed in."""
    record = views.person_record(dependencies().engine, signed_in_person())
    return json_response(PersonAnswer.model_validate(record))


@blueprint.get("/tasks/<slug>/owners", responses={200: OwnersAnswer})
@requires(Permission.READ_OWNERS)
def get_owners(path: TaskPath) -> Response:
    """List who looks after a task, by name; a task that nobody owns, or that there is not, has none."""
    found = views.owners(dependencies().engine, path.slug, MOST_OWNERS)
    return json_response(OwnersAnswer(items=[OwnerAnswer.model_validate(record) for record in found]))


@blueprint.put("/people/<person_id>/roles", responses={200: PersonAnswer})
@requires(Permission.GRANT_ROLES)
def put_roles(path: PersonPath, body: RolesBody) -> Response:
    """Replace a person's roles."""
    needed = dependencies()
    command = SetRoles(signed_in_person(), path.person_id, tuple(body.roles))
    person = set_roles(command, needed.new_unit_of_work, needed.clock)
    return json_response(PersonAnswer.of(person))
