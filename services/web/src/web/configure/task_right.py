"""The right to start a task: who has it, and asking the administrators for it.

The right is the role of the owner of a task that does not exist yet. An administrator gives it for one address.
"""

from collections.abc import Sequence

from dynabench_client.results.accounts import TaskRequest
from dynabench_client.results.annotation import TaskSummary
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit import session
from web.kit.dependencies import platform
from web.kit.numbers import day
from web.kit.outcomes import attempt, optional
from web.kit.parallel import page_reads
from web.kit.problems import ProblemView
from web.kit.rendering import go_to, page

GRANTED = "granted"
MOST_TASKS = 200

blueprint = Blueprint("task_right", __name__)


@blueprint.post("/tasks/new/request")
@requires(Permission.ASK_FOR_TASK)
def post_request() -> Response:
    """Ask the administrators for the right to start a task."""
    slug, reason = request.form.get("task_slug", "").strip(), request.form.get("reason", "")
    problem = attempt(lambda: platform().accounts.ask_for_task(slug, reason)).problem
    if problem is None:
        return go_to("/tasks/new", "task-asked")
    return ask_page(optional(platform().accounts.my_task_request), problem, slug, reason)


def ask_page(
    asked: TaskRequest | None, problem: ProblemView | None = None, slug: str = "", reason: str = ""
) -> Response:
    """Return the page that explains the right to start a task, with the last request or the form for one."""
    return page(
        "configure/task_right.html",
        problem.status if problem else 200,
        asked=asked,
        since=day(asked.asked_at) if asked else None,
        problem=problem,
        task_slug=slug,
        reason=reason,
    )


def startable(tasks: Sequence[TaskSummary]) -> list[str] | None:
    """Return the slugs that the person may use for a new task; None if any."""
    principal = session.viewer().principal
    if principal.is_admin:
        return None
    return sorted(principal.owned_tasks - {task.slug for task in tasks})


def is_newly_granted(asked: TaskRequest | None) -> bool:
    """Return whether a request was granted since the session took its roles; it stays granted for good."""
    if asked is None or asked.state != GRANTED:
        return False
    return not session.viewer().principal.owns(asked.task_slug)


def known_tasks() -> Sequence[TaskSummary]:
    """Return the tasks; empty if they can't be listed."""
    listed = page_reads().read(platform().annotation.tasks, limit=MOST_TASKS).value()
    return listed.items if listed is not None else ()
