"""Where votes are wanted: the tasks whose round waits for some, the one with the most first."""

from collections.abc import Iterable
from dataclasses import dataclass

from dynabench_client.results.annotation import Task
from dynabench_client.results.leaderboard import TaskHeadline
from dynabench_common.permissions import Permission, requires
from flask import Blueprint, Response

from web.kit.dependencies import platform
from web.kit.numbers import count
from web.kit.parallel import page_reads
from web.kit.rendering import page
from web.kit.rounds import RoundView, current_round, round_view

MOST_TASKS = 200

blueprint = Blueprint("waiting_tasks", __name__)


@dataclass(frozen=True)
class WaitingTask:
    """A task with its round, and how many of its examples wait for votes of anybody."""

    title: str
    description: str
    round: RoundView
    waiting: int
    waiting_words: str


@blueprint.get("/check")
@requires(Permission.VALIDATE)
def get_waiting_tasks() -> Response:
    """List the tasks in which there is something to check."""
    client, reads = platform(), page_reads()
    listed = reads.read(client.annotation.tasks, limit=MOST_TASKS)
    figures = reads.read(client.leaderboard.tasks, limit=MOST_TASKS)
    headlines = figures.value()
    found = waiting_tasks(listed.needed().items, headlines.items if headlines else ())
    return page("validate/waiting_tasks.html", tasks=found, is_known=headlines is not None)


def waiting_tasks(tasks: Iterable[Task], headlines: Iterable[TaskHeadline]) -> list[WaitingTask]:
    """Return the tasks whose round waits for votes, the most first."""
    by_task = {headline.task_slug: headline.current_round for headline in headlines}
    waiting = []
    for task in tasks:
        now, figures = current_round(task.rounds), by_task.get(task.slug)
        if (
            now is None
            or figures is None
            or figures.round_id != now.round_id
            or not figures.vmer_range.pending
        ):
            continue
        shown = round_view(now)
        if shown.takes_votes:
            pending, title = figures.vmer_range.pending, task.title or task.slug
            waiting.append(WaitingTask(title, task.description, shown, pending, count(pending)))
    return sorted(waiting, key=lambda each: -each.waiting)
