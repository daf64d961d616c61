"""Tasks with a round that waits for votes, the most examples first."""

from collections.abc import Iterable
from dataclasses import dataclass

from dynabench_client.results.annotation import TaskSummary
from dynabench_client.results.validation import WaitingRound
from dynabench_common.auth.permissions import Permission, requires
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
    """A task with its round, and the number of examples that the person can vote on."""

    title: str
    description: str
    round: RoundView
    waiting: int
    waiting_words: str


@blueprint.get("/check")
@requires(Permission.VALIDATE)
def get_waiting_tasks() -> Response:
    """List the tasks with examples to check."""
    client, reads = platform(), page_reads()
    listed = reads.read(client.annotation.tasks, limit=MOST_TASKS)
    counted = reads.read(client.validation.waiting_for_me).value()
    found = waiting_tasks(listed.needed().items, counted or ())
    return page("validate/waiting_tasks.html", tasks=found, is_known=counted is not None)


def waiting_tasks(tasks: Iterable[TaskSummary], counted: Iterable[WaitingRound]) -> list[WaitingTask]:
    """Return the tasks with examples for the person, the most examples first."""
    by_round = {each.round_id: each.waiting for each in counted}
    waiting = []
    for task in tasks:
        now = current_round(task.rounds)
        if now is None or now.round_id not in by_round:
            continue
        number = by_round[now.round_id]
        title = task.title or task.slug
        waiting.append(WaitingTask(title, task.description, round_view(now), number, count(number)))
    return sorted(waiting, key=lambda each: -each.waiting)
