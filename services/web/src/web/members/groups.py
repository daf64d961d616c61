"""An owner's groups of people, whom they let into private tasks together."""

from collections.abc import Callable
from uuid import UUID

from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response

from web.kit import form
from web.kit.dependencies import platform
from web.kit.outcomes import attempt
from web.kit.problems import ProblemView
from web.kit.rendering import go_to, page

blueprint = Blueprint("groups", __name__, url_prefix="/groups")


@blueprint.get("")
@requires(Permission.MANAGE_GROUPS)
def get_groups() -> Response:
    """List one's groups."""
    return _groups_page()


@blueprint.post("")
@requires(Permission.MANAGE_GROUPS)
def post_group() -> Response:
    """Make a group."""
    name = form.text("name")
    outcome = attempt(lambda: platform().accounts.make_group(name))
    if outcome.value is None:
        return _groups_page(outcome.problem, name)
    return go_to(f"/groups/{outcome.value}")


@blueprint.get("/<uuid:group_id>")
@requires(Permission.MANAGE_GROUPS)
def get_group(group_id: UUID) -> Response:
    """Show the people of a group."""
    return _group_page(str(group_id))


@blueprint.post("/<uuid:group_id>/people")
@requires(Permission.MANAGE_GROUPS)
def post_person(group_id: UUID) -> Response:
    """Add a person to a group."""
    name = form.text("user_name")
    return _done(
        str(group_id), lambda: platform().accounts.add_to_group(str(group_id), name), "group-joined", name
    )


@blueprint.post("/<uuid:group_id>/removal")
@requires(Permission.MANAGE_GROUPS)
def post_removal(group_id: UUID) -> Response:
    """Take a person out of a group."""
    person_id = form.text("person_id")
    return _done(
        str(group_id),
        lambda: platform().accounts.remove_from_group(str(group_id), person_id),
        "group-left",
    )


@blueprint.post("/<uuid:group_id>/deletion")
@requires(Permission.MANAGE_GROUPS)
def post_deletion(group_id: UUID) -> Response:
    """Delete a group."""
    platform().accounts.delete_group(str(group_id))
    return go_to("/groups", "group-deleted")


def _done(group_id: str, act: Callable[[], None], message: str, name: str = "") -> Response:
    outcome = attempt(act)
    if outcome.problem is not None:
        return _group_page(group_id, outcome.problem, name)
    return go_to(f"/groups/{group_id}", message)


def _groups_page(problem: ProblemView | None = None, name: str = "") -> Response:
    return page(
        "members/groups.html",
        problem.status if problem else 200,
        groups=platform().accounts.groups(),
        name=name,
        problem=problem,
    )


def _group_page(group_id: str, problem: ProblemView | None = None, name: str = "") -> Response:
    return page(
        "members/group.html",
        problem.status if problem else 200,
        group=platform().accounts.group(group_id),
        name=name,
        problem=problem,
    )
