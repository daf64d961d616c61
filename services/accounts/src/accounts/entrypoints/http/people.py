"""Routes about people: sign-up, the own account, and for administrators search, roles and disabling."""

from uuid import UUID

from dynabench_api.accounts import (
    KnownPersonAnswer,
    ListedPersonAnswer,
    NamedPeopleAnswer,
    NamedPersonAnswer,
    OwnerAnswer,
    OwnersAnswer,
    PeopleAnswer,
    PeopleCountsAnswer,
    PersonAnswer,
)
from dynabench_common.auth.permissions import Permission, requires, signed_in_person
from dynabench_common.http import addresses
from dynabench_common.http.schemas import cursor_id, cut_page, page_start
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from accounts.domain import names
from accounts.entrypoints.http.dependencies import dependencies
from accounts.entrypoints.http.schemas import (
    NamedPeopleQuery,
    PeopleQuery,
    PersonPath,
    PersonStateBody,
    RoleChangeBody,
    RolesBody,
    SignUpBody,
    TaskPath,
    person_answer,
)
from accounts.queries import people as queries
from accounts.service_layer.people import (
    ChangeRoles,
    SetDisabled,
    SetRoles,
    SignUp,
    change_roles,
    set_disabled,
    set_roles,
    sign_up,
)

MOST_OWNERS = 100
blueprint = APIBlueprint("people", __name__, url_prefix="/api/accounts/v1")


@blueprint.post("/people", responses={201: PersonAnswer})
@requires(Permission.SIGN_UP)
def post_person(body: SignUpBody) -> Response:
    """Sign up as a volunteer."""
    command = SignUp(body.user_name, body.email, body.password, addresses.sender())
    return json_response(person_answer(sign_up(command, dependencies())), 201)


@blueprint.get("/people", responses={200: PeopleAnswer})
@requires(Permission.MANAGE_PEOPLE)
def get_people(query: PeopleQuery) -> Response:
    """List people in the order of sign-up, optionally filtered by user name or mail address."""
    user_name = None if query.user_name is None else names.user_name(query.user_name)
    wanted = queries.PeopleFilter(user_name, query.search)
    after = page_start(query.cursor, cursor_id)
    found = queries.people(dependencies().engine, wanted, query.limit + 1, after)
    page, next_cursor = cut_page(found, query.limit, lambda record: record.person_id)
    items = [ListedPersonAnswer.model_validate(record) for record in page]
    return json_response(PeopleAnswer(items=items, next_cursor=next_cursor))


@blueprint.get("/people/counts", responses={200: PeopleCountsAnswer})
@requires(Permission.MANAGE_PEOPLE)
def get_people_counts() -> Response:
    """Count people, administrators, disabled accounts, and sign-ups of the last seven days."""
    app = dependencies()
    counts = queries.people_counts(app.engine, app.clock.now())
    return json_response(PeopleCountsAnswer.model_validate(counts))


@blueprint.get("/people/named", responses={200: NamedPeopleAnswer})
@requires(Permission.FIND_PEOPLE)
def get_named(query: NamedPeopleQuery) -> Response:
    """List the people with these user names. Unknown names and disabled people are left out."""
    found = queries.named(dependencies().engine, [each.strip().lower() for each in query.user_name])
    items = [NamedPersonAnswer.model_validate(record) for record in found]
    return json_response(NamedPeopleAnswer(items=items))


@blueprint.get("/people/<person_id>", responses={200: KnownPersonAnswer})
@requires(Permission.MANAGE_PEOPLE)
def get_person(path: PersonPath) -> Response:
    """Show a person's account."""
    return _known(path.person_id)


@blueprint.get("/me", responses={200: PersonAnswer})
@requires(Permission.READ_SELF)
def get_me() -> Response:
    """Show the signed-in person."""
    record = queries.public_person(dependencies().engine, signed_in_person())
    return json_response(PersonAnswer.model_validate(record))


@blueprint.get("/tasks/<slug>/owners", responses={200: OwnersAnswer})
@requires(Permission.READ_OWNERS)
def get_owners(path: TaskPath) -> Response:
    """List the owners of a task by name. The list is empty for a task that has no owner or is unknown."""
    found = queries.owners(dependencies().engine, path.slug, MOST_OWNERS)
    return json_response(OwnersAnswer(items=[OwnerAnswer.model_validate(record) for record in found]))


@blueprint.put("/people/<person_id>/roles", responses={200: PersonAnswer})
@requires(Permission.GRANT_ROLES)
def put_roles(path: PersonPath, body: RolesBody) -> Response:
    """Replace a person's roles."""
    command = SetRoles(signed_in_person(), path.person_id, tuple(body.roles))
    return json_response(person_answer(set_roles(command, dependencies())))


@blueprint.post("/people/<person_id>/role-changes", responses={200: KnownPersonAnswer})
@requires(Permission.GRANT_ROLES)
def post_role_change(path: PersonPath, body: RoleChangeBody) -> Response:
    """Add and remove roles of a person. Other roles stay."""
    command = ChangeRoles(
        signed_in_person(), path.person_id, tuple(body.grant), tuple(body.revoke), body.reason
    )
    change_roles(command, dependencies())
    return _known(path.person_id)


@blueprint.put("/people/<person_id>/state", responses={200: KnownPersonAnswer})
@requires(Permission.MANAGE_PEOPLE)
def put_state(path: PersonPath, body: PersonStateBody) -> Response:
    """Disable a person, or enable them again. Disabling ends their sessions and stops their API tokens."""
    command = SetDisabled(signed_in_person(), path.person_id, body.state == "disabled", body.reason)
    set_disabled(command, dependencies())
    return _known(path.person_id)


def _known(person_id: UUID) -> Response:
    app = dependencies()
    record = queries.known_person(app.engine, person_id, app.clock.now())
    return json_response(KnownPersonAnswer.model_validate(record))
