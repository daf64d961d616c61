"""The practice of a task: one item at a time, answered by a form that stores nothing."""

from urllib.parse import urlencode

from dynabench_client.results.annotation import Task
from dynabench_common.auth.permissions import Permission, requires
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from flask import Blueprint, Response, request

from web.kit import form
from web.kit.configuration import TaskRules, task_rules
from web.kit.content_notice import notice_before
from web.kit.dependencies import platform
from web.kit.form import whole_number
from web.kit.practised import remember_practice
from web.kit.rendering import page
from web.kit.rounds import current_round
from web.kit.security import HOME, safe_return
from web.practice.practice_view import item_view, practice_of

blueprint = Blueprint("practice", __name__)


@blueprint.get("/tasks/<slug>/practice")
@requires(Permission.USE_PAGES)
def get_practice(slug: str) -> Response:
    """Show an item, by default the first; redirect after the last one, and if there is none."""
    task = platform().annotation.task(slug)
    rules, configuration = task_rules(task), practice_of(task)
    notice = notice_before(rules)
    if notice is not None:
        return notice
    response = _shown(task, rules, configuration, request.args.get("item", "1"))
    remember_practice(task.slug, response)
    return response


@blueprint.post("/tasks/<slug>/practice")
@requires(Permission.USE_PAGES)
def post_practice(slug: str) -> Response:
    """Show the result of an answer to an item."""
    task = platform().annotation.task(slug)
    rules, configuration = task_rules(task), practice_of(task)
    notice = notice_before(rules)
    if notice is not None:
        return notice
    return _shown(task, rules, configuration, request.form.get("item", "1"), form.entered())


def _shown(
    task: Task,
    rules: TaskRules,
    configuration: TaskConfiguration | None,
    wanted: str,
    entered: dict[str, list[str]] | None = None,
) -> Response:
    """Return the page with the requested item; an invalid number means the first."""
    number = whole_number(wanted, most_digits=2) or 1
    item = None
    if configuration is not None and number <= len(configuration.practice):
        item = item_view(rules, configuration, number, entered=entered)
    on = _on(task)
    return page(
        "practice/page.html",
        422 if item and item.problem else 200,
        task=rules,
        item=item,
        has_items=configuration is not None,
        on=on,
        is_writing=on.endswith("/create"),
        carried=urlencode({"next": on}),
    )


def _on(task: Task) -> str:
    """Return the address after the practice: the previous page, else the form of the open round, else the task."""
    given = safe_return(request.values.get("next"))
    if given != HOME:
        return given
    now = current_round(task.rounds)
    return f"/rounds/{now.round_id}/create" if now and now.state == "open" else f"/tasks/{task.slug}"
