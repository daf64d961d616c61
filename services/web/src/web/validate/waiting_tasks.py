"""Tasks whose round waits for votes, those with the most first."""

from collections.abc import Iterable, Mapping
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
    """A task with its round, and how many examples of others in it wait for votes."""

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
    mine = reads.read(client.leaderboard.my_rounds)
    headlines = figures.value()
    own = {each.round_id: each.pending for each in mine.value() or ()}
    found = waiting_tasks(listed.needed().items, headlines.items if headlines else (), own)
    return page("validate/waiting_tasks.html", tasks=found, is_known=headlines is not None)


def waiting_tasks(
    tasks: Iterable[Task], headlines: Iterable[TaskHeadline], own: Mapping[str, int]
) -> list[WaitingTask]:
    """Return the tasks whose round waits for votes of the person, the most first; `own` are their texts by round."""
    by_task = {headline.task_slug: headline.current_round for headline in headlines}
    waiting = []
    for task in tasks:
        now, figures = current_round(task.rounds), by_task.get(task.slug)
        if now is None or figures is None or figures.round_id != now.round_id:
            continue
        shown, pending = round_view(now), figures.vmer_range.pending - own.get(now.round_id, 0)
        if shown.takes_votes and pending > 0:
            title = task.title or task.slug
            waiting.append(WaitingTask(title, task.description, shown, pending, count(pending)))
    return sorted(waiting, key=lambda each: -each.waiting)
