"""The route that shows the audit log, and the events that it could not process."""

from uuid import UUID

from dynabench_api.accounts import AuditAnswer, AuditEntryAnswer
from dynabench_common.auth.permissions import Permission, current_principal, ensure, requires
from dynabench_common.http.schemas import PageQuery, Text, cursor_moment_and_id, cut_page, page_start
from dynabench_common.http.service import json_response
from dynabench_common.problems import Problem
from flask import Response
from flask_openapi import APIBlueprint
from pydantic import Field

from accounts.entrypoints.http.dependencies import dependencies
from accounts.entrypoints.http.schemas import LONGEST_INPUT
from accounts.queries.audit_log import AuditFilter, audit_log

blueprint = APIBlueprint("audit", __name__, url_prefix="/api/accounts/v1")


class AuditQuery(PageQuery):
    """Filters of the audit log."""

    task: Text | None = Field(
        default=None,
        max_length=LONGEST_INPUT,
        description="Only entries of this task. Owners must give a task",
    )
    round_id: UUID | None = Field(default=None, description="Only entries of this round")
    object_id: UUID | None = Field(default=None, description="Only entries about the object with this id")


@blueprint.get("/audit", responses={200: AuditAnswer})
@requires(Permission.READ_AUDIT)
def get_audit(query: AuditQuery) -> Response:
    """List entries of the audit log, newest first. Owners must name one of their tasks."""
    if query.task is not None:
        ensure(Permission.READ_AUDIT, task=query.task)
    elif not current_principal().is_admin:
        raise Problem(
            422,
            "task-missing",
            "No task named",
            "Owners read the audit log of one task at a time.",
            field="task",
            remedy="Name one of your tasks.",
        )
    wanted = AuditFilter(query.task, query.round_id, query.object_id)
    found = audit_log(
        dependencies().engine,
        wanted,
        query.limit + 1,
        page_start(query.cursor, cursor_moment_and_id),
        names_everybody=current_principal().is_admin,
    )
    page, next_cursor = cut_page(found, query.limit, lambda record: (record.taken_at, record.entry_id))
    items = [AuditEntryAnswer.model_validate(record) for record in page]
    return json_response(AuditAnswer(items=items, next_cursor=next_cursor))
