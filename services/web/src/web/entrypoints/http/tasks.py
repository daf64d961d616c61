"""The list of tasks, and the page of one."""

from dynabench_common.permissions import Permission, requires
from flask import Blueprint, Response

from web.entrypoints.http.dependencies import platform
from web.entrypoints.http.outcomes import optional
from web.entrypoints.http.rendering import page
from web.presenters.configuration import task_rules
from web.presenters.rounds import round_view
from web.presenters.tasks import current_round, task_cards

MOST_TASKS = 200

blueprint = Blueprint("tasks", __name__)


@blueprint.get("/")
@requires(Permission.USE_PAGES)
def get_home() -> Response:
    """List the tasks with their rounds and headlines."""
    tasks = platform().annotation.tasks(limit=MOST_TASKS)
    figures = optional(lambda: platform().leaderboard.tasks(limit=MOST_TASKS))
    headlines = {headline.task_slug: headline for headline in figures.items} if figures else {}
    return page("home.html", tasks=task_cards(tasks.items, headlines))


@blueprint.get("/tasks/<slug>")
@requires(Permission.USE_PAGES)
def get_task(slug: str) -> Response:
    """Show a task: what it is about, its rounds, and its instructions."""
    task = platform().annotation.task(slug)
    rounds = sorted(task.rounds, key=lambda found: -found.number)
    now = current_round(task.rounds)
    return page(
        "task.html",
        task=task_rules(task),
        description=task.description,
        rounds=[round_view(found) for found in rounds],
        now=round_view(now) if now else None,
    )
