"""The audit log: of one task for its owners, of the whole platform for administrators."""

from uuid import UUID

from dynabench_common.auth.permissions import Permission, ensure, requires
from flask import Blueprint, Response, request

from web.kit import session
from web.kit.audit_entries import entry_rows
from web.kit.configuration import task_rules
from web.kit.dependencies import platform
from web.kit.rendering import page
from web.kit.rounds import round_view

PAGE = 50
EVERY_TASK = ""

blueprint = Blueprint("audit", __name__)


@blueprint.get("/tasks/<slug>/audit")
@requires(Permission.READ_AUDIT)
def get_task_audit(slug: str) -> Response:
    """List actions in a task, or in one of its rounds."""
    ensure(Permission.READ_AUDIT, task=slug)
    client, cursor = platform(), request.args.get("cursor")
    task, round_id = client.annotation.task(slug), _round_id()
    listed = client.accounts.audit(task=slug, round_id=round_id, limit=PAGE, cursor=cursor)
    rounds = sorted(task.rounds, key=lambda each: -each.number)
    return page(
        "audit/page.html",
        task=task_rules(task),
        log_address=f"/tasks/{task.slug}/audit",
        entries=entry_rows(listed.items, rounds),
        rounds=[round_view(each) for each in rounds],
        round_id=round_id or "",
        next_cursor=listed.next_cursor,
        is_first=not cursor,
    )


@blueprint.get("/audit")
@requires(Permission.READ_AUDIT)
def get_audit() -> Response:
    """List actions on the whole platform, for administrators."""
    if not session.viewer().principal.is_admin:
        ensure(Permission.READ_AUDIT, task=EVERY_TASK)
    cursor, round_id = request.args.get("cursor"), _round_id()
    listed = platform().accounts.audit(round_id=round_id, limit=PAGE, cursor=cursor)
    return page(
        "audit/page.html",
        task=None,
        log_address="/audit",
        entries=entry_rows(listed.items),
        rounds=[],
        round_id=round_id or "",
        next_cursor=listed.next_cursor,
        is_first=not cursor,
    )


def _round_id() -> str | None:
    """Return the round id in the address; None if it is not an id."""
    try:
        return str(UUID(request.args.get("round_id", "")))
    except ValueError:
        return None
