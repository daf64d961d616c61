"""The owner's page of the people who see a private task."""

from collections.abc import Callable

from dynabench_client.results.accounts import NewInvitation
from dynabench_common.auth.permissions import Permission, ensure, requires
from flask import Blueprint, Response, request

from web.kit import form
from web.kit.configuration import task_rules
from web.kit.dependencies import platform
from web.kit.form import whole_number
from web.kit.outcomes import Outcome, attempt
from web.kit.parallel import page_reads
from web.kit.problems import ProblemView
from web.kit.rendering import go_to, page
from web.kit.sharing import own_address
from web.members.invitation_view import invitation_rows

DAYS, USES = 14, 1
"""Days and number of people that the form of a new link suggests."""

blueprint = Blueprint("members", __name__, url_prefix="/tasks/<slug>/members")


@blueprint.get("")
@requires(Permission.MANAGE_TASK)
def get_members(slug: str) -> Response:
    """Show the members, groups and invitations of a task."""
    return _members_page(slug)


@blueprint.post("")
@requires(Permission.MANAGE_TASK)
def post_member(slug: str) -> Response:
    """Make a person a member."""
    name = form.text("user_name")
    return _done(slug, lambda: platform().accounts.add_member(slug, name), "member-added", name)


@blueprint.post("/removal")
@requires(Permission.MANAGE_TASK)
def post_removal(slug: str) -> Response:
    """End a membership."""
    return _done(
        slug, lambda: platform().accounts.remove_member(slug, form.text("person_id")), "member-removed"
    )


@blueprint.post("/groups")
@requires(Permission.MANAGE_TASK)
def post_group(slug: str) -> Response:
    """Make the people of a group members, or end that."""
    group_id, accounts = form.text("group_id"), platform().accounts
    if request.form.get("action") == "remove":
        return _done(slug, lambda: accounts.remove_task_group(slug, group_id), "group-removed")
    return _done(slug, lambda: accounts.add_task_group(slug, group_id), "group-added")


@blueprint.post("/invitations")
@requires(Permission.MANAGE_TASK)
def post_invitation(slug: str) -> Response:
    """Make an invitation, and show its link once."""
    ensure(Permission.MANAGE_TASK, task=slug)
    days, uses = (_number(form.text(name)) for name in ("days", "uses"))
    outcome = attempt(lambda: platform().accounts.invite(slug, days=days, uses=uses))
    return _members_page(slug, outcome.problem, made=outcome.value)


@blueprint.post("/invitations/withdrawal")
@requires(Permission.MANAGE_TASK)
def post_withdrawal(slug: str) -> Response:
    """Withdraw an invitation."""
    invitation_id = form.text("invitation_id")
    return _done(
        slug, lambda: platform().accounts.withdraw_invitation(slug, invitation_id), "invitation-withdrawn"
    )


def _done(slug: str, act: Callable[[], None], message: str, name: str = "") -> Response:
    ensure(Permission.MANAGE_TASK, task=slug)
    outcome: Outcome[None] = attempt(act)
    if outcome.problem is not None:
        return _members_page(slug, outcome.problem, name)
    return go_to(f"/tasks/{slug}/members", message)


def _number(given: str) -> int:
    """Return a typed number; 0, which is refused, for anything else."""
    return whole_number(given, most_digits=9) or 0


def _members_page(
    slug: str, problem: ProblemView | None = None, name: str = "", made: NewInvitation | None = None
) -> Response:
    ensure(Permission.MANAGE_TASK, task=slug)
    client, reads = platform(), page_reads()
    task = reads.read(client.annotation.task, slug)
    members = reads.read(client.accounts.members, slug)
    groups, own = reads.read(client.accounts.task_groups, slug), reads.read(client.accounts.groups)
    invitations = reads.read(client.accounts.invitations, slug)
    let_in = {each.group_id for each in groups.needed()}
    return page(
        "members/page.html",
        problem.status if problem else 200,
        task=task_rules(task.needed()),
        members=members.needed(),
        groups=groups.needed(),
        further_groups=[each for each in own.needed() if each.group_id not in let_in],
        invitations=invitation_rows(invitations.needed()),
        link=own_address(f"/invitation?token={made.secret}") if made else "",
        days=request.form.get("days", DAYS),
        uses=request.form.get("uses", USES),
        name=name,
        problem=problem,
    )
